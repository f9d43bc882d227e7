import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import {databaseFile} from '../disk/folder.js';
import type {TableProblem} from './check-table.js';

/** What the tables hold, in words for whoever reads that one is damaged. */
const CONTENTS: Readonly<Record<string, string>> = {
  hot: 'minute values of the latest hours',
  minutes: 'minute values',
  hours: 'hour values',
  days: 'day values',
  records: 'sampled records',
  metrics: 'declarations of metrics',
  entities: 'services, instances and endpoints',
  series: 'series',
};

/** Looks through the whole database in the background, in another process and at the lowest priority. */
export class IntegrityCheck {
  readonly #found: (lost: string) => void;
  #child: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();

  /** `found` learns of each table in which something is damaged. */
  constructor(found: (lost: string) => void) {
    this.#found = found;
  }

  begin(folder: string): void {
    const script = fileURLToPath(new URL('cli.js', import.meta.url));
    const child = fork(script, [folder], {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.unref();
    child.channel?.unref();
    this.#child = child;
    child.on('message', finding => this.#report(databaseFile(folder), finding as TableProblem));
    // A check that cannot be made finds nothing; what is damaged is told when it is read.
    child.on('error', () => undefined);
    this.#ended = once(child, 'close').catch(() => undefined);
  }

  /** Resolves when all has been looked through. */
  async ended(): Promise<void> {
    await this.#ended;
  }

  stop(): void {
    this.#child?.kill('SIGKILL');
  }

  #report(file: string, {table, problem}: TableProblem): void {
    this.#found(
      `in the database ${file} some of the ${CONTENTS[table] ?? `traces (${table})`} are damaged: ${problem}`,
    );
  }
}
