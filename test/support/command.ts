import {statSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {runCommandLine} from '../../core/cli/command-line.js';
import {type Owner, type RunOptions, scratchFolder} from './gateway.js';

/** What a command has printed, by lines, and its exit code. */
export interface Ended {
  readonly exit: number;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

/** The streams and the environment are those of the thread, so that one command runs at a time. */
let free: Promise<unknown> = Promise.resolve();

/**
 * Runs a command to its end in the thread of the test: a process would take most of its time to load its modules. A
 * relative path is one of the folder that the tests run in. What is about signals, standard input, the log or the folder
 * needs `run`, as does whatever may leave something running.
 */
export function runHere(words: readonly string[], environment: RunOptions['environment'] = {}): Promise<Ended> {
  const ended = free.then(() => printing(environment, () => runCommandLine(words)));
  free = ended.catch(() => undefined);
  return ended;
}

/** The same with the configuration in a file, for which `args` makes the words. */
export async function runOver(
  t: Owner,
  {config, environment, args = path => ['check', '--config', path], folder}: RunOptions,
): Promise<Ended> {
  const file = join(folder ?? (await scratchFolder(t)), 'gateway.config.json');
  await writeFile(file, typeof config === 'string' ? config : JSON.stringify(config, null, 2));
  return runHere(args(file), environment);
}

/** Runs a command as if in this folder, whose files its words name and its messages tell. */
export async function runIn(folder: string, words: readonly string[]): Promise<Ended> {
  const isFile = (word: string) => statSync(join(folder, word), {throwIfNoEntry: false})?.isFile() === true;
  const known = words.map(word => (isFile(word) ? join(folder, word) : word));
  const {exit, stdout, stderr} = await runHere(known);
  const told = (lines: readonly string[]) => lines.map(line => line.replaceAll(`${folder}/`, ''));
  return {exit, stdout: told(stdout), stderr: told(stderr)};
}

async function printing(environment: Readonly<Record<string, string>>, command: () => Promise<number>): Promise<Ended> {
  const {stdout, stderr, env} = process;
  const writers = [stdout, stderr].map(stream => {
    const own = stream.write;
    let text = '';
    stream.write = (part: string | Uint8Array, ...rest: unknown[]): boolean => {
      text += typeof part === 'string' ? part : Buffer.from(part).toString();
      for (const taken of rest) if (typeof taken === 'function') taken();
      return true;
    };
    const end = (): readonly string[] => {
      stream.write = own;
      return text === '' ? [] : text.replace(/\n$/, '').split('\n');
    };
    return end;
  });
  const before = Object.keys(environment).map(name => [name, env[name]] as const);
  Object.assign(env, environment);
  const exit = await command().catch((error: unknown) => ({error}));
  for (const [name, value] of before) {
    if (value === undefined) delete env[name];
    else env[name] = value;
  }
  const [out = [], err = []] = writers.map(end => end());
  if (typeof exit === 'object') throw exit.error;
  return {exit, stdout: out, stderr: err};
}
