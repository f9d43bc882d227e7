import {setTimeout as sleep} from 'node:timers/promises';
import {
  type Call,
  type CapabilityName,
  GatewayError,
  type Logger,
  type Readers,
  type StorageDifference,
} from '../../../core/api/adapter.js';
import {LogOnce} from '../../../core/toolkit/log-once.js';
import {MS_PER_SECOND} from '../../../core/toolkit/time.js';
import {unlessAborted} from '../../../core/toolkit/unless-aborted.js';
import type {ComparisonResult, TeeInstruments} from '../instruments.js';
import {difference, type TeeDifference} from './difference.js';
import type {TeeQuestion} from './question.js';
import {shown} from './shown.js';

/** How much is compared at most, so that reads of the primary keep their time. */
export interface ComparerLimits {
  /** Comparisons that are under way at once. */
  readonly atOnce: number;
  /** Those that wait or are under way. */
  readonly waiting: number;
  readonly perSecond: number;
  /** Milliseconds after which two answers that differ are asked for again. */
  readonly pauses: readonly number[];
}

const LIMITS: ComparerLimits = {atOnce: 4, waiting: 64, perSecond: 50, pauses: [200, MS_PER_SECOND]};
/** Milliseconds for all that one comparison asks. */
const TIME = 10 * MS_PER_SECOND;
/** A secondary that could not be reached is left alone for so many milliseconds. */
const REST = MS_PER_SECOND;
/** Differences that are shown. */
const SHOWN = 20;

export interface ComparerOptions {
  readonly primary: Readers;
  /** Undefined while the secondary cannot be asked. */
  readonly secondary: () => Readers | undefined;
  /** Resolves when the secondary has everything that the primary may have had when it was called, or never will. */
  readonly written: () => Promise<unknown>;
  readonly share: number;
  readonly log: Logger;
  readonly instruments: TeeInstruments;
  readonly limits?: ComparerLimits | undefined;
}

interface Comparison {
  readonly question: TeeQuestion<unknown>;
  readonly answer: unknown;
  readonly written: Promise<unknown>;
}

/** Asks the secondary what the primary has answered, in the background, and tells where they differ. */
export class TeeComparer {
  readonly #options: ComparerOptions;
  readonly #limits: ComparerLimits;
  readonly #stop = new AbortController();
  readonly #waiting: Comparison[] = [];
  readonly #workers = new Set<Promise<void>>();
  readonly #once = new LogOnce();
  #working = 0;
  #differences: readonly StorageDifference[] = [];
  #allowance: number;
  #refilled = performance.now();
  #restUntil = 0;

  constructor(options: ComparerOptions) {
    this.#options = options;
    this.#limits = options.limits ?? LIMITS;
    this.#allowance = this.#limits.waiting;
  }

  /** The last ones, the newest first. */
  get differences(): readonly StorageDifference[] {
    return this.#differences;
  }

  get primary(): Readers {
    return this.#options.primary;
  }

  /** Whether an answer is wanted for a comparison; one that would be and cannot be is counted as skipped. */
  wants(capability: CapabilityName): boolean {
    const {share, secondary, instruments} = this.#options;
    if (share < 1 && Math.random() >= share) return false;
    if (secondary()?.[capability] !== undefined && this.#hasRoom()) return true;
    instruments.compared(capability, 'skipped');
    return false;
  }

  /** Takes the primary's answer to a question that `wants` has let through; nothing of it changes any more. */
  compare<Answer>(question: TeeQuestion<Answer>, answer: Answer): void {
    if (this.#isFull) {
      this.skip(question.capability);
      return;
    }
    const known = question as TeeQuestion<unknown>;
    this.#waiting.push({question: known, answer, written: this.#options.written()});
    if (this.#working >= this.#limits.atOnce) return;
    this.#working++;
    const worker = this.#work().finally(() => this.#workers.delete(worker));
    this.#workers.add(worker);
  }

  skip(capability: CapabilityName): void {
    this.#options.instruments.compared(capability, 'skipped');
  }

  /** Resolves when nothing waits. */
  async settled(): Promise<void> {
    while (this.#workers.size > 0) await Promise.all(this.#workers);
  }

  async stop(): Promise<void> {
    this.#stop.abort(new GatewayError('cancelled', 'the comparison of two storages is ended'));
    this.#waiting.length = 0;
    await this.settled();
  }

  get #isFull(): boolean {
    return this.#waiting.length + this.#working >= this.#limits.waiting;
  }

  get #isResting(): boolean {
    return performance.now() < this.#restUntil;
  }

  #hasRoom(): boolean {
    const {waiting, perSecond} = this.#limits;
    if (this.#isResting || this.#isFull) return false;
    const now = performance.now();
    this.#allowance = Math.min(waiting, this.#allowance + ((now - this.#refilled) * perSecond) / MS_PER_SECOND);
    this.#refilled = now;
    if (this.#allowance < 1) return false;
    this.#allowance--;
    return true;
  }

  async #work(): Promise<void> {
    // After the answer has left.
    await new Promise(resolve => setImmediate(resolve));
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      // What waited when the secondary was found to be gone would only find the same.
      const result = this.#isResting ? 'skipped' : await this.#resultOf(next);
      if (!this.#stop.signal.aborted) this.#options.instruments.compared(next.question.capability, result);
    }
    // In the turn in which nothing was left: what comes next starts a worker of its own.
    this.#working--;
  }

  async #resultOf(comparison: Comparison): Promise<ComparisonResult> {
    const late = AbortSignal.timeout(TIME);
    const call = {signal: AbortSignal.any([this.#stop.signal, late]), log: this.#options.log};
    try {
      return await this.#compared(comparison, call);
    } catch (error) {
      if (error instanceof NotComparable) return 'skipped';
      const {code, message} = GatewayError.from(error);
      if (code === 'storage_unavailable' || late.aborted) this.#restUntil = performance.now() + REST;
      const {capability, method} = comparison.question;
      const level = this.#once.begins('error', code) ? 'warn' : 'debug';
      if (!this.#stop.signal.aborted)
        this.#options.log[level]('the secondary storage does not answer', {capability, method, error: message});
      return 'error';
    }
  }

  /**
   * Answers that differ are asked for again, because what is written meanwhile, by this gateway or by another one, reaches one
   * storage before the other. They count as different when they stay so while the primary says the same.
   */
  async #compared({question, answer, written}: Comparison, call: Call): Promise<ComparisonResult> {
    const {form, tolerance} = question;
    let primary = form(answer);
    let found = await this.#differenceTo(question, primary, written, call);
    let isMoving = false;
    for (const pause of this.#limits.pauses) {
      if (found === undefined) return 'equal';
      await sleep(pause, undefined, {signal: call.signal});
      const again = form(await this.#askPrimary(question, call));
      isMoving = difference(primary, again, tolerance) !== undefined;
      primary = again;
      found = await this.#differenceTo(question, primary, this.#options.written(), call);
    }
    if (found === undefined) return 'equal';
    if (isMoving) return 'skipped';
    this.#note(question, found);
    return 'differs';
  }

  async #differenceTo(
    question: TeeQuestion<unknown>,
    primary: unknown,
    written: Promise<unknown>,
    call: Call,
  ): Promise<TeeDifference | undefined> {
    await unlessAborted(written, call.signal).catch((error: unknown) => {
      throw new NotComparable('the secondary has not been written yet', {cause: error});
    });
    const readers = this.#options.secondary();
    if (readers === undefined) throw new GatewayError('storage_unavailable', 'the secondary storage has gone');
    const answer = await unlessAborted(question.ask(readers, call), call.signal);
    return difference(primary, question.form(answer), question.tolerance);
  }

  async #askPrimary(question: TeeQuestion<unknown>, call: Call): Promise<unknown> {
    try {
      return await unlessAborted(question.ask(this.primary, call), call.signal);
    } catch (error) {
      throw new NotComparable('the primary does not answer again', {cause: error});
    }
  }

  #note({capability, method, request}: TeeQuestion<unknown>, {at, primary, secondary}: TeeDifference): void {
    const texts = {request: shown(request), at, primary: shown(primary), secondary: shown(secondary)};
    const noted = {time: new Date().toISOString(), capability, method, ...texts};
    this.#differences = [noted, ...this.#differences].slice(0, SHOWN);
    const level = this.#once.begins(`${capability} ${method}`) ? 'warn' : 'debug';
    this.#options.log[level]('the two storages answer differently', noted);
  }
}

/** Neither storage is to blame. */
class NotComparable extends Error {}
