import type {OtlpAttribute, OtlpResource, OtlpValue} from './otlp-span.js';

/**
 * What a value is in a search: a text and a type. Conditions compare the text alone, so that `200` finds the integer and
 * the text; lists of values tell the types apart, so that a client can write a literal of the right one.
 */

/**
 * Types that lists tell apart, in their order. Arrays, lists of keys and values, bytes and what has no content are shown,
 * and listed, as text.
 */
export const OTLP_VALUE_TYPES = ['bool', 'double', 'int', 'string'] as const;

export type OtlpValueType = (typeof OTLP_VALUE_TYPES)[number];

export interface TypedText {
  readonly type: OtlpValueType;
  readonly text: string;
}

export function otlpValueType(value: OtlpValue): OtlpValueType {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    default:
      return 'string';
  }
}

/**
 * The text of a value. A number has the shortest decimal form that gives it back, as JavaScript writes it; bytes are in
 * base64; arrays and lists are JSON without blanks, in which what JSON has no number for is text; no content is an empty
 * text.
 */
export function otlpText(value: OtlpValue): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  if (typeof value !== 'object') return String(value);
  return value instanceof Uint8Array ? base64(value) : json(value);
}

function json(value: OtlpValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : `"${value}"`;
  if (typeof value !== 'object') return String(value);
  if (value === null) return 'null';
  if (value instanceof Uint8Array) return `"${base64(value)}"`;
  if (isOtlpArray(value)) return `[${value.map(json).join(',')}]`;
  return `{${value.entries.map(entry => `${JSON.stringify(entry.key)}:${json(entry.value)}`).join(',')}}`;
}

/** `Array.isArray` does not tell an array that is read-only from the other types. */
export function isOtlpArray(value: OtlpValue): value is readonly OtlpValue[] {
  return Array.isArray(value);
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
}

/** The value that counts where a key repeats; undefined when there is none. */
export function otlpAttribute(attributes: readonly OtlpAttribute[], key: string): OtlpValue | undefined {
  return attributes.findLast(attribute => attribute.key === key)?.value;
}

const SERVICE_KEYS = ['service.name', 'faas.name', 'k8s.deployment.name', 'process.executable.name'] as const;

/** What the spans of a resource belong to: the first of these attributes that is there and has a text. */
export function otlpServiceName({attributes}: OtlpResource): string | undefined {
  for (const key of SERVICE_KEYS) {
    const value = otlpAttribute(attributes, key);
    const text = value === undefined ? '' : otlpText(value);
    if (text !== '') return text;
  }
  return undefined;
}
