import {TRACE_MODEL_NAMES} from '../../../core/toolkit/traces/model.js';
import type {Database} from '../disk/database.js';
import {PackStore} from '../traces/packs/pack-store.js';
import {isSound} from '../values/minute-blob.js';

export interface TableProblem {
  readonly table: string;
  readonly problem: string;
}

export function tablesOf(database: Database): readonly string[] {
  return database
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all();
}

/** What is wrong with the pages of a table and of its indexes, or with the values in it; undefined when all is sound. */
export function checkTable(database: Database, table: string): string | undefined {
  try {
    const answer = database.pragma(`quick_check("${table}")`, {simple: true}) as string;
    // A line that only tells the name of the database, as `*** in database main ***`, may come first.
    if (answer !== 'ok') return answer.split('\n').find(line => !line.startsWith('***')) ?? answer;
    if (table === 'minutes') return checkMinutes(database);
    const packed = TRACE_MODEL_NAMES.find(model => table === `${model}_packs`);
    if (packed === undefined) return undefined;
    const damaged = new PackStore(database, packed).countDamaged();
    return damaged === 0 ? undefined : `${damaged} traces have a wrong checksum`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function checkMinutes(database: Database): string | undefined {
  let damaged = 0;
  for (const blob of database.prepare<[], Buffer>('SELECT data FROM minutes').pluck().iterate()) {
    if (!isSound(blob)) damaged++;
  }
  return damaged === 0 ? undefined : `${damaged} hours of series have a wrong checksum`;
}
