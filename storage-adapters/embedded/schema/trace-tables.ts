import type {KindName} from '../../../core/toolkit/traces/model.js';
import {KIND_NAMES} from '../../../core/toolkit/traces/models.js';

/**
 * The tables of one kind of traces.
 *
 * `traces` numbers the traces in the order of their arrival; `start` and `end` (microseconds) are those of the whole
 * trace, and `hour` is the last in which something of it happened, which retention goes by; within an hour, traces are
 * found by their duration. `units` keeps the units beside their trace; `row` numbers them for the index, and is 0 for one
 * without a time, which no search finds.
 *
 * The index is made of *blocks*. A block belongs to the units of consecutive rows, numbers their spans by start time
 * (the *ordinal*), and never changes, but for the bits of units that have been replaced or removed since. Each commit
 * appends a block; neighbours are merged into larger ones in the background. `state` is 1 for a block that counts, 0
 * for one that is being made or awaits removal. `columns` has one value per ordinal (see `Column`), and `postings` says
 * which ordinals have a value of an attribute: as long as a block's spans are numbered by time, that is also when it
 * was first seen, in `first`. Most rows have several values, packed (see `PostingPacker`).
 */
function tables(kind: KindName): string {
  return `
CREATE TABLE ${kind}_traces (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, start INTEGER, "end" INTEGER,
  hour INTEGER NOT NULL);
${durationIndex(kind)}
CREATE TABLE ${kind}_units (trace INTEGER NOT NULL, identity TEXT NOT NULL, row INTEGER NOT NULL, start INTEGER,
  "end" INTEGER, body TEXT NOT NULL, PRIMARY KEY (trace, identity)) WITHOUT ROWID;
CREATE TABLE ${kind}_blocks (id INTEGER PRIMARY KEY AUTOINCREMENT, state INTEGER NOT NULL, first INTEGER NOT NULL,
  last INTEGER NOT NULL, spans INTEGER NOT NULL, units INTEGER NOT NULL, dead INTEGER NOT NULL, start INTEGER NOT NULL,
  "end" INTEGER NOT NULL);
CREATE INDEX ${kind}_blocks_by_row ON ${kind}_blocks (state, first);
CREATE TABLE ${kind}_columns (block INTEGER NOT NULL, name INTEGER NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY (block, name)) WITHOUT ROWID;
CREATE TABLE ${kind}_postings (block INTEGER NOT NULL, attribute TEXT NOT NULL, value TEXT NOT NULL,
  first INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (block, attribute, value)) WITHOUT ROWID;
`;
}

/** What a search by duration reads stands in the index itself. */
function durationIndex(kind: KindName): string {
  return `CREATE INDEX ${kind}_traces_by_duration ON ${kind}_traces (hour, "end" - start, start, "end");`;
}

/** Before, traces were found by their hour alone. */
export const DURATION_INDEXES = KIND_NAMES.map(
  kind => `DROP INDEX ${kind}_traces_by_hour;\n${durationIndex(kind)}\n`,
).join('');

export const TRACE_SCHEMA = KIND_NAMES.map(tables).join('');
