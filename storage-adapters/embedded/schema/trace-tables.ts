import {TRACE_MODEL_NAMES, type TraceModelName} from '../../../core/toolkit/traces/model.js';

/**
 * The tables of one trace model.
 *
 * `traces` numbers the traces in the order of their arrival; `start` and `end` (microseconds) are those of the whole
 * trace, and `hour` is the last in which something of it happened, which retention goes by; within an hour, traces are
 * found by their duration. `units` keeps the fragments beside their trace; `row` numbers them for the index, and is 0
 * for one without a time, which no search finds.
 *
 * The index is made of *blocks*. A block belongs to the fragments of consecutive rows, numbers their spans by start
 * time (the *ordinal*), and never changes, but for the bits of fragments that have been replaced or removed since. Each
 * commit appends a block; neighbours are merged into larger ones in the background. `state` is 1 for a block that
 * counts, 0 for one that is being made or awaits removal. `columns` has one value per ordinal (see `Column`), and
 * `postings` says which ordinals have a value of an attribute: as long as a block's spans are numbered by time, that is
 * also when it was first seen, in `first`. Most rows have several values, packed (see `PostingPacker`).
 */
function tables(model: TraceModelName): string {
  return `
CREATE TABLE ${model}_traces (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, start INTEGER, "end" INTEGER,
  hour INTEGER NOT NULL);
${durationIndex(model)}
CREATE TABLE ${model}_units (trace INTEGER NOT NULL, identity TEXT NOT NULL, row INTEGER NOT NULL, start INTEGER,
  "end" INTEGER, body ${model === 'otlp' ? 'BLOB' : 'TEXT'} NOT NULL, PRIMARY KEY (trace, identity)) WITHOUT ROWID;
CREATE TABLE ${model}_blocks (id INTEGER PRIMARY KEY AUTOINCREMENT, state INTEGER NOT NULL, first INTEGER NOT NULL,
  last INTEGER NOT NULL, spans INTEGER NOT NULL, units INTEGER NOT NULL, dead INTEGER NOT NULL, start INTEGER NOT NULL,
  "end" INTEGER NOT NULL);
CREATE INDEX ${model}_blocks_by_row ON ${model}_blocks (state, first);
CREATE TABLE ${model}_columns (block INTEGER NOT NULL, name INTEGER NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY (block, name)) WITHOUT ROWID;
CREATE TABLE ${model}_postings (block INTEGER NOT NULL, attribute TEXT NOT NULL, value TEXT NOT NULL,
  first INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (block, attribute, value)) WITHOUT ROWID;
`;
}

/**
 * The fragments of a trace to which nothing has come for a while move from `units` into packs: some of them in one row,
 * compressed together (see `encodePack`). `rows` are theirs, as varints; `start` and `end` those of all of them. What they are
 * compressed with stands in `dictionaries`: a trace has the last one with a `first` of no more than its number.
 */
function packTables(model: TraceModelName): string {
  return `
CREATE TABLE ${model}_packs (trace INTEGER NOT NULL, part INTEGER NOT NULL, rows BLOB NOT NULL, start INTEGER,
  "end" INTEGER, data BLOB NOT NULL, PRIMARY KEY (trace, part)) WITHOUT ROWID;
CREATE TABLE ${model}_dictionaries (id INTEGER PRIMARY KEY AUTOINCREMENT, first INTEGER NOT NULL UNIQUE, data BLOB NOT NULL);
`;
}

/**
 * The first spans of traces of OTLP as they were sent (see `ChunkEncoder`), until they are packed: those of a batch, whose
 * traces have consecutive numbers, from `first` to `last`. A row for each of them would cost more than all else of a span.
 * What comes to such a trace later stands in `units`.
 */
export const CHUNK_SCHEMA =
  'CREATE TABLE otlp_chunks (first INTEGER PRIMARY KEY, last INTEGER NOT NULL, data BLOB NOT NULL);';

/** What a search by duration reads stands in the index itself. */
function durationIndex(model: TraceModelName): string {
  return `CREATE INDEX ${model}_traces_by_duration ON ${model}_traces (hour, "end" - start, start, "end");`;
}

/** Before there were traces of OTLP, traces were found by their hour alone. */
export const DURATION_INDEXES = (['compat', 'native'] as const)
  .map(model => `DROP INDEX ${model}_traces_by_hour;\n${durationIndex(model)}\n`)
  .join('');

export const TRACE_SCHEMA = TRACE_MODEL_NAMES.map(tables).join('');

export const PACK_SCHEMA = TRACE_MODEL_NAMES.map(packTables).join('');

/** What a database that has the other traces lacks. */
export const OTLP_SCHEMA = tables('otlp');
