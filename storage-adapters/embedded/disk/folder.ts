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
    const message = `The folder ${folder} of the embedded storage cannot be written: ${reason}.`;
    throw new GatewayError('storage_failed', message, {cause});
  }
  // A link to a database elsewhere is an operator's own choice; of the lock it would have another's file locked.
  checkFile(join(folder, DATABASE), statSync);
  for (const name of BESIDE) checkFile(join(folder, DATABASE + name), lstatSync);
  for (const name of [LOCK, `${LOCK}-journal`]) checkFile(join(folder, name), lstatSync);
}

/** One after the other from above: the recursive form of the library never ends where nothing can be made, as in /proc. */
function makeFolders(folder: string): void {
  if (isFolder(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolders(above);
  mkdirSync(folder, FOLDER_MODE);
}

function isFolder(path: string): boolean {
  const found = statSync(path, {throwIfNoEntry: false});
  if (found !== undefined) {
    if (found.isDirectory()) return true;
    throw new Error(`ENOTDIR: ${path} is ${kindOf(found)}`);
  }
  const link = lstatSync(path, {throwIfNoEntry: false});
  if (link !== undefined) throw new Error(`ENOENT: ${path} is a symbolic link to nothing`);
  return false;
}

/** The opening of what is no plain file may wait for ever, or have effects of its own. */
function checkFile(file: string, look: typeof lstatSync): void {
  const found = lstatSync(file, {throwIfNoEntry: false});
  if (found === undefined) return;
  const target = look(file, {throwIfNoEntry: false});
  if (target?.isFile()) return;
  const what = target === undefined ? 'a symbolic link to nothing' : kindOf(target);
  const message = `The database ${file} failed: it cannot be opened, because it is ${what} and no plain file. Move it away, or choose another path of the embedded storage.`;
  throw new GatewayError('storage_failed', message);
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a named pipe';
  if (found.isSocket()) return 'a socket';
  if (found.isSymbolicLink()) return 'a symbolic link';
  return found.isFile() ? 'a file' : 'a device';
}
