import {accessSync, constants, lstatSync, mkdirSync, type Stats, statSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {GatewayError} from '../../../core/api/adapter.js';

/** Only the owner may look into the folder and read its files: they hold what users did. */
const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

export const DATABASE = 'gateway.db';
export const LOCK = 'lock.db';
export const HOLDER = 'lock.pid';
/** What the database keeps beside it: the log of what is not yet in the file, its index, and the journal of a migration. */
const BESIDE = ['-wal', '-shm', '-journal'];
const ADVICE = 'move it away, or choose another storage.config.path';

export function databaseFile(folder: string): string {
  return join(folder, DATABASE);
}

/** Makes the folder when it is missing, and refuses one that cannot be used, before anything is opened in it. */
export function prepareFolder(folder: string): void {
  try {
    makeFolders(resolve(folder));
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `the folder ${folder} of the embedded storage cannot be written: ${reason}; choose another storage.config.path, or mend it`;
    throw new GatewayError('storage_failed', message, {cause});
  }
  // Links too: to a database they would let two folders, each with a lock of its own, write one database, and have its log
  // looked for where it is not; of the lock, have another's file locked.
  for (const name of [DATABASE, ...BESIDE.map(end => DATABASE + end), LOCK, `${LOCK}-journal`]) {
    checkFile(join(folder, name));
  }
  checkHolder(join(folder, HOLDER));
}

/** One after the other from above: the recursive form of the library never ends where nothing can be made, as in /proc. */
function makeFolders(folder: string): void {
  if (isFolder(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolders(above);
  mkdirSync(folder, FOLDER_MODE);
}

function isFolder(path: string): boolean {
  const found = look(path, statSync);
  if (found !== undefined) {
    if (found.isDirectory()) return true;
    throw new Error(`ENOTDIR: ${path} is ${kindOf(found)} and no folder`);
  }
  if (look(path, lstatSync) !== undefined) throw new Error(`ENOENT: ${path} is a symbolic link to nothing`);
  return false;
}

/** What stands at the path; undefined when nothing does, or when what is above it is no folder. */
function look(path: string, stat: typeof lstatSync): Stats | undefined {
  try {
    return stat(path, {throwIfNoEntry: false});
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** The opening of what is no plain file may wait for ever, or have effects of its own. */
function checkFile(file: string): void {
  const found = lstatSync(file, {throwIfNoEntry: false});
  if (found === undefined || found.isFile()) return;
  const message = `the database ${file} failed: it cannot be opened, because it is ${kindOf(found)} and no plain file; ${ADVICE}`;
  throw new GatewayError('storage_failed', message);
}

/** It is never read from, but removed and made anew: that a folder alone withstands. */
function checkHolder(file: string): void {
  if (lstatSync(file, {throwIfNoEntry: false})?.isDirectory() !== true) return;
  const message = `the file ${file}, which names the process that holds the folder, cannot be made, because it is a folder; ${ADVICE}`;
  throw new GatewayError('storage_failed', message);
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a named pipe';
  if (found.isSocket()) return 'a socket';
  if (found.isSymbolicLink()) return 'a symbolic link';
  return found.isFile() ? 'a file' : 'a device';
}
