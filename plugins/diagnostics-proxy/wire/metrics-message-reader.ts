import type {FamilyType} from '../../diagnostics/exposition/model.js';
import type {Timestamp} from '../../diagnostics/proto/contract.js';
import {compareTimestamps, isTime} from '../../diagnostics/proto/timestamp.js';
import {DELIMITED, FIXED64, ProtoReader, VARINT} from './proto-reader.js';

/** One metric as it came. */
export interface WireMetric {
  name: string;
  /** Names and values in turn, in the order of the message. */
  labels: string[];
  value: number;
  description: string;
  /** Of a window, the time of the sample. */
  time: Timestamp | undefined;
  /** Undefined from agents that do not say. */
  type: FamilyType | undefined;
}

/** By number on the wire; 0 is not to say. */
const TYPES: readonly (FamilyType | undefined)[] = [undefined, 'gauge', 'counter', 'histogram', 'summary'];

/**
 * A message of the stream of metrics, `StreamMetricsRequest`, read one metric at a time: such a message holds tens of
 * thousands of them, and decoding it at once would hold up everything else. Throws a `RangeError` where it is damaged.
 */
export class MetricsMessageReader {
  readonly #reader: ProtoReader;

  constructor(bytes: Buffer) {
    this.#reader = new ProtoReader(bytes);
  }

  /** When the agent sent it; undefined where that is no time. */
  time(): Timestamp | undefined {
    const reader = this.#reader;
    let time: Timestamp | undefined;
    for (reader.position = 0; reader.position < reader.end; ) {
      const tag = reader.varint();
      if (tag === ((2 << 3) | DELIMITED)) time = readTimestamp(reader);
      else reader.skip(tag & 7);
    }
    return time !== undefined && isTime(time) ? time : undefined;
  }

  *metrics(): Generator<WireMetric> {
    const reader = this.#reader;
    for (reader.position = 0; reader.position < reader.end; ) {
      const tag = reader.varint();
      if (tag === ((1 << 3) | DELIMITED)) yield readMetric(reader);
      else reader.skip(tag & 7);
    }
  }
}

function readMetric(reader: ProtoReader): WireMetric {
  const limit = reader.limit();
  const metric: WireMetric = {name: '', labels: [], value: 0, description: '', time: undefined, type: undefined};
  while (reader.position < limit) {
    const tag = reader.varint();
    if (tag === ((1 << 3) | DELIMITED)) metric.name = reader.text();
    else if (tag === ((2 << 3) | DELIMITED)) readLabel(reader, metric.labels);
    else if (tag === ((3 << 3) | FIXED64)) metric.value = reader.double();
    else if (tag === ((4 << 3) | DELIMITED)) metric.description = reader.text();
    else if (tag === ((5 << 3) | DELIMITED)) metric.time = readTimestamp(reader);
    else if (tag === ((6 << 3) | VARINT)) metric.type = typeOf(reader.varint());
    else reader.skip(tag & 7);
  }
  return metric;
}

function typeOf(number: number): FamilyType | undefined {
  return number === 0 ? undefined : (TYPES[number] ?? 'untyped');
}

function readLabel(reader: ProtoReader, labels: string[]): void {
  const limit = reader.limit();
  let name = '';
  let value = '';
  while (reader.position < limit) {
    const tag = reader.varint();
    if (tag === ((1 << 3) | DELIMITED)) name = reader.text();
    else if (tag === ((2 << 3) | DELIMITED)) value = reader.text();
    else reader.skip(tag & 7);
  }
  labels.push(name, value);
}

function readTimestamp(reader: ProtoReader): Timestamp {
  const limit = reader.limit();
  let seconds = 0;
  let nanos = 0;
  while (reader.position < limit) {
    const tag = reader.varint();
    if (tag === ((1 << 3) | VARINT)) seconds = reader.signed();
    else if (tag === ((2 << 3) | VARINT)) nanos = reader.signed();
    else reader.skip(tag & 7);
  }
  return {seconds: String(seconds), nanos};
}

/** What a command for metrics asks for. Both ends belong to the window, an absent one leaves it open; the latest values without any. */
export interface Window {
  readonly start_time?: Timestamp;
  readonly end_time?: Timestamp;
}

export function isWithin(time: Timestamp, {start_time, end_time}: Window): boolean {
  const isAfterStart = start_time === undefined || compareTimestamps(time, start_time) >= 0;
  return isAfterStart && (end_time === undefined || compareTimestamps(time, end_time) <= 0);
}

export const asksForLatest = ({start_time, end_time}: Window): boolean =>
  start_time === undefined && end_time === undefined;

/** What sizes of answers can be compared: that a small one to another kind of request fits says nothing. */
export const kindOfRequest = (command: Window): string => (asksForLatest(command) ? 'latest' : 'window');

/**
 * Whether an answer can be one to this command, as its first metric tells: those of a window have times within it, the
 * latest ones none.
 */
export function fitsCommand(command: Window, answer: Buffer): boolean {
  try {
    const [first] = new MetricsMessageReader(answer).metrics();
    if (first === undefined) return true;
    const isLatest = asksForLatest(command);
    return first.time === undefined ? isLatest : !isLatest && isWithin(first.time, command);
  } catch {
    // Whoever reads it says so.
    return true;
  }
}
