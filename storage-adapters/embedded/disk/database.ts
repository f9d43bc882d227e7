import {closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync} from 'node:fs';
import {dirname} from 'node:path';
import {GatewayError} from '../../../core/api/adapter.js';
import {CHUNK_SCHEMA, DURATION_INDEXES, OTLP_SCHEMA, PACK_SCHEMA, TRACE_SCHEMA} from '../schema/trace-tables.js';
import {databaseFile, FILE_MODE} from './folder.js';
import {type Database, type Options, openFile} from './sqlite.js';
import {storageError} from './storage-error.js';

export type {Database} from './sqlite.js';

/** "QGtw": marks the file as ours, so that a foreign database is never written to. */
const APPLICATION_ID = 0x51477477;
/**
 * 1 had no traces, 2 no index of their durations, 3 a row for each value in their index, 4 minutes without
 * checksums and partial aggregates with rounded sums, 5 no traces of OTLP, 6 no packs, and 7 no chunks.
 */
const SCHEMA_VERSION = 8;
const PAGE_SIZE = 8192;
/** Pages of the newest minutes change with every batch: the longer a checkpoint waits, the fewer times they are copied. */
const PAGES_PER_CHECKPOINT = 4000;
const TIMEOUT = 5000;
const MMAP_BYTES = 2_147_418_112;

/**
 * `hot` takes minutes as they come; compaction turns each closed hour into a row of `minutes`, a partial aggregate in
 * the row of its day in `hours`, and a partial aggregate in `days`. While `hot` holds a value it wins over `minutes`,
 * and the hour's and the day's partial aggregates are made anew from both. The key of `hot`, the unmerged rows, begins
 * with the time because that is the order of arrival: keyed by series first, every insert would touch a page of its
 * own.
 */
const SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE metrics (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, definition TEXT NOT NULL, rollups TEXT NOT NULL);
CREATE TABLE entities (id INTEGER PRIMARY KEY, scope TEXT NOT NULL, names TEXT NOT NULL, first INTEGER, last INTEGER);
CREATE TABLE series (id INTEGER PRIMARY KEY, metric INTEGER NOT NULL, entity INTEGER NOT NULL, labels TEXT NOT NULL);
CREATE TABLE hot (metric INTEGER NOT NULL, minute INTEGER NOT NULL, series INTEGER NOT NULL, value REAL NOT NULL,
  PRIMARY KEY (metric, minute, series)) WITHOUT ROWID;
CREATE TABLE minutes (metric INTEGER NOT NULL, hour INTEGER NOT NULL, series INTEGER NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY (metric, hour, series)) WITHOUT ROWID;
CREATE TABLE hours (metric INTEGER NOT NULL, day INTEGER NOT NULL, series INTEGER NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY (metric, day, series)) WITHOUT ROWID;
CREATE TABLE days (metric INTEGER NOT NULL, stretch INTEGER NOT NULL, series INTEGER NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY (metric, stretch, series)) WITHOUT ROWID;
CREATE TABLE records (metric INTEGER NOT NULL, service INTEGER NOT NULL, time INTEGER NOT NULL, digest BLOB NOT NULL,
  entity INTEGER NOT NULL, value REAL NOT NULL, content TEXT NOT NULL, trace TEXT,
  PRIMARY KEY (metric, service, time, digest)) WITHOUT ROWID;
`;

/** The connection that writes; makes the database when there is none. */
export function openForWriting(folder: string, durability: 'process' | 'power'): Database {
  const file = databaseFile(folder);
  if (!existsSync(file)) create(file);
  return open(folder, {fileMustExist: true}, database => {
    checkOwner(database, databaseFile(folder));
    database.pragma(`synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'}`);
    database.pragma(`wal_autocheckpoint = ${PAGES_PER_CHECKPOINT}`);
    database.pragma('journal_size_limit = 67108864');
    database.pragma('cache_size = -32000');
  });
}

/** `timeout`: for how many milliseconds a read waits for a lock. */
export function openForReading(folder: string, timeout = TIMEOUT): Database {
  return open(folder, {readonly: true, fileMustExist: true, timeout}, database => {
    database.pragma('cache_size = -8000');
  });
}

function open(folder: string, options: Options, configure: (database: Database) => void): Database {
  let database: Database | undefined;
  try {
    database = openFile(databaseFile(folder), {timeout: TIMEOUT, ...options});
    configure(database);
    database.pragma(`mmap_size = ${MMAP_BYTES}`);
    return database;
  } catch (error) {
    database?.close();
    throw storageError(error, databaseFile(folder));
  }
}

/** Under another name until it is complete, so that a file without content is never one that was just begun. */
function create(file: string): void {
  const begun = `${file}.new`;
  let database: Database | undefined;
  try {
    for (const old of [begun, `${begun}-journal`]) rmSync(old, {force: true});
    closeSync(openSync(begun, 'wx', FILE_MODE));
    database = openFile(begun, {});
    database.pragma(`page_size = ${PAGE_SIZE}`);
    database.pragma('auto_vacuum = INCREMENTAL');
    database.exec(`BEGIN; ${SCHEMA} ${TRACE_SCHEMA} ${PACK_SCHEMA} ${CHUNK_SCHEMA}
      PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
    database.close();
    renameSync(begun, file);
    const folder = openSync(dirname(file), 'r');
    fsyncSync(folder);
    closeSync(folder);
  } catch (error) {
    database?.close();
    throw storageError(error, file);
  }
}

/** Refuses a database of another program. */
export function checkIsOurs(database: Database, file: string): void {
  if (database.pragma('application_id', {simple: true}) === APPLICATION_ID) return;
  throw new GatewayError(
    'storage_failed',
    `the file ${file} is a database of another program; choose another folder as the path of the embedded storage`,
  );
}

function checkOwner(database: Database, file: string): void {
  checkIsOurs(database, file);
  const version = database.pragma('user_version', {simple: true}) as number;
  if (version > SCHEMA_VERSION || version < 1) {
    throw new GatewayError(
      'storage_failed',
      `the database ${file} has the schema version ${version}, and this gateway knows version ${SCHEMA_VERSION}; run the version of the gateway that wrote it, or a later one`,
    );
  }
  database.pragma('journal_mode = WAL');
  if (version < SCHEMA_VERSION) migrate(database, version);
}

/** Brings a database of an earlier version up to date, as a whole or not at all. */
function migrate(database: Database, version: number): void {
  database.transaction(() => {
    if (version === 1) database.exec(TRACE_SCHEMA);
    else if (version < 6) database.exec(OTLP_SCHEMA);
    if (version === 2) database.exec(DURATION_INDEXES);
    if (version < 7) database.exec(PACK_SCHEMA);
    database.exec(CHUNK_SCHEMA);
    // Rows of the index with one value, minutes without a checksum and partial aggregates without a remainder are read
    // as before.
    database.pragma(`user_version = ${SCHEMA_VERSION}`);
  })();
}
