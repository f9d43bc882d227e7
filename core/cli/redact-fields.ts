import {pino} from 'pino';
import type {LogFields} from '../api/telemetry.js';
import {redactText} from '../config/redact.js';

/** Errors hold errors, and what client libraries add to them; nothing that is worth a line lies deeper. */
const DEPTH = 8;

/** Fields of a log line without credentials, those of errors and of their causes too. */
export function redactFields(fields: LogFields): LogFields {
  return redacted(fields, DEPTH) as LogFields;
}

function redacted(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '…';
  const below = (item: unknown) => redacted(item, depth - 1);
  if (value instanceof Error) return below({...pino.stdSerializers.err(value)});
  if (Array.isArray(value)) return value.map(below);
  if ('toJSON' in value && typeof value.toJSON === 'function') return below(value.toJSON());
  // Clients and sockets, which libraries hang on their errors, are no news, and hold passwords.
  if (!isPlain(value)) return `[${value.constructor.name}]`;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, below(item)]));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
