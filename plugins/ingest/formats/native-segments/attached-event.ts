import type {AttachedEvent, Instant} from '../../../../core/api/plugin.js';
import type {RecordObject} from '../json/record-object.js';
import {readKeyValues} from './key-values.js';

/** Nanoseconds since the epoch of this many seconds fit 64 bits with a sign. */
const GREATEST_SECONDS = 9_223_372_036n;

const GREATEST_NANOS = 999_999_999;

export function readAttachedEvent(event: RecordObject): AttachedEvent {
  const startTime = readInstant(event, 'startTime') ?? event.refuse('startTime', 'missing');
  return {
    startTime,
    endTime: readInstant(event, 'endTime') ?? startTime,
    event: event.name('event'),
    tags: readKeyValues(event, 'tags'),
    summary: event.objects('summary').map(each => ({key: each.name('key'), value: each.int64('value')})),
  };
}

function readInstant(event: RecordObject, key: string): Instant | undefined {
  const instant = event.object(key);
  if (instant === undefined) return undefined;
  const seconds = instant.int64('seconds');
  if (seconds < 0n || seconds > GREATEST_SECONDS) {
    instant.refuse('seconds', `found ${seconds}, expected seconds from 0 to ${GREATEST_SECONDS}`);
  }
  return {seconds, nanos: instant.integer('nanos', 0, GREATEST_NANOS)};
}
