import {once} from 'node:events';
import {rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {anonymousMegabytes, processorSeconds} from './memory.js';
import {ROOT, start} from './processes.js';

const SOURCE = 'embedded';
const LOOK_MS = 100;

/** The command `copy`, in a process of its own, from the folder `embedded` of this one to another folder of it. */
export class CopyRun {
  readonly #begun = performance.now();
  readonly #child;
  readonly #closed;
  #said = '';
  #rest = '';
  #warnings = '';
  /** How many samples and spans it has begun to write. */
  units = 0;
  seconds = 0;
  /** Of the processor. */
  busy = 0;
  /** The most that it was seen to have, without those of files. */
  megabytes = 0;

  constructor(folder: string, target: string, words: readonly string[] = []) {
    const files = ['--from', configOf(folder, SOURCE), '--to', configOf(folder, target)];
    this.#child = start(process.execPath, [join(ROOT, 'dist/core/cli/main.js'), 'copy', ...files, ...words], folder);
    this.#child.stdout?.on('data', chunk => {
      this.#said += chunk;
    });
    this.#child.stderr?.on('data', chunk => {
      const lines = `${this.#rest}${chunk}`.split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.#take(line);
    });
    this.#closed = once(this.#child, 'close');
    const watch = setInterval(() => this.#look(), LOOK_MS);
    void this.#closed.finally(() => clearInterval(watch));
  }

  /** Makes a folder empty that can be copied to. */
  static async clear(folder: string, target: string): Promise<void> {
    await rm(join(folder, target), {recursive: true, force: true});
    await rm(checkpointOf(folder, target), {force: true});
    for (const name of [SOURCE, target]) {
      const storage = {use: 'embedded', config: {path: join(folder, name)}};
      await writeFile(configOf(folder, name), JSON.stringify({logLevel: 'debug', storage, plugins: []}));
    }
  }

  get said(): string {
    return this.#said.trim().replaceAll('\n', '; ');
  }

  /** To its end. Rejects when that is a failure. */
  async ended(): Promise<this> {
    await this.#closed;
    this.seconds = (performance.now() - this.#begun) / 1000;
    const {exitCode, signalCode} = this.#child;
    if (exitCode !== 0)
      throw new Error(`the copy has ended with ${exitCode ?? signalCode}: ${this.#said}${this.#warnings}`);
    return this;
  }

  /** False when it has ended before. */
  async killed(): Promise<boolean> {
    const isKilled = !this.isOver && this.#child.kill('SIGKILL');
    await this.#closed;
    return isKilled && this.#child.signalCode === 'SIGKILL';
  }

  get isOver(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  #look(): void {
    if (this.isOver) return;
    this.megabytes = Math.max(this.megabytes, anonymousMegabytes(this.#child.pid));
    this.busy = Math.max(this.busy, processorSeconds(this.#child.pid));
  }

  #take(line: string): void {
    if (line.includes('"a page is written"')) this.units += (JSON.parse(line) as {readonly units: number}).units;
    else this.#warnings += `\n${line}`;
  }
}

function configOf(folder: string, name: string): string {
  return join(folder, `${name}.json`);
}

function checkpointOf(folder: string, target: string): string {
  return `${configOf(folder, target)}.copy-checkpoint`;
}
