import type {RecordedRow} from './recorder.js';
import type {SeriesTable} from './series-table.js';
import {varintSize, WireWriter, writeVarint} from './wire-writer.js';

/** Field numbers of the messages that are written here, by hand because there are very many metrics in one answer. */
export const METRIC = {name: 1, labels: 2, value: 3, description: 4, timestamp: 5, type: 6} as const;
export const ENTRY = {key: 1, value: 2} as const;
const ANSWER = {metrics: 1, timestamp: 2} as const;
const TIMESTAMP = {seconds: 1, nanos: 2} as const;

const VALUE_TAG = (METRIC.value << 3) | 1;
const VALUE_SIZE = 9;
const METRICS_TAG = (ANSWER.metrics << 3) | 2;

export interface MetricsMessage {
  /** Bytes of the message, known before anything is written. */
  readonly size: number;
  write(): Buffer;
}

/**
 * The answer to a request for metrics, `StreamMetricsRequest` on the wire. `isWindow`: each metric carries its time;
 * otherwise it is as of `now`.
 */
export function metricsMessage(
  table: SeriesTable,
  rows: readonly RecordedRow[],
  {isWindow, now}: {readonly isWindow: boolean; readonly now: number},
): MetricsMessage {
  const answered = timestampField(ANSWER.timestamp, now);
  const times = rows.map(({time}) => (isWindow ? timestampField(METRIC.timestamp, time) : NOTHING));
  let size = answered.length;
  rows.forEach(({series}, row) => {
    const rest = VALUE_SIZE + (times[row]?.length ?? 0);
    for (const number of series) {
      const length = table.lengthOf(number) + rest;
      size += 1 + varintSize(length) + length;
    }
  });
  return {size, write: () => write(table, rows, times, answered, size)};
}

const NOTHING = new Uint8Array();

function write(
  table: SeriesTable,
  rows: readonly RecordedRow[],
  times: readonly Uint8Array[],
  answered: Uint8Array,
  size: number,
): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  bytes.set(answered, 0);
  let at = answered.length;
  rows.forEach(({series, values}, row) => {
    const time = times[row] ?? NOTHING;
    for (let i = 0; i < series.length; i++) {
      const number = series[i] as number;
      bytes[at++] = METRICS_TAG;
      at = writeVarint(bytes, at, table.lengthOf(number) + VALUE_SIZE + time.length);
      at = table.copyTo(bytes, at, number);
      bytes[at++] = VALUE_TAG;
      at = bytes.writeDoubleLE(values[i] as number, at);
      bytes.set(time, at);
      at += time.length;
    }
  });
  return bytes;
}

function timestampField(field: number, milliseconds: number): Uint8Array {
  const seconds = Math.floor(milliseconds / 1000);
  const writer = new WireWriter();
  const start = writer.open(field);
  writer.integer(TIMESTAMP.seconds, seconds);
  writer.integer(TIMESTAMP.nanos, Math.round((milliseconds - seconds * 1000) * 1e6));
  writer.close(start);
  return writer.copy();
}
