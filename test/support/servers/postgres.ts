import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmod, chown, copyFile, mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import type {TestFn} from 'ava';
import pg from 'pg';
import {type Owner, scratchFolder} from '../gateway.js';
import {ownerOf} from '../owner.js';
import {located} from '../programs.js';
import {memoryFolder} from './memory-folder.js';
import {freePorts} from './ports.js';
import {ServerProcess} from './server-process.js';

/** The server refuses to run as root; Debian's package makes this user for it. */
const SERVER_USER = 'postgres';

export interface PostgresOptions {
  /** Settings as in `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether what was committed must survive the death of the machine; without, tests are faster. */
  readonly durable?: boolean;
  /** Where the data is kept; a temporary folder unless given. */
  readonly data?: string;
  /** Speaks TLS, and asks all but the superuser, who may come without it, for a certificate of the user's name. */
  readonly secure?: SecureFiles;
}

/** Paths of PEM files. */
export interface SecureFiles {
  readonly certificate: string;
  readonly key: string;
  /** The authorities that the certificates of users are checked by. */
  readonly ca: string;
}

/** A PostgreSQL server with data of its own on loopback. */
export class PostgresServer {
  readonly port: number;
  readonly process: ServerProcess;
  readonly #data: string;
  #databases = 0;

  constructor(port: number, process: ServerProcess, data: string) {
    this.port = port;
    this.process = process;
    this.#data = data;
  }

  /** Changes what a secure server shows and trusts; sessions that are open stay. */
  async secureBy(files: SecureFiles): Promise<void> {
    await installFiles(this.#data, files);
    await this.sql('SELECT pg_reload_conf()');
    // The server takes them a moment after it has answered.
    await sleep(300);
  }

  url(database = 'postgres', user = 'postgres', port = this.port): string {
    return `postgres://${user}@127.0.0.1:${port}/${database}`;
  }

  /** Ends all sessions and the server. */
  async stop(): Promise<void> {
    await this.process.stop('SIGINT');
  }

  /** Ends it as a crash does: nothing is written down, the log is replayed at the next start. */
  async crash(): Promise<void> {
    await this.process.stop('SIGQUIT');
  }

  /** Runs a statement as the superuser, on a connection of its own. */
  async sql(text: string, values: readonly unknown[] = [], database = 'postgres'): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({connectionString: this.url(database)});
    await client.connect();
    try {
      return (await client.query(text, [...values])).rows as Record<string, unknown>[];
    } finally {
      await client.end();
    }
  }

  /** Makes a database, and gives its name. */
  async database(): Promise<string> {
    const name = `test_${++this.#databases}`;
    await this.sql(`CREATE DATABASE ${name}`);
    return name;
  }
}

/** Starts a server; killed and removed at the end of its owner. */
export async function startPostgres(
  t: Owner,
  {settings = {}, durable, data, secure}: PostgresOptions = {},
): Promise<PostgresServer> {
  const postgres = located('postgres');
  const folder = await (durable ? scratchFolder : memoryFolder)(t);
  // Its user must reach what lies in it.
  await chmod(folder, 0o755);
  const path = data ?? join(folder, 'data');
  await mkdir(path, {recursive: true});
  await own(path);
  const authentication = ['-A', 'trust', '-U', 'postgres'];
  await run(join(dirname(postgres), 'initdb'), ['-D', path, ...authentication, '-N', '--locale=C.UTF-8', '-E', 'UTF8']);

  if (secure !== undefined) {
    await installFiles(path, secure);
    await writeFile(join(path, 'pg_hba.conf'), SECURE_ACCESS);
  }
  return launch(t, path, {
    fsync: durable ? 'on' : 'off',
    ...(secure !== undefined && {ssl: 'on', ssl_ca_file: 'root.crt'}),
    ...settings,
  });
}

/** Starts a hot standby that follows this server, with all that the server has now. */
export async function startStandby(t: Owner, primary: PostgresServer): Promise<PostgresServer> {
  const folder = await memoryFolder(t);
  await chmod(folder, 0o755);
  const path = join(folder, 'data');
  await mkdir(path);
  await chmod(path, 0o700);
  await own(path);
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres'];
  await run(join(dirname(located('postgres')), 'pg_basebackup'), [
    ...from,
    '-D',
    path,
    '-R',
    '-X',
    'stream',
    '-c',
    'fast',
  ]);
  return launch(t, path, {fsync: 'off'});
}

async function launch(t: Owner, path: string, settings: Readonly<Record<string, string>>): Promise<PostgresServer> {
  const [port = 0] = await freePorts(1);
  const all = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    shared_buffers: '32MB',
    ...settings,
  };
  const process = new ServerProcess(t, {
    command: located('postgres'),
    args: ['-D', path, ...Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`])],
    folder: path,
    user: SERVER_USER,
    isUp: async () => (await server.sql('SELECT 1')).length === 1,
  });
  const server = new PostgresServer(port, process, path);
  await process.start();
  return server;
}

/** One server for all tests of a file, started by the first that asks for it. */
export function sharedPostgres(test: TestFn, options: PostgresOptions = {}): () => Promise<PostgresServer> {
  const owner = ownerOf(test);
  let starting: Promise<PostgresServer> | undefined;
  return () => {
    starting ??= startPostgres(owner, options);
    return starting;
  };
}

const SECURE_ACCESS = `hostnossl all postgres 127.0.0.1/32 trust
hostssl all all 127.0.0.1/32 cert clientcert=verify-full
`;

/** The names are the server's own; it wants a key that is its own too, and nobody else's to read. */
async function installFiles(data: string, {certificate, key, ca}: SecureFiles): Promise<void> {
  for (const [from, name] of [
    [certificate, 'server.crt'],
    [key, 'server.key'],
    [ca, 'root.crt'],
  ] as const) {
    const path = join(data, name);
    await copyFile(from, path);
    await chmod(path, 0o600);
    await own(path);
  }
}

async function own(path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const [user, group] = await Promise.all(
    ['-u', '-g'].map(async flag => Number(await output('id', [flag, SERVER_USER]))),
  );
  await chown(path, user ?? 0, group ?? 0);
}

async function run(program: string, args: readonly string[]): Promise<string> {
  const isRoot = process.getuid?.() === 0;
  return isRoot ? output('runuser', ['-u', SERVER_USER, '--', program, ...args]) : output(program, args);
}

async function output(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, {cwd: '/', stdio: ['ignore', 'pipe', 'pipe']});
  const text: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => text.push(String(chunk)));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} has ended with ${code}:\n${text.join('')}`);
  return text.join('');
}
