import type {ConditionBinaryOp, Criteria, OutgoingMessage, TagValue, TimeRange} from '../proto/methods.js';
import {toTimestamp} from '../proto/timestamp.js';

export type RowCondition = OutgoingMessage<Criteria>;

function condition(name: string, op: ConditionBinaryOp, value: OutgoingMessage<TagValue>): RowCondition {
  return {condition: {name, op, value}};
}

export const equals = (tag: string, value: string): RowCondition => condition(tag, 'BINARY_OP_EQ', {str: {value}});

export const equalsNumber = (tag: string, value: number): RowCondition =>
  condition(tag, 'BINARY_OP_EQ', {int: {value: String(value)}});

export const isOneOf = (tag: string, value: readonly string[]): RowCondition =>
  condition(tag, 'BINARY_OP_IN', {str_array: {value}});

export const isAtLeast = (tag: string, value: number): RowCondition =>
  condition(tag, 'BINARY_OP_GE', {int: {value: String(value)}});

export const isAtMost = (tag: string, value: number): RowCondition =>
  condition(tag, 'BINARY_OP_LE', {int: {value: String(value)}});

/** Of a tag with several texts: that this is one of them. */
export const holds = (tag: string, value: string): RowCondition =>
  condition(tag, 'BINARY_OP_HAVING', {str_array: {value: [value]}});

/** All of them, as the tree that leans to the left which the server expects; null where there is none. */
export function all(conditions: readonly RowCondition[]): RowCondition | null {
  if (conditions.length === 0) return null;
  return conditions.reduce((left, right) => ({le: {op: 'LOGICAL_OP_AND', left, right}}));
}

/** Whole milliseconds since 1970, both included: so the server takes them, whatever its documentation says. */
export interface MillisRange {
  readonly begin: number;
  readonly end: number;
}

/** The server counts nanoseconds in 64 bits, which end in 2262. */
export const EVER: MillisRange = {begin: 0, end: Date.UTC(2261, 0)};

export function timeRange({begin, end}: MillisRange): OutgoingMessage<TimeRange> {
  return {begin: toTimestamp(Math.max(begin, EVER.begin)), end: toTimestamp(Math.min(end, EVER.end))};
}
