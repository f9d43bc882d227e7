import {LATEST_TIME} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {namesOf} from '../../comparable.js';
import {batch, metric} from '../../data/metrics.js';
import {MINUTE} from '../../data/times.js';
import type {Group} from '../../group.js';

const ENTITY = {layer: 'KIT-LATEST', service: 'a'};
const LAST_MINUTE = LATEST_TIME + 1 - MINUTE;
const VALUES = 'kit_latest_values';
const RECORDS = 'kit_latest_records';

export const latestTime: Group = {
  name: 'latest_time',
  needs: ['metrics.query.v1', 'metadata.query.v1', 'ingest.metrics.v1'],
  data: {
    metrics: [
      batch({
        metrics: [metric(VALUES), metric(RECORDS, {kind: 'sampled-record'})],
        samples: [{metric: VALUES, entity: ENTITY, time: LAST_MINUTE, value: 6}],
        sightings: [{scope: 'Endpoint', entity: {...ENTITY, endpoint: 'seen'}, time: LAST_MINUTE}],
        records: [{metric: RECORDS, entity: ENTITY, content: 'x', time: LATEST_TIME, value: 7}],
      }),
    ],
  },
  tests: {
    'the latest time is stored of samples, sightings and sampled records': async (t, subject) => {
      const definition = await subject.metric(VALUES);
      for (const step of ['minute', 'hour', 'day'] as const) {
        const length = {minute: MINUTE, hour: 60 * MINUTE, day: 1440 * MINUTE}[step];
        const window = {step, first: LATEST_TIME + 1 - length, count: 1};
        const [column] = await subject.metrics.values(
          {metric: definition, entity: ENTITY, valueFilters: new Map(), window},
          call,
        );
        t.is(column?.values[0], 6, `the ${step}`);
      }
      const window = {step: 'minute', first: LAST_MINUTE, count: 1} as const;
      const request = {layer: ENTITY.layer, parentService: ENTITY.service, order: 'DES', limit: 9, window} as const;
      const records = await subject.metrics.sampledRecords({metric: await subject.metric(RECORDS), ...request}, call);
      t.deepEqual(
        records.map(({content, time}) => [content, time]),
        [['x', LATEST_TIME]],
        'the record',
      );
      const seen = {from: LAST_MINUTE, to: LATEST_TIME};
      t.deepEqual(await namesOf(subject.metadata.endpoints({...ENTITY, seen}, call)), ['seen'], 'the sighting');
    },
  },
};
