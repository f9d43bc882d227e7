import {createRequire} from 'node:module';
import type Library from 'better-sqlite3';
import {GatewayError} from '../../../core/api/adapter.js';

export type {Database, Options} from 'better-sqlite3';

const NAME = 'better-sqlite3';
const require = createRequire(import.meta.url);

/**
 * Opens a database file. The library is an optional dependency with a compiled part, and a gateway over another storage
 * must start where either is missing: so it is loaded here, at the first use, and nowhere else.
 */
export function openFile(file: string, options: Library.Options): Library.Database {
  let SqliteDatabase: typeof Library;
  try {
    SqliteDatabase = require(NAME) as typeof Library;
  } catch (error) {
    throw unusable(error);
  }
  try {
    return new SqliteDatabase(file, options);
  } catch (error) {
    // The compiled part is loaded with the first database.
    throw isOfBinding(error) ? unusable(error) : error;
  }
}

/** Another connection holds the lock of the file. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}

function isOfBinding(error: unknown): boolean {
  const {message} = error as Error;
  return ['ERR_DLOPEN_FAILED', 'MODULE_NOT_FOUND'].includes(codeOf(error)) || /bindings file/.test(message);
}

const REBUILD = `run npm rebuild ${NAME}`;
const NEEDS = 'where no prebuilt binary can be fetched that needs g++, make and python3';

function unusable(error: unknown): GatewayError {
  const {message} = error as Error;
  let reason = `its compiled part does not load (${message.split('\n')[0]}): ${REBUILD}`;
  if (message.includes(`module '${NAME}'`)) {
    reason = `it is not installed: run npm install ${NAME}, and where scripts are switched off npm rebuild ${NAME}`;
  } else if (message.includes('bindings file')) {
    reason = `its compiled part is missing: ${REBUILD}`;
  } else if (message.includes('NODE_MODULE_VERSION')) {
    reason = `its compiled part was made for another version of Node.js: ${REBUILD}`;
  }
  const text = `the embedded storage needs the package ${NAME}, and ${reason}; ${NEEDS}; other storages do without it`;
  return new GatewayError('storage_failed', text, {cause: error});
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
