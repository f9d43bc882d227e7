import type {Timestamp} from './contract.js';
import {descriptor} from './descriptor.generated.js';
import {formatTimestamp, isTime} from './timestamp.js';

interface Field {
  readonly type: string;
  readonly id: number;
  readonly rule?: 'repeated';
  readonly keyType?: string;
}

interface Definition {
  readonly fields?: Readonly<Record<string, Field>>;
  readonly values?: Readonly<Record<string, number>>;
  readonly nested?: Readonly<Record<string, Definition>>;
}

/** Messages and enums by name without package, which is theirs alone. */
const definitions = new Map(collect(descriptor));

function collect({nested = {}}: Definition): [string, Definition][] {
  return Object.entries(nested).flatMap(([name, each]) => [[name, each] as [string, Definition], ...collect(each)]);
}

const definitionOf = (type: string): Definition => definitions.get(type.slice(type.lastIndexOf('.') + 1)) ?? {};

/**
 * A decoded message as JSON: every field under its own name in the order of the contract, enums by name, times as
 * RFC 3339, and `null` for what is absent or no time.
 */
export function toJson(type: string, message: object): object {
  const fields = Object.entries(definitionOf(type).fields ?? {}).sort(([, a], [, b]) => a.id - b.id);
  const values = message as Readonly<Record<string, unknown>>;
  return Object.fromEntries(fields.map(([name, field]) => [name, fieldToJson(field, values[name])]));
}

function fieldToJson({type, rule, keyType}: Field, value: unknown): unknown {
  if (rule === 'repeated') return (value as readonly unknown[]).map(item => valueToJson(type, item));
  return keyType === undefined ? valueToJson(type, value) : value;
}

function valueToJson(type: string, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'google.protobuf.Timestamp') {
    return isTime(value as Timestamp) ? formatTimestamp(value as Timestamp) : null;
  }
  const {fields, values} = definitionOf(type);
  if (values !== undefined) return enumName(type, value as string | number);
  return fields === undefined ? value : toJson(type, value as object);
}

/** The name of an enum's value. A value that this contract does not know yet keeps its number: `UNKNOWN_ROLE_7`. */
export function enumName(type: string, value: string | number): string {
  if (typeof value === 'string') return value;
  const words = type.slice(type.lastIndexOf('.') + 1).replace(/(?<=[a-z])(?=[A-Z])/g, '_');
  return `UNKNOWN_${words.toUpperCase()}_${value}`;
}
