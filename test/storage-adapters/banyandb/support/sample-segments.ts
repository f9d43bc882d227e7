import type {
  OutgoingMessage,
  TraceQueryRequest,
  TraceQueryResponse,
} from '../../../../storage-adapters/banyandb/proto/methods.js';
import type {Span} from '../../../fixtures/banyandb/seed/row-writer.js';
import {segmentPlan} from '../../../fixtures/banyandb/seed/segment-seed.js';
import type {Cell} from '../../../fixtures/banyandb/store/cell.js';
import type {Started} from './start-fake.js';

export const TRACE_GROUP = 'sw_trace';
export const PLAN = segmentPlan(TRACE_GROUP);
/** Noon of a UTC day, in milliseconds. */
export const NOON = Date.UTC(2026, 0, 5, 12);

export interface SegmentRow {
  readonly trace: string;
  readonly segment?: string;
  /** Milliseconds after noon. */
  readonly at?: number;
  readonly service?: string;
  readonly error?: boolean;
  readonly latency?: number;
  readonly tags?: readonly string[];
}

function span({
  trace,
  segment = `${trace}.1`,
  at = 0,
  service = 'a',
  error = false,
  latency = 0,
  tags,
}: SegmentRow): Span {
  const cells: Readonly<Record<string, Cell>> = {
    trace_id: trace,
    segment_id: segment,
    service_id: service,
    start_time: NOON + at,
    latency: BigInt(latency),
    is_error: error ? 1n : 0n,
    tags: tags ?? null,
  };
  return {tags: cells, payload: Buffer.from(segment)};
}

export async function writeSegments({schemas, rows}: Started, segments: readonly SegmentRow[]): Promise<void> {
  await schemas.group(TRACE_GROUP, {catalog: 'CATALOG_TRACE', shards: 2, segmentDays: 1, ttlDays: 3});
  await schemas.trace(PLAN);
  await rows.spans(PLAN, segments.map(span));
}

export function askTraces(more: OutgoingMessage<TraceQueryRequest> = {}): OutgoingMessage<TraceQueryRequest> {
  return {
    groups: [TRACE_GROUP],
    name: PLAN.name,
    order_by: {index_rule_name: 'start_time', sort: 'SORT_DESC'},
    limit: 100_000,
    ...more,
  };
}

export const idsOf = ({traces}: TraceQueryResponse): readonly string[] => traces.map(({trace_id}) => trace_id);
