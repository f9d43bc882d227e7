import type {
  ConditionBinaryOp,
  Criteria,
  FieldValue,
  OutgoingMessage,
  Tag,
  TagFamily,
  TagProjection,
  TagValue,
  TimeRange,
} from '../../../../storage-adapters/banyandb/proto/methods.js';
import {toTimestamp} from '../../../../storage-adapters/banyandb/proto/timestamp.js';

/** Both ends in milliseconds, both included. */
export function between(begin: number, end: number): OutgoingMessage<TimeRange> {
  return {begin: toTimestamp(begin), end: toTimestamp(end)};
}

export function families(names: Readonly<Record<string, readonly string[]>>): OutgoingMessage<TagProjection> {
  return {tag_families: Object.entries(names).map(([name, tags]) => ({name, tags}))};
}

/** `str('x')` and the like: a value for a condition. */
export const str = (value: string): OutgoingMessage<TagValue> => ({str: {value}});
export const int = (value: number | bigint): OutgoingMessage<TagValue> => ({int: {value: String(value)}});
export const strings = (...value: readonly string[]): OutgoingMessage<TagValue> => ({str_array: {value}});

type Operator = 'EQ' | 'NE' | 'LT' | 'GT' | 'LE' | 'GE' | 'HAVING' | 'NOT_HAVING' | 'IN' | 'NOT_IN' | 'MATCH';

export function where(name: string, op: Operator, value: OutgoingMessage<TagValue>): OutgoingMessage<Criteria> {
  return {condition: {name, op: `BINARY_OP_${op}` satisfies ConditionBinaryOp, value}};
}

/** A tree that leans to the left, as clients send it. */
export function all(...criteria: readonly OutgoingMessage<Criteria>[]): OutgoingMessage<Criteria> {
  return criteria.reduce((left, right) => ({le: {op: 'LOGICAL_OP_AND', left, right}}));
}

export function either(left: OutgoingMessage<Criteria>, right: OutgoingMessage<Criteria>): OutgoingMessage<Criteria> {
  return {le: {op: 'LOGICAL_OP_OR', left, right}};
}

/** A decoded value as plain data: an integer becomes a bigint, bytes base64. */
export function plain(value: TagValue | FieldValue | null): unknown {
  if (value?.value === 'int') return BigInt(value.int?.value ?? 0);
  if (value?.value === 'str') return value.str?.value;
  if (value?.value === 'binary_data') return Buffer.from(value.binary_data ?? []).toString('base64');
  if (value === null || value.value === 'null') return null;
  if (value.value === 'str_array') return value.str_array?.value;
  return value;
}

/** Tags by name, whatever their family. */
export function tagsOf({
  tag_families,
}: {
  readonly tag_families: readonly TagFamily[];
}): Readonly<Record<string, unknown>> {
  return plainTags(tag_families.flatMap(({tags}) => tags));
}

export function plainTags(tags: readonly Tag[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(tags.map(({key, value}) => [key, plain(value)]));
}
