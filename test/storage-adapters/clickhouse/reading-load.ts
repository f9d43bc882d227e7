import {setTimeout as sleep} from 'node:timers/promises';
import {expectedOf, type Scene, valuesIn} from '../faults/scene.js';
import {ALL_SERVICES} from '../faults/writes.js';

const READERS = 6;
/** Milliseconds between two readings of a reader while it only keeps watch. */
const WATCH = 200;

export interface Reading {
  readonly begun: number;
  readonly ended: number;
  /** Why it is not what it must be; undefined when it is. */
  readonly problem: string | undefined;
  readonly isError: boolean;
}

/** Readers that ask again and again, and compare the first writes, which are stored, with what they must be. */
export class ReadingLoad {
  readonly readings: Reading[] = [];
  readonly #scene: Scene;
  readonly #stored: number;
  readonly #readers: Promise<unknown>;
  #wanted = 0;
  #isOver = false;

  constructor(scene: Scene, stored: number) {
    this.#scene = scene;
    this.#stored = stored;
    this.#readers = Promise.all(Array.from({length: READERS}, (_, i) => this.#read(i)));
  }

  /**
   * Waits for so many further answers, to all the readers at their full pace. Otherwise they only keep watch: what a test
   * waits for meanwhile, a server's start or a write that waits for a dead replica, is long and wants the processor itself.
   */
  async goOn(count: number): Promise<void> {
    this.#wanted = this.readings.length + count;
    while (this.readings.length < this.#wanted) await sleep(5);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#readers;
  }

  async #read(first: number): Promise<void> {
    for (let i = first; !this.#isOver; i++) {
      const service = ALL_SERVICES[i % ALL_SERVICES.length] ?? '';
      const begun = performance.now();
      const answer = await this.#scene.range(service);
      const values = valuesIn(answer);
      const found = JSON.stringify(Array.isArray(values) ? values.slice(0, this.#stored) : values);
      const isRight = found === JSON.stringify(expectedOf(service).slice(0, this.#stored));
      const problem = isRight ? undefined : `${service}: ${found}`;
      this.readings.push({begun, ended: performance.now(), problem, isError: answer.status !== 200});
      for (let waited = 0; waited < WATCH && this.readings.length >= this.#wanted && !this.#isOver; waited += 5) {
        await sleep(5);
      }
    }
  }
}
