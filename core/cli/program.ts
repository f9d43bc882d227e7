import type {Logger} from '../api/telemetry.js';
import {ConfigError} from '../config/config-error.js';
import {redactText} from '../config/redact.js';
import {VERSION} from '../version.js';
import {EXIT, printed, reportFailure} from './exit.js';
import {toggle} from './flags/flag-types.js';
import {type FlagTable, type FlagValues, flag, parseFlags} from './flags/parse.js';
import {usage} from './flags/usage.js';
import {firstSignal} from './signals.js';
import {logWarnings} from './warnings.js';

/** What runs until it is stopped. */
export interface Running {
  /** The addresses for the ready line. */
  readonly listeners: Readonly<Record<string, string>>;
  /** Resolves when everything has ended; bounded in time. */
  stop(): Promise<void>;
}

export interface Program<Table extends FlagTable> {
  readonly name: string;
  readonly description: string;
  readonly flags: Table;
  /** Starts it. Throws a `ConfigError` where the flags contradict each other. `signal` aborts when the process is asked to end. */
  start(flags: FlagValues<Table>, loggerOf: (component: string) => Logger, signal: AbortSignal): Promise<Running>;
}

/** Runs a program that is configured by flags until SIGTERM or SIGINT, and ends the process. */
export async function runProgram<Table extends FlagTable>(program: Program<Table>): Promise<never> {
  const code = await main(program).catch(reportFailure);
  await printed();
  process.exit(code);
}

async function main<Table extends FlagTable>({name, description, flags, start}: Program<Table>): Promise<number> {
  const own = {
    help: flag(toggle, false, `help for ${name}`, 'h'),
    version: flag(toggle, false, `version for ${name}`, 'v'),
  };
  const table = {...flags, ...own};
  const words = process.argv.slice(2);
  let values: FlagValues<typeof table>;
  try {
    values = parseFlags(table, words);
  } catch (error) {
    return misused(error);
  }
  if (values.help === true) return print(`${description}\n\n${usage(name, table)}`);
  if (values.version === true) return print(`${VERSION}\n`);

  const {createLog} = await import('./log.js');
  const loggerOf = createLog('info');
  const log = loggerOf(name);
  logWarnings(log);
  const stopping = new AbortController();
  process.on('unhandledRejection', reason => log.error('unhandled promise rejection', {err: reason}));
  const signalled = firstSignal(log).then(signal => {
    log.info('the program stops', {signal});
    stopping.abort();
    return undefined;
  });
  const starting = start(values as FlagValues<Table>, loggerOf, stopping.signal);
  // A signal during the start ends the start, whose failure then is none.
  const running = await Promise.race([starting, signalled]).catch(misused);
  if (typeof running === 'number') return running;
  if (running === undefined) return starting.then(stop, () => EXIT.ok);
  print(`${JSON.stringify({ready: true, listeners: running.listeners})}\n`);
  await signalled;
  return stop(running);

  function misused(error: unknown): number {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`Error: ${redactText(error.message)}\n${usage(name, table)}\n`);
    return EXIT.usage;
  }

  async function stop(begun: Running): Promise<number> {
    try {
      await begun.stop();
      return EXIT.ok;
    } catch (error) {
      log.error('shutdown failed', {err: error});
      return EXIT.failed;
    }
  }
}

function print(text: string): number {
  process.stdout.write(text);
  return EXIT.ok;
}
