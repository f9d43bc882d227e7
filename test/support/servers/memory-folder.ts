import {existsSync} from 'node:fs';
import {mkdtemp, rm, statfs} from 'node:fs/promises';
import {join} from 'node:path';
import {type Owner, scratchFolder} from '../gateway.js';

const MEMORY = '/dev/shm';
/** Several servers at once take some hundred megabytes. */
const ROOM = 4 * 2 ** 30;

/**
 * A folder for the data of a server, in memory where the system has room there: what a server makes and removes for small
 * tests, thousands of files a minute, costs the file system of a disk more than the server itself. What servers are said to
 * survive here is the end of their process. Removed at the end of its owner.
 */
export async function memoryFolder(t: Owner): Promise<string> {
  if (!(await hasRoom())) return scratchFolder(t);
  const folder = await mkdtemp(join(MEMORY, 'query-gateway-'));
  t.teardown(() => rm(folder, {recursive: true, force: true}));
  return folder;
}

async function hasRoom(): Promise<boolean> {
  if (!existsSync(MEMORY)) return false;
  const {bavail, bsize} = await statfs(MEMORY);
  return bavail * bsize >= ROOM;
}
