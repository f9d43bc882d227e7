import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pid} from 'node:process';
import {GatewayError} from '../../../core/api/adapter.js';
import {type Database, isBusy, openFile} from './sqlite.js';
import {storageError} from './storage-error.js';

/**
 * Keeps others off the folder for as long as it is held. The lock is that of the operating system on a small database
 * of its own, so it ends with the process, however that dies; a file beside it only tells the name of the holder.
 */
export class FolderLock {
  readonly #database: Database;

  private constructor(database: Database) {
    this.#database = database;
  }

  static acquire(folder: string): FolderLock {
    const file = join(folder, 'lock.db');
    const holder = join(folder, 'lock.pid');
    let database: Database | undefined;
    try {
      database = openFile(file, {timeout: 0});
      database.exec('BEGIN EXCLUSIVE');
      writeFileSync(holder, `${pid}\n`);
      return new FolderLock(database);
    } catch (problem) {
      database?.close();
      if (!isBusy(problem)) {
        throw storageError(problem, file);
      }
      throw new GatewayError(
        'storage_failed',
        `The folder ${folder} of the embedded storage is held by process ${nameOf(holder)}. Stop that process first, or choose another path.`,
        {cause: problem},
      );
    }
  }

  release(): void {
    this.#database.close();
  }
}

function nameOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return 'unknown';
  }
}
