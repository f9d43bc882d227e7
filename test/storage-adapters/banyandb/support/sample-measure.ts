import type {MeasureQueryRequest, OutgoingMessage} from '../../../../storage-adapters/banyandb/proto/methods.js';
import type {MeasurePlan} from '../../../fixtures/banyandb/seed/schema-writer.js';
import type {Cell} from '../../../fixtures/banyandb/store/cell.js';
import {between, families} from './queries.js';
import type {Started} from './start-fake.js';

export const GROUP = 'sw_metricsMinute';
export const MINUTE = 60_000;
/** The start of a minute and of a UTC day, in milliseconds. */
export const T0 = Date.UTC(2026, 0, 5);

/** A measure with every kind of tag and field that queries tell apart. */
export const MEASURE: MeasurePlan = {
  group: GROUP,
  name: 'requests_minute',
  tags: [
    {name: 'service_id', type: 'TAG_TYPE_STRING', indexed: true},
    {name: 'path', type: 'TAG_TYPE_STRING', indexed: true, analyzer: 'url'},
    {name: 'size', type: 'TAG_TYPE_INT', indexed: true, sortable: true},
    {name: 'keys', type: 'TAG_TYPE_STRING_ARRAY', indexed: true},
    {name: 'entity_id', type: 'TAG_TYPE_STRING'},
    {name: 'note', type: 'TAG_TYPE_STRING'},
  ],
  fields: [
    {name: 'value', type: 'FIELD_TYPE_INT'},
    {name: 'double_value', type: 'FIELD_TYPE_DATA_BINARY'},
  ],
  entity: ['entity_id'],
  interval: '1m',
};

export interface SampleRow {
  readonly entity: string;
  /** Minutes after `T0`. */
  readonly minute?: number;
  readonly value?: number | bigint;
  readonly tags?: Readonly<Record<string, Cell>>;
}

export async function writeSamples({schemas, rows}: Started, samples: readonly SampleRow[]): Promise<void> {
  await schemas.group(GROUP, {catalog: 'CATALOG_MEASURE', shards: 2, segmentDays: 1, ttlDays: 7});
  await schemas.measure(MEASURE);
  const points = samples.map(({entity, minute = 0, value = 0, tags = {}}) => ({
    time: T0 + minute * MINUTE,
    tags: {entity_id: entity, ...tags},
    fields: [BigInt(value), Buffer.alloc(8)],
  }));
  await rows.points(MEASURE, points);
}

/** Asks for the entity and the value of everything around `T0`, unless told otherwise. */
export function ask(more: OutgoingMessage<MeasureQueryRequest> = {}): OutgoingMessage<MeasureQueryRequest> {
  return {
    groups: [GROUP],
    name: MEASURE.name,
    time_range: between(T0, T0 + 1440 * MINUTE),
    tag_projection: families({'storage-only': ['entity_id']}),
    field_projection: {names: ['value']},
    limit: 100_000,
    ...more,
  };
}
