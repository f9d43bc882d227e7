import type {AttachedEvent, NativeSpan, NativeTrace, Segment} from '../../../core/api/adapter.js';
import {nativeModel} from '../../../core/toolkit/traces/native-model.js';
import type {ClickHouseTraceModel} from './model.js';

/** JSON has no 64-bit integers: in a stored text, those of events are text. */
type Stored<T> = T extends bigint ? string : T extends object ? {readonly [Key in keyof T]: Stored<T[Key]>} : T;
type StoredEvent = Stored<AttachedEvent>;
type StoredSpan = Omit<NativeSpan, 'attachedEvents'> & {readonly attachedEvents: readonly StoredEvent[]};
type StoredSegment = Omit<Segment, 'spans'> & {readonly spans: readonly StoredSpan[]};

export const clickHouseNativeModel: ClickHouseTraceModel<Segment, NativeTrace> = {
  ...nativeModel,
  hasResources: false,
  encode: segment => JSON.stringify(segment, (_key, value) => (typeof value === 'bigint' ? String(value) : value)),

  decode(body) {
    // Changed in place: a copy of every span would take as long as parsing it.
    const segment = JSON.parse(body.toString()) as StoredSegment;
    for (const span of segment.spans as unknown as {attachedEvents: readonly unknown[]}[]) {
      if (span.attachedEvents.length > 0) span.attachedEvents = (span.attachedEvents as StoredEvent[]).map(decodeEvent);
    }
    return segment as unknown as Segment;
  },

  valuesOf: text => [text],
};

function decodeEvent({startTime, endTime, event, tags, summary}: StoredEvent): AttachedEvent {
  const instant = ({seconds, nanos}: StoredEvent['startTime']) => ({seconds: BigInt(seconds), nanos});
  return {
    startTime: instant(startTime),
    endTime: instant(endTime),
    event,
    tags,
    summary: summary.map(({key, value}) => ({key, value: BigInt(value)})),
  };
}
