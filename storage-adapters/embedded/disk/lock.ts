import {closeSync, constants, existsSync, openSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pid} from 'node:process';
import {GatewayError} from '../../../core/api/adapter.js';
import {FILE_MODE, HOLDER, LOCK} from './folder.js';
import {type Database, isBusy, openFile} from './sqlite.js';
import {storageError} from './storage-error.js';

/** Beside the number of the process: the file goes when the folder is closed in order. */
const IS_OPEN = 'open';

/**
 * Keeps others off the folder for as long as it is held. The lock is that of the operating system on a small database
 * of its own, so it ends with the process, however that dies; a file beside it only tells the name of the holder.
 */
export class FolderLock {
  readonly #database: Database;
  readonly #holder: string;
  /** The folder was held before. */
  readonly wasUsed: boolean;
  /** Whoever held the folder before has died rather than closed it. */
  readonly wasOpen: boolean;

  private constructor(database: Database, holder: string, wasUsed: boolean) {
    this.#database = database;
    this.wasUsed = wasUsed;
    this.#holder = holder;
    this.wasOpen = read(holder)[1] === IS_OPEN;
    // Whatever stands there is removed, never written through: it may be a link to something else.
    rmSync(holder, {force: true});
    writeFileSync(holder, `${pid}\n${IS_OPEN}\n`, {flag: 'wx', mode: FILE_MODE});
  }

  static acquire(folder: string): FolderLock {
    const file = join(folder, LOCK);
    const holder = join(folder, HOLDER);
    let database: Database | undefined;
    try {
      const wasUsed = existsSync(file);
      // Never one that is there: to close a file ends the locks that this process has on it.
      if (!wasUsed) closeSync(openSync(file, 'wx', FILE_MODE));
      database = openFile(file, {timeout: 0});
      database.exec('BEGIN EXCLUSIVE');
      return new FolderLock(database, holder, wasUsed);
    } catch (error) {
      database?.close();
      if (!isBusy(error)) {
        throw storageError(error, file);
      }
      throw new GatewayError(
        'storage_failed',
        `the folder ${folder} of the embedded storage is held by process ${read(holder)[0] ?? 'unknown'}; stop that process first, or choose another path`,
        {cause: error},
      );
    }
  }

  /** `closed` is false when the database could not be closed in order. */
  release(closed: boolean): void {
    if (closed) rmSync(this.#holder, {force: true});
    this.#database.close();
  }
}

/** The process that holds the folder, and whether it is still open. */
function read(file: string): readonly string[] {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    return readFileSync(descriptor, 'utf8').split('\n');
  } catch {
    return [];
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
