import {closeSync, existsSync, openSync, readSync, statSync, writeSync} from 'node:fs';
import {GatewayError} from '../../../core/api/adapter.js';
import type {Finding} from './finding.js';
import type {FolderLock} from './lock.js';
import {problemOfLog} from './log-check.js';
import {type Database, openFile} from './sqlite.js';
import {storageError} from './storage-error.js';

/** Where the header of a database has the size of its pages and their number. */
const HEADER = 100;
const PAGE_SIZE_AT = 16;
const PAGE_COUNT_AT = 28;
const RESTORE = 'restore it from a copy, or move it away to begin anew';

/** What is missing of the files of a folder, before the opening of the database tidies them up. */
export function inspect(file: string, {wasUsed, wasOpen}: FolderLock): readonly Finding[] {
  const log = `${file}-wal`;
  const hasLog = (statSync(log, {throwIfNoEntry: false})?.size ?? 0) > 0;
  if (!existsSync(file)) {
    if (hasLog) throw failure(file, `it is missing, and its log ${log} is there; restore it, or remove the log`);
    if (wasOpen) return [loss(`the database ${file} was open when the gateway died, and is missing: it begins anew`)];
    return wasUsed ? [{text: `the database ${file} is no longer there: it begins anew`, isLoss: false}] : [];
  }
  if (statSync(file).size === 0) throw failure(file, `it is empty, and never is by itself; ${RESTORE}`);
  const problems = wasOpen || hasLog ? [problemOfLog(file)] : [];
  if (hasLog) takeLog(file);
  return [...problems, problemOfEnd(file)].flatMap(problem => (problem === undefined ? [] : loss(problem)));
}

/** Copies into the database what stands in the log. */
function takeLog(file: string): void {
  let database: Database | undefined;
  try {
    database = openFile(file, {fileMustExist: true});
    database.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    throw storageError(error, file);
  } finally {
    database?.close();
  }
}

/**
 * Whether the file ends before its time. With whole pages missing nothing more may be written, because they would be
 * taken for free. A last page that is cut would be read as if it held less; without its beginning reading it fails.
 */
function problemOfEnd(file: string): string | undefined {
  const descriptor = openSync(file, 'r+');
  try {
    const header = Buffer.alloc(HEADER);
    readSync(descriptor, header, 0, HEADER, 0);
    const pageSize = header.readUInt16BE(PAGE_SIZE_AT);
    const expected = pageSize * header.readUInt32BE(PAGE_COUNT_AT);
    const {size} = statSync(file);
    // Of another program, or in a form that SQLite itself refuses.
    if (!header.toString('latin1').startsWith('SQLite format 3') || size >= expected) return undefined;
    const sizes = `it has ${size} bytes and should have ${expected}`;
    if (expected - size >= pageSize) throw failure(file, `${sizes}: what is missing is lost; ${RESTORE}`);
    writeSync(descriptor, Buffer.alloc(pageSize), 0, pageSize, expected - pageSize);
    return `the end of the database ${file} is lost: ${sizes}`;
  } finally {
    closeSync(descriptor);
  }
}

function loss(text: string): Finding {
  return {text, isLoss: true};
}

function failure(file: string, reason: string): GatewayError {
  return new GatewayError('storage_failed', `the database ${file} failed: ${reason}`);
}
