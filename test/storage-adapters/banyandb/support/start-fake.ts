import type {ExecutionContext} from 'ava';
import {DirectClient} from '../../../fixtures/banyandb/client.js';
import {FakeBanyanDB, type FakeOptions} from '../../../fixtures/banyandb/fake.js';
import {RowWriter} from '../../../fixtures/banyandb/seed/row-writer.js';
import {SchemaWriter} from '../../../fixtures/banyandb/seed/schema-writer.js';

export interface Started {
  readonly fake: FakeBanyanDB;
  /** Of the first liaison. */
  readonly client: DirectClient;
  readonly schemas: SchemaWriter;
  readonly rows: RowWriter;
}

/** A fake for one test, stopped when it ends. */
export async function startFake(t: ExecutionContext, options: FakeOptions = {}): Promise<Started> {
  const fake = await FakeBanyanDB.start(options);
  t.teardown(() => fake.stop());
  const client = connect(t, fake.endpoints[0] ?? '');
  return {fake, client, schemas: new SchemaWriter(fake.local, 0), rows: new RowWriter(fake.local)};
}

/** A client for one test, closed when it ends. */
export function connect(
  t: ExecutionContext,
  address: string,
  options: ConstructorParameters<typeof DirectClient>[1] = {},
): DirectClient {
  const client = new DirectClient(address, options);
  t.teardown(() => client.close());
  return client;
}

/** Expects a refusal with this code, and this in its text. */
export async function refuses(t: ExecutionContext, call: Promise<unknown>, code: number, text: RegExp): Promise<void> {
  const error = await t.throwsAsync(call);
  const {code: found, details} = error as unknown as {readonly code: number; readonly details: string};
  t.deepEqual({code: found, details}, {code, details});
  t.regex(details, text);
}
