import {chmodSync, closeSync, existsSync, fsyncSync, openSync, readdirSync, rmSync, statSync} from 'node:fs';
import {mkdtemp, rename} from 'node:fs/promises';
import {basename, dirname, resolve, sep} from 'node:path';
import {type BackupReport, type Call, GatewayError} from '../../../core/api/adapter.js';
import type {EmbeddedConfig} from '../config.js';
import {checkIsOurs, openForReading} from '../disk/database.js';
import {databaseFile, FILE_MODE} from '../disk/folder.js';
import {openFile} from '../disk/sqlite.js';
import {storageError} from '../disk/storage-error.js';
import {checkFolder} from '../integrity/check-folder.js';

/** How much is copied before signals are looked at: 8 MiB. */
const PAGES_PER_STEP = 1024;

/**
 * Copies the database as it is at one moment into a new folder. It reads beside the gateway that has the folder, as a process
 * of its own does: one read transaction spans the whole copy, so what is written meanwhile waits in the log of the database.
 * The folder gets its name when the copy is complete, on the disk, and found to be sound.
 */
export async function backup({path}: EmbeddedConfig, target: string, {signal}: Call): Promise<BackupReport> {
  const file = databaseFile(path);
  if (!existsSync(file)) throw failure(`there is no database ${file}, so there is nothing to copy`);
  const folder = resolve(target);
  checkTarget(folder, path);
  const partial = await mkdtemp(`${folder}.partial-`).catch((error: Error) => {
    throw failure(`the folder ${dirname(folder)} cannot take the backup ${basename(folder)}: ${error.message}`);
  });
  try {
    await copy(path, databaseFile(partial), signal);
    await checkCopy(partial, file, signal);
    const bytes = statSync(databaseFile(partial)).size;
    await rename(partial, folder);
    sync(dirname(folder));
    return {bytes};
  } catch (error) {
    rmSync(partial, {recursive: true, force: true});
    throw error;
  }
}

/** An empty folder gives way, so that one may be prepared with the rights that it should have. */
function checkTarget(target: string, path: string): void {
  if (`${target}${sep}`.startsWith(`${resolve(path)}${sep}`)) {
    throw failure(`${target} lies in the folder of the storage; expected another place, such as another disk`);
  }
  const found = statSync(target, {throwIfNoEntry: false});
  if (found === undefined || (found.isDirectory() && readdirSync(target).length === 0)) return;
  throw failure(`${target} is there already; expected the name of a new folder`);
}

async function copy(path: string, to: string, signal: AbortSignal): Promise<void> {
  const source = openForReading(path);
  try {
    checkIsOurs(source, databaseFile(path));
    closeSync(openSync(to, 'wx', FILE_MODE));
    // What is read first decides on the moment.
    source.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    await source.backup(to, {
      progress() {
        signal.throwIfAborted();
        return PAGES_PER_STEP;
      },
    });
  } catch (error) {
    signal.throwIfAborted();
    throw storageError(error, to);
  } finally {
    source.close();
  }
  settle(to);
}

/** Without a log of its own, whatever becomes of the files beside it; the next start makes one. */
function settle(file: string): void {
  const database = openFile(file, {fileMustExist: true});
  database.pragma('journal_mode = DELETE');
  database.close();
  chmodSync(file, FILE_MODE);
  sync(file);
  sync(dirname(file));
}

async function checkCopy(folder: string, source: string, signal: AbortSignal): Promise<void> {
  const problems = await checkFolder(folder, signal);
  if (problems.length === 0) return;
  const list = problems.map(({table, problem}) => `${table}: ${problem}`).join('; ');
  throw failure(`the database ${source} is damaged, and so would be its copy: ${list}`);
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

function failure(message: string): GatewayError {
  return new GatewayError('storage_failed', message);
}
