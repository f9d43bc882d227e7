import {createHash} from 'node:crypto';
import type {Transaction} from '../client/database.js';

/** What only one gateway at a time does to a schema. Each ends with its transaction. */
const KEYS = {migrations: 1, metrics: 2, traces: 3, retention: 4, otlp: 5} as const;

export type LockName = keyof typeof KEYS;

/** Waits for an advisory lock of the database, whose first half tells our schemas from each other and from other programs. */
export async function lock(transaction: Transaction, schema: string, name: LockName): Promise<void> {
  await transaction.query('SELECT pg_advisory_xact_lock($1, $2)', [spaceOf(schema), KEYS[name]]);
}

function spaceOf(schema: string): number {
  return createHash('sha256').update(`query-gateway ${schema}`).digest().readInt32BE(0);
}
