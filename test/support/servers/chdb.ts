import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Owner} from '../gateway.js';
import {ask} from '../http.js';
import {query, USER} from './clickhouse.js';
import {memoryFolder} from './memory-folder.js';
import {freePorts} from './ports.js';
import {ServerProcess} from './server-process.js';

const MAIN = fileURLToPath(new URL('../../fixtures/chdb/main.js', import.meta.url));

export interface ChdbServer {
  readonly url: string;
  readonly process: ServerProcess;
  readonly query: (sql: string) => Promise<string>;
}

/** Starts the current ClickHouse engine behind its HTTP front; killed and removed at the end of its owner. */
export async function startChdb(t: Owner): Promise<ChdbServer> {
  const folder = await memoryFolder(t);
  const [port = 0] = await freePorts(1);
  await mkdir(join(folder, 'data'));
  const url = `http://127.0.0.1:${port}`;
  const server = new ServerProcess(t, {
    command: process.execPath,
    args: [MAIN, folder, String(port), USER.username, USER.password],
    folder,
    // Each query holds a thread of the pool.
    environment: {UV_THREADPOOL_SIZE: '32'},
    isUp: async () => (await ask(`${url}/ping`)).status === 200,
  });
  await server.start();
  return {url, process: server, query: sql => query(url, sql)};
}
