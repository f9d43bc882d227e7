import {execFileSync, spawn} from 'node:child_process';
import {existsSync, readdirSync} from 'node:fs';
import {chmod, mkdtemp, readFile, rm} from 'node:fs/promises';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {ExecutionContext, TestFn} from 'ava';
import pg from 'pg';

/** Where Debian puts the programs of each version. */
const ROOT = '/usr/lib/postgresql';
const OLDEST = 15;
export const PACKAGE = 'postgresql';

/** The folder of the newest installed version's programs; undefined when there is none that is new enough. */
function programs(): string | undefined {
  if (!existsSync(ROOT)) return undefined;
  const versions = readdirSync(ROOT)
    .map(Number)
    .filter(version => version >= OLDEST);
  const newest = Math.max(...versions);
  const folder = join(ROOT, String(newest), 'bin');
  return versions.length > 0 && existsSync(join(folder, 'initdb')) ? folder : undefined;
}

const BIN = programs();
export const isPostgresInstalled = BIN !== undefined;
const isRoot = process.getuid?.() === 0;

/** The server refuses to run as root; Debian's package makes a user for it. */
function asServerUser(program: string, args: readonly string[]): [string, string[]] {
  return isRoot ? ['runuser', ['-u', 'postgres', '--', program, ...args]] : [program, [...args]];
}

export interface PostgresOptions {
  /** Lines of `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether what was committed must survive the death of the machine; without, tests are faster. */
  readonly durable?: boolean;
}

/** A real server in a temporary folder, on a free port of the loopback interface. */
export class PostgresServer {
  readonly port: number;
  readonly folder: string;
  readonly #settings: Readonly<Record<string, string>>;

  private constructor(folder: string, port: number, settings: Readonly<Record<string, string>>) {
    this.folder = folder;
    this.port = port;
    this.#settings = settings;
  }

  static async start({settings = {}, durable = false}: PostgresOptions = {}): Promise<PostgresServer> {
    const folder = await mkdtemp(join(tmpdir(), 'gateway-postgres-'));
    await chmod(folder, 0o755);
    if (isRoot) execFileSync('chown', ['postgres', folder]);
    const server = new PostgresServer(folder, await freePort(), {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: folder,
      fsync: durable ? 'on' : 'off',
      shared_buffers: '32MB',
      ...settings,
    });
    await server.#run('initdb', [
      '-D',
      server.#data,
      '-A',
      'trust',
      '-U',
      'postgres',
      '-N',
      '--locale=C.UTF-8',
      '-E',
      'UTF8',
    ]);
    await server.start();
    return server;
  }

  /** The url of a database of the server. */
  url(database = 'postgres', user = 'postgres', port = this.port): string {
    return `postgres://${user}@127.0.0.1:${port}/${database}`;
  }

  /** Starts it again after a stop. */
  async start(): Promise<void> {
    const options = Object.entries({...this.#settings, port: String(this.port)}).map(
      ([key, value]) => `-c ${key}='${value}'`,
    );
    const args = ['-D', this.#data, '-l', join(this.folder, 'log'), '-o', options.join(' '), '-w', '-t', '60', 'start'];
    try {
      await this.#run('pg_ctl', args);
    } catch (problem) {
      const log = await readFile(join(this.folder, 'log'), 'utf8').catch(() => '');
      throw new Error(`PostgreSQL did not start:\n${log}`, {cause: problem});
    }
  }

  /** `fast` ends the sessions; `immediate` is as a crash. */
  async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    await this.#run('pg_ctl', ['-D', this.#data, '-m', mode, '-w', '-t', '60', 'stop']).catch(() => undefined);
  }

  async remove(): Promise<void> {
    await this.stop('immediate');
    await rm(this.folder, {recursive: true, force: true});
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

  /** A new, empty database: what tests that run at once share nothing in. */
  async database(): Promise<string> {
    const name = `test_${++databases}`;
    await this.sql(`CREATE DATABASE ${name}`);
    return name;
  }

  get #data(): string {
    return join(this.folder, 'data');
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    const [command, all] = asServerUser(join(BIN ?? '', program), args);
    // Not by pipes: the server would inherit them, and the command would seem not to end.
    const child = spawn(command, all, {stdio: 'ignore', cwd: this.folder});
    const code = await new Promise((resolve, reject) => {
      child.on('exit', resolve);
      child.on('error', reject);
    });
    if (code !== 0) throw new Error(`${program} has ended with ${code}`);
  }
}

let databases = 0;

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>(done => probe.listen(0, '127.0.0.1', done));
  const {port} = probe.address() as {port: number};
  await new Promise(done => probe.close(done));
  return port;
}

/** One server for all tests of a file, started by the first and removed after the last. */
export function sharedServer(test: TestFn, options: PostgresOptions = {}): () => Promise<PostgresServer> {
  let starting: Promise<PostgresServer> | undefined;
  test.after.always(async () => {
    await (await starting)?.remove();
  });
  return () => {
    starting ??= PostgresServer.start(options);
    return starting;
  };
}

/**
 * Declares a test that needs PostgreSQL. Where it is not installed the test is reported as skipped, with the reason in
 * its title; with `REQUIRE_SERVERS=1`, as in CI, it fails instead.
 */
export function testWithPostgres(test: TestFn, title: string, body: (t: ExecutionContext) => Promise<void>): void {
  if (BIN !== undefined) {
    test(title, body);
  } else if (process.env.REQUIRE_SERVERS === '1') {
    test(title, t => t.fail(`PostgreSQL ${OLDEST} or newer is not installed (Debian package ${PACKAGE})`));
  } else {
    test.skip(`${title} (skipped: PostgreSQL ${OLDEST} is not installed, Debian package ${PACKAGE})`, body);
  }
}
