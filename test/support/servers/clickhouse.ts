import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Owner} from '../gateway.js';
import {ask, encode} from '../http.js';
import {located} from '../programs.js';
import {memoryFolder} from './memory-folder.js';
import {freePorts} from './ports.js';
import {ServerProcess} from './server-process.js';

export interface ClickHousePorts {
  readonly http: number;
  readonly tcp: number;
  readonly interserver: number;
}

export interface ClickHouseOptions {
  /** Elements beside the usual ones of the server's configuration. */
  readonly config?: string;
  /** Settings of the default profile. */
  readonly settings?: Readonly<Record<string, string | number>>;
  /** Where the data is kept; a temporary folder unless given. */
  readonly data?: string;
  readonly ports?: ClickHousePorts;
}

/** The user that has a password; `default` has none. */
export const USER = {username: 'dashboard', password: 'pass:word/ü'} as const;

/** A clickhouse-server with data of its own on loopback. */
export class ClickHouseServer {
  readonly url: string;
  readonly ports: ClickHousePorts;
  readonly process: ServerProcess;

  constructor(ports: ClickHousePorts, process: ServerProcess) {
    this.url = `http://127.0.0.1:${ports.http}`;
    this.ports = ports;
    this.process = process;
  }

  /** The answer to one statement as text, tab-separated unless it names a format. Fails with the server's message. */
  async query(sql: string, settings: Readonly<Record<string, string | number>> = {}): Promise<string> {
    return query(this.url, sql, settings);
  }
}

export async function query(
  url: string,
  sql: string,
  settings: Readonly<Record<string, string | number>> = {},
): Promise<string> {
  const parameters = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));
  const {status, text} = await ask(`${url}/?${encode(parameters)}`, {method: 'POST', body: sql, ends: true});
  if (status !== 200) throw new Error(`${status}: ${text}\n${sql}`);
  return text;
}

/** Starts a server; killed and removed at the end of its owner. */
export async function startClickHouse(t: Owner, options: ClickHouseOptions = {}): Promise<ClickHouseServer> {
  const server = await prepareClickHouse(t, options);
  await server.process.start();
  return server;
}

/** A server that has not been started yet. */
export async function prepareClickHouse(t: Owner, options: ClickHouseOptions = {}): Promise<ClickHouseServer> {
  const folder = await memoryFolder(t);
  const ports = options.ports ?? (await clickHousePorts());
  const data = options.data ?? join(folder, 'data');
  await mkdir(data, {recursive: true});
  await writeFile(join(folder, 'config.xml'), configOf(ports, data, options.config));
  await writeFile(join(folder, 'users.xml'), usersOf(options.settings));
  const process = new ServerProcess(t, {
    command: located('clickhouse-server'),
    args: [`--config-file=${join(folder, 'config.xml')}`],
    folder,
    isUp: async () => (await ask(`http://127.0.0.1:${ports.http}/ping`, {ends: true})).text === 'Ok.\n',
  });
  return new ClickHouseServer(ports, process);
}

export async function clickHousePorts(): Promise<ClickHousePorts> {
  const [http = 0, tcp = 0, interserver = 0] = await freePorts(3);
  return {http, tcp, interserver};
}

/** The least that a server needs, with caches fit for a machine that runs many of them. */
function configOf({http, tcp, interserver}: ClickHousePorts, data: string, more = ''): string {
  return `<yandex>
  <logger><level>warning</level><console>true</console></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${http}</http_port>
  <tcp_port>${tcp}</tcp_port>
  <interserver_http_port>${interserver}</interserver_http_port>
  <interserver_http_host>127.0.0.1</interserver_http_host>
  <path>${data}/</path>
  <tmp_path>${data}/tmp/</tmp_path>
  <mark_cache_size>67108864</mark_cache_size>
  <users_config>users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <timezone>UTC</timezone>
  ${more}
</yandex>
`;
}

function usersOf(settings: Readonly<Record<string, string | number>> = {}): string {
  const profile = Object.entries({background_pool_size: 2, background_schedule_pool_size: 4, ...settings})
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('');
  const user = (name: string, password: string) =>
    `<${name}><password>${password}</password><networks><ip>127.0.0.1</ip></networks>` +
    `<profile>default</profile><quota>default</quota></${name}>`;
  return `<yandex>
  <profiles><default>${profile}</default></profiles>
  <quotas><default></default></quotas>
  <users>${user('default', '')}${user(USER.username, USER.password)}</users>
</yandex>
`;
}
