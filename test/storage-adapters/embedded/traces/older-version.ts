import type Database from 'better-sqlite3';

/** What versions before that of OTLP did not have. */
export function dropOtlp(database: Database.Database): void {
  for (const model of ['compat', 'native', 'otlp']) {
    for (const table of ['packs', 'dictionaries']) database.exec(`DROP TABLE ${model}_${table}`);
  }
  for (const table of ['chunks', 'traces', 'units', 'blocks', 'columns', 'postings'])
    database.exec(`DROP TABLE otlp_${table}`);
}
