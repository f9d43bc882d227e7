import type {Subject} from '../subject.js';
import {Random} from './random.js';

/** Starts the adapter again at random places of a history, and at its end; not one that keeps nothing. */
export class Restarts {
  readonly #subject: Subject;
  readonly #rounds: number;
  /** Of its own, so that the history of an adapter that cannot restart is the same. */
  readonly #random = new Random(7);

  constructor(subject: Subject, rounds: number) {
    this.#subject = subject;
    this.#rounds = rounds;
  }

  /** Says in words whether there was a restart after the round. */
  async after(round: number): Promise<string> {
    const isDue = round === this.#rounds - 1 || this.#random.once(4);
    if (!isDue || this.#subject.options.cannotRestart !== undefined) return '';
    await this.#subject.restart();
    return ' after a restart';
  }
}
