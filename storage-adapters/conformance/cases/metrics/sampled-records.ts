import type {BucketWindow, Order, RecordInput} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {comparable} from '../../comparable.js';
import {batch, metric} from '../../data/metrics.js';
import {LONGEST_TEXT, longText} from '../../data/texts.js';
import {DAY, HOUR, MINUTE, ownDays} from '../../data/times.js';
import type {Group} from '../../group.js';
import type {Subject} from '../../subject.js';

const START = ownDays(7);
const LAYER = 'KIT-RECORDS';
const METRIC = 'kit_records';
const TEXTS = 'kit_records_texts';

const record = (content: string, second: number, value: number, traceId?: string, more = {}): RecordInput => ({
  metric: METRIC,
  entity: {layer: LAYER, service: 'db', serviceInstance: 'i', ...more},
  content,
  time: START + second,
  value,
  ...(traceId === undefined ? {} : {traceId}),
});

/** Equal values, in their order: by content, time, and trace id. */
const TIES: readonly RecordInput[] = [
  record('SELECT 1', 30, 5, 't'),
  record('select', 0, 5),
  record('select', 20, 5),
  record('select', 20, 5, '1'),
  record('select', 20, 5, 'T'),
  record('select', 20, 5, 't'),
  record('select', 20, 5, 't1'),
  record('select', 59, 5, 'a'),
  record('select 1', 30, 5, 't'),
  record('\uFF5E', 30, 5, 't'),
  record('\u{1F600}', 30, 5, 't'),
];

const LOWEST = record('low', 59, -1, 'x');
const HIGHEST = record('high', 0, 9, 'x');
const BEFORE = record('before', -1, 50, 'x');
const NEXT_MINUTE = record('next minute', 60, 60, 'x');
const NEXT_HOUR = record('next hour', HOUR, 70, 'x');
const NEXT_DAY = record('next day', DAY, 80, 'x');

const CONTENTS: readonly string[] = [
  "insert into t values ('x'); -- \\ \" % _ ? $1 {a}",
  'line one\nline two\r\n\ttabbed',
  '中文 \u{1F600} e\u0301',
  longText(LONGEST_TEXT, 'content'),
];
const texts = CONTENTS.map((content, i) => ({...record(content, 0, i), metric: TEXTS}));

const RECORDS: readonly RecordInput[] = [
  ...[...TIES].reverse(),
  LOWEST,
  HIGHEST,
  BEFORE,
  NEXT_MINUTE,
  NEXT_HOUR,
  NEXT_DAY,
  record('another instance', 1, 8, 'x', {serviceInstance: 'j'}),
  record('another service', 1, 100, 'x', {service: 'other'}),
  record('another layer', 1, 100, 'x', {layer: `${LAYER}-2`}),
  ...texts,
];

async function read(subject: Subject, name: string, order: Order, limit: number, window: BucketWindow, more = {}) {
  const request = {
    metric: await subject.metric(name),
    layer: LAYER,
    parentService: 'db',
    order,
    limit,
    window,
    ...more,
  };
  return comparable(await subject.metrics.sampledRecords(request, call));
}

/** What is read of a record that was written. */
const stored = (records: readonly RecordInput[]) => comparable(records.map(({metric: _, ...rest}) => rest));

const INSTANCE_J = record('another instance', 1, 8, 'x', {serviceInstance: 'j'});
const minute: BucketWindow = {step: 'minute', first: START, count: 1};

export const sampledRecords: Group = {
  name: 'sampled_records',
  needs: ['metrics.query.v1'],
  data: {
    metrics: [
      batch({
        metrics: [METRIC, TEXTS].map(name => metric(name, {kind: 'sampled-record', scope: 'ServiceInstance'})),
        records: RECORDS,
      }),
    ],
  },
  tests: {
    'sampled records come by value, equal ones by content, time and trace id, for both orders': async (t, subject) => {
      const descending = await read(subject, METRIC, 'DES', 100, minute);
      t.deepEqual(descending, stored([HIGHEST, INSTANCE_J, ...TIES, LOWEST]), 'DES');
      const ascending = await read(subject, METRIC, 'ASC', 100, minute);
      t.deepEqual(ascending, stored([LOWEST, ...TIES, INSTANCE_J, HIGHEST]), 'ASC');
    },
    'sampled records are cut to the limit, among equal values too': async (t, subject) => {
      const all = [HIGHEST, INSTANCE_J, ...TIES, LOWEST];
      for (const limit of [1, 3, 6]) {
        t.deepEqual(await read(subject, METRIC, 'DES', limit, minute), stored(all.slice(0, limit)), `limit ${limit}`);
      }
    },
    'a sampled record counts by its second, from the start of the first bucket to the end of the last': async (
      t,
      subject,
    ) => {
      const top = (window: BucketWindow) => read(subject, METRIC, 'DES', 1, window);
      const {first} = minute;
      t.deepEqual(await top({step: 'minute', first: first - MINUTE, count: 1}), stored([BEFORE]), 'the minute before');
      t.deepEqual(await top({step: 'minute', first, count: 2}), stored([NEXT_MINUTE]), 'two minutes');
      t.deepEqual(await top({step: 'hour', first, count: 1}), stored([NEXT_MINUTE]), 'an hour');
      t.deepEqual(await top({step: 'hour', first, count: 2}), stored([NEXT_HOUR]), 'two hours');
      t.deepEqual(await top({step: 'day', first, count: 2}), stored([NEXT_DAY]), 'two days');
      t.deepEqual(await top({step: 'minute', first: first + 2 * MINUTE, count: 58}), [], 'minutes without a record');
    },
    'sampled records are those of one service of one layer': async (t, subject) => {
      const other = await read(subject, METRIC, 'DES', 9, minute, {parentService: 'other'});
      t.deepEqual(other, stored([record('another service', 1, 100, 'x', {service: 'other'})]), 'another service');
      const layer = await read(subject, METRIC, 'DES', 9, minute, {layer: `${LAYER}-2`});
      t.deepEqual(layer, stored([record('another layer', 1, 100, 'x', {layer: `${LAYER}-2`})]), 'another layer');
      t.deepEqual(await read(subject, METRIC, 'DES', 9, minute, {parentService: 'none'}), [], 'no such service');
    },
    'the text of a sampled record is kept as it is, up to a mebibyte': async (t, subject) => {
      t.deepEqual(await read(subject, TEXTS, 'ASC', 9, minute), stored(texts), 'texts');
    },
  },
};
