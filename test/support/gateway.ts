import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import type {ExecutionContext} from 'ava';

/** The compiled command line: what `npx query-gateway` runs. */
export const CLI = fileURLToPath(new URL('../../core/cli/main.js', import.meta.url));

/** The compiled fixture components, for `use`. */
export const FIXTURE_ADAPTER = fileURLToPath(new URL('../fixtures/adapter.js', import.meta.url));
export const FIXTURE_PLUGIN = fileURLToPath(new URL('../fixtures/plugin.js', import.meta.url));

/** What ends when its owner does: a test, or a group of tests that share a gateway. */
export type Owner = Pick<ExecutionContext, 'teardown'>;

export interface LogLine {
  readonly level: string;
  readonly component: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export interface RunOptions {
  /** The content of `gateway.config.json`: an object, or the text itself. */
  readonly config: unknown;
  readonly environment?: Readonly<Record<string, string>>;
  /** Arguments in place of `serve --config FILE`. */
  readonly args?: (file: string) => readonly string[];
  /** The folder of the configuration; a temporary one unless given. */
  readonly folder?: string;
}

/** A command that runs, or has run, in a process of its own. */
export class Run {
  readonly folder: string;
  readonly process: ChildProcess;
  readonly stdout: string[] = [];
  readonly stderr: string[] = [];
  /** The exit code; null after a death by signal. */
  readonly exit: Promise<number | null>;

  constructor(folder: string, child: ChildProcess) {
    this.folder = folder;
    this.process = child;
    this.exit = once(child, 'close').then(([code]) => code as number | null);
    if (child.stdout) createInterface(child.stdout).on('line', line => this.stdout.push(line));
    if (child.stderr) createInterface(child.stderr).on('line', line => this.stderr.push(line));
  }

  /** The log lines so far. */
  get log(): readonly LogLine[] {
    return this.stderr.filter(line => line.startsWith('{')).map(line => JSON.parse(line) as LogLine);
  }

  /** Waits for a log line with this message; fails when the process ends before. */
  async logged(message: string): Promise<LogLine> {
    return this.#until(() => this.log.find(({msg}) => msg === message), `the log line "${message}"`);
  }

  /** Waits for the ready line and gives the addresses by name. */
  async ready(): Promise<Readonly<Record<string, string>>> {
    const line = await this.#until(() => this.stdout.find(text => text.startsWith('{"ready"')), 'the ready line');
    return (JSON.parse(line) as {readonly listeners: Readonly<Record<string, string>>}).listeners;
  }

  /** Asks the process to end, and gives its exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.process.kill(signal);
    return this.exit;
  }

  async #until<T>(look: () => T | undefined, what: string): Promise<T> {
    let ended = false;
    void this.exit.then(() => {
      ended = true;
    });
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      if (ended) throw new Error(`the process ended before ${what}:\n${this.stderr.join('\n')}`);
      await new Promise(resolve => setTimeout(resolve, 10));
    }
  }
}

/** Runs the command line with a configuration in a temporary folder; killed and removed at the end of the test. */
export async function run(t: Owner, options: RunOptions): Promise<Run> {
  const folder = options.folder ?? (await scratchFolder(t));
  const file = join(folder, 'gateway.config.json');
  const {config, args = path => ['serve', '--config', path]} = options;
  await writeFile(file, typeof config === 'string' ? config : JSON.stringify(config, null, 2));
  return runNode(t, [CLI, ...args(file)], folder, options.environment);
}

/** Runs a compiled program with its words, in a folder, by this or another Node.js; killed at the end of the test. */
export function runNode(
  t: Owner,
  words: readonly string[],
  folder = '.',
  environment: RunOptions['environment'] = {},
  node = process.execPath,
): Run {
  const child = spawn(node, words, {
    cwd: folder,
    env: {...process.env, ...environment},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const running = new Run(folder, child);
  t.teardown(async () => {
    child.kill('SIGKILL');
    await running.exit;
  });
  return running;
}

export interface RunningGateway extends Run {
  readonly urls: Readonly<Record<string, string>>;
}

/** Starts `serve` and waits until it is ready. */
export async function startGateway(t: Owner, options: RunOptions): Promise<RunningGateway> {
  const running = await run(t, options);
  return Object.assign(running, {urls: await running.ready()});
}

export async function scratchFolder(t: Owner): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'query-gateway-'));
  t.teardown(() => rm(folder, {recursive: true, force: true}));
  return folder;
}
