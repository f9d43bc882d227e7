import type {RehearsedDifference} from './differences.js';
import {CLASSES, type RehearsalClass} from './judgement.js';

/** What came of one request. */
export interface RehearsalOutcome {
  /** Where it stands in the traffic. */
  readonly source: string;
  readonly class: RehearsalClass;
  readonly plugin: string;
  readonly route: string;
  readonly method: string;
  /** As they were recorded. */
  readonly path: string;
  readonly parameters: string;
  /** As they were asked, where that is not the same. */
  readonly asked?: string;
  readonly difference?: RehearsedDifference | undefined;
  readonly ms: {readonly old: number; readonly new: number};
}

export type Counts = Readonly<Record<RehearsalClass, number>>;

/** Half of the answers took at most so many milliseconds, and so on. */
export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** A reason for which something was not compared as it was recorded, and how many requests it was used for. */
export interface Exemption {
  readonly what: string;
  readonly requests: number;
}

export interface RouteCounts {
  readonly plugin: string;
  readonly route: string;
  readonly counts: Counts;
}

/** Counts what comes of the requests, and keeps what is not equal. */
export class Tally {
  readonly #counts = noCounts();
  readonly #routes = new Map<string, RouteCounts & {readonly counts: Record<RehearsalClass, number>}>();
  readonly #exemptions = new Map<string, number>();
  readonly #unequal: (readonly [turn: number, outcome: RehearsalOutcome])[] = [];
  readonly #ms = {old: [] as number[], new: [] as number[]};
  readonly bad: string[] = [];

  /** `turn` is the place of the request in the traffic: requests may end in another order. */
  add(turn: number, outcome: RehearsalOutcome): void {
    const {class: of, plugin, route, ms} = outcome;
    this.#counts[of]++;
    const key = `${plugin} ${route}`;
    const known = this.#routes.get(key) ?? {plugin, route, counts: noCounts()};
    known.counts[of]++;
    this.#routes.set(key, known);
    this.#ms.old.push(ms.old);
    this.#ms.new.push(ms.new);
    if (of !== 'equal') this.#unequal.push([turn, outcome]);
  }

  exempt(what: string): void {
    this.#exemptions.set(what, (this.#exemptions.get(what) ?? 0) + 1);
  }

  get counts(): Counts {
    return this.#counts;
  }

  get asked(): number {
    return this.#ms.old.length;
  }

  /** The most used first. */
  get exemptions(): readonly Exemption[] {
    return [...this.#exemptions].map(([what, requests]) => ({what, requests})).sort((a, b) => b.requests - a.requests);
  }

  get routes(): readonly RouteCounts[] {
    return [...this.#routes.values()].sort((a, b) => (`${a.plugin} ${a.route}` < `${b.plugin} ${b.route}` ? -1 : 1));
  }

  /** What is not equal, in the order of the traffic. */
  get unequal(): readonly RehearsalOutcome[] {
    return this.#unequal.sort(([a], [b]) => a - b).map(([, outcome]) => outcome);
  }

  get latency(): {readonly old: Percentiles; readonly new: Percentiles} {
    return {old: percentilesOf(this.#ms.old), new: percentilesOf(this.#ms.new)};
  }

  /** Whether everything that differs is explained, and there was something to compare. */
  get isFine(): boolean {
    return this.asked > 0 && this.#counts.differs === 0 && this.#counts.error === 0;
  }
}

function noCounts(): Record<RehearsalClass, number> {
  return Object.fromEntries(CLASSES.map(name => [name, 0])) as Record<RehearsalClass, number>;
}

function percentilesOf(all: readonly number[]): Percentiles {
  const sorted = Float64Array.from(all).sort();
  const at = (share: number): number => Math.round(1000 * (sorted[Math.ceil(share * sorted.length) - 1] ?? 0)) / 1000;
  return {p50: at(0.5), p95: at(0.95), p99: at(0.99)};
}
