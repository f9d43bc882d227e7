import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Readers, StorageAdapter} from '../../core/api/adapter.js';
import {Problems} from '../../core/config/config-error.js';
import {validate} from '../../core/config/validate.js';
import clickhouse from '../../storage-adapters/clickhouse/adapter.js';
import type {ClickHouseConfig} from '../../storage-adapters/clickhouse/config.js';
import {makeOwner} from '../../test/support/owner.js';
import {type ClickHouseServer, startClickHouse} from '../../test/support/servers/clickhouse.js';
import {call, silent, unmetered} from './embedded.js';
import {ROOT, type RunningProcess, readyLine, start} from './processes.js';

/** The server on the data that an earlier run has left in the folder, or on none. */
export async function startServer(folder: string): Promise<{server: ClickHouseServer; stop(): Promise<void>}> {
  const {owner, end} = makeOwner();
  await mkdir(folder, {recursive: true});
  const server = await startClickHouse(owner, {data: join(folder, 'clickhouse')});
  const stop = async (): Promise<void> => {
    await server.process.stop();
    await end();
  };
  return {server, stop};
}

const configFor = (url: string) => ({urls: [url], database: 'gateway'});

/** The adapter itself, without a gateway around it. */
export async function openClickHouse(url: string): Promise<{adapter: StorageAdapter; readers: Readers}> {
  const problems = new Problems();
  const context = {environment: {}, folder: ROOT, problems};
  const config = validate(clickhouse.configSchema, configFor(url), 'config', context) as ClickHouseConfig;
  problems.throwIfAny();
  const adapter = clickhouse.create({config, log: silent, meter: unmetered});
  return {adapter, readers: await adapter.start(call.signal)};
}

export interface GatewayUrls {
  readonly metrics: string;
  readonly traces: string;
}

/** Starts the real program over the server, on free ports. */
export async function startGatewayOver(url: string, folder: string): Promise<RunningProcess & GatewayUrls> {
  const address = {host: '127.0.0.1', port: 0};
  const config = {
    listeners: {metrics: address, traces: address},
    storage: {use: 'clickhouse', config: configFor(url)},
    plugins: [
      {use: 'promql-subset', listener: 'metrics'},
      {use: 'traceql-compat', listener: 'traces', enabled: true},
      {use: 'traceql-native', listener: 'traces', enabled: true},
    ],
  };
  const file = join(folder, 'gateway.config.json');
  await writeFile(file, JSON.stringify(config));
  const child = start(process.execPath, [join(ROOT, 'dist/core/cli/main.js'), 'serve', '--config', file], folder);
  const ready = await readyLine<{listeners: GatewayUrls}>(child);
  return Object.assign(child, ready.listeners);
}
