import type {status} from '@grpc/grpc-js';
import type {ExecutionContext} from 'ava';
import type {
  ConditionBinaryOp,
  Criteria,
  FieldValue,
  OutgoingMessage,
  TagFamily,
  TagProjection,
  TagValue,
  TimeRange,
} from '../../../../storage-adapters/banyandb/proto/methods.js';
import {toTimestamp} from '../../../../storage-adapters/banyandb/proto/timestamp.js';
import {DirectClient} from '../../../fixtures/banyandb/client.js';
import {FakeBanyanDB, type FakeOptions} from '../../../fixtures/banyandb/fake.js';
import {Seeder} from '../../../fixtures/banyandb/seed/seeder.js';

export const MINUTE = 60_000;
export const DAY = 1440 * MINUTE;
/** The start of a segment of fifteen days and of a UTC day, in milliseconds. */
export const T0 = 1380 * 15 * DAY;

export async function started(t: ExecutionContext, options: FakeOptions = {}) {
  const fake = await FakeBanyanDB.start(options);
  const client = new DirectClient(fake.endpoints[0] ?? '');
  t.teardown(() => {
    client.close();
    fake.stop();
  });
  Seeder.open(fake);
  return {client, database: fake.database};
}

export async function refuses(t: ExecutionContext, call: Promise<unknown>, code: status, text: RegExp): Promise<void> {
  const error = (await t.throwsAsync(call)) as unknown as {readonly code: status; readonly details: string};
  t.is(error.code, code, error.details);
  t.regex(error.details, text);
}

export const between = (begin: number, end: number): OutgoingMessage<TimeRange> => ({
  begin: toTimestamp(begin),
  end: toTimestamp(end),
});
export const families = (names: Readonly<Record<string, readonly string[]>>): OutgoingMessage<TagProjection> => ({
  tag_families: Object.entries(names).map(([name, tags]) => ({name, tags})),
});
export const str = (value: string): OutgoingMessage<TagValue> => ({str: {value}});
export const int = (value: number): OutgoingMessage<TagValue> => ({int: {value: String(value)}});
export const strings = (...value: readonly string[]): OutgoingMessage<TagValue> => ({str_array: {value}});
export const where = (name: string, op: string, value: OutgoingMessage<TagValue>): OutgoingMessage<Criteria> => ({
  condition: {name, op: `BINARY_OP_${op}` as ConditionBinaryOp, value},
});
export const both = (left: OutgoingMessage<Criteria>, right: OutgoingMessage<Criteria>): OutgoingMessage<Criteria> => ({
  le: {op: 'LOGICAL_OP_AND', left, right},
});
export const plain = (value: TagValue | FieldValue | null | undefined): unknown =>
  value?.value === 'int' ? BigInt(value.int?.value ?? 0) : value?.value === 'str' ? value.str?.value : null;
export const tagIn = (tag_families: readonly TagFamily[], name: string): unknown =>
  plain(tag_families.flatMap(({tags}) => tags).find(({key}) => key === name)?.value);
