import type {MetricDefinition} from '../../../core/api/adapter.js';

/** What is kept of a question or an answer to be shown. Characters. */
const LONGEST = 400;

/** A value as JSON on one line, cut to a length that can be shown. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value, plain) ?? 'nothing';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** JSON has no big integers, maps and bytes; of a metric its name says enough. */
function plain(key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Map) return Object.fromEntries(value);
  if (ArrayBuffer.isView(value)) return Array.from(value as Uint8Array);
  if (key === 'metric' && typeof value === 'object' && value !== null) return (value as MetricDefinition).name;
  return value;
}
