import type {Entity, Segment} from '../../core/api/adapter.js';
import {batch, metric, type SampleInput} from '../../storage-adapters/conformance/data/metrics.js';
import {nativeSpan, segment} from '../../storage-adapters/conformance/data/spans.js';
import type {Seeder} from '../../test/fixtures/banyandb/seed/seeder.js';

const MINUTE = 60;
const LAYER = 'GENERAL';
export const ENDPOINTS = 1000;
export const TRACES = 4000;
export const SERVICES = 41;

export const SERVICE: Entity = {layer: LAYER, service: 'svc-3'};

/** A thousand endpoints over half an hour, and four thousand traces of one segment in the half hour before `end`, in seconds. */
export function seed(seeder: Seeder, end: number): void {
  const samples: SampleInput[] = [];
  for (let minute = 1; minute <= 60; minute++) {
    const time = end - minute * MINUTE;
    samples.push({metric: 'service_cpm', entity: SERVICE, time, value: minute});
    if (minute > 30) continue;
    for (let i = 0; i < ENDPOINTS; i++) {
      const entity = {...SERVICE, endpoint: `/endpoint/${i}`};
      samples.push({metric: 'endpoint_cpm', entity, time, value: (i * 7 + minute) % 1000});
    }
  }
  seeder.metrics(batch({metrics: [metric('service_cpm'), metric('endpoint_cpm', {scope: 'Endpoint'})], samples}));
  seeder.segments(Array.from({length: TRACES}, (_, i) => segmentAt(i, end)));
}

function segmentAt(i: number, end: number): Segment {
  const start = end * 1000 - 1 - Math.floor((i * 1_799_999) / TRACES);
  const spans = [
    nativeSpan(0, start, {
      endTime: start + ((i * 13) % 500),
      spanType: 'Entry',
      isError: i % 17 === 0,
      tags: [{key: 'http.method', value: ['GET', 'POST', 'PUT'][i % 9] ?? 'HEAD'}],
    }),
  ];
  return segment(`trace-${i}`, `segment-${i}`, spans, `svc-${(i * 7) % SERVICES}`);
}
