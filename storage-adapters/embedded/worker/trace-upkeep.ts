import {KIND_NAMES} from '../../../core/toolkit/traces/models.js';
import type {Database} from '../disk/database.js';
import type {Removed} from '../threads/protocol.js';
import {TraceMaintenance} from './trace-maintenance.js';

const HOUR = 3_600_000;
/** With so many blocks that wait to be merged, merging gets as much time as writing. */
const PRESSING = 128;

/** The maintenance of both kinds of traces, each in its turn. */
export class TraceUpkeep {
  readonly #kinds: TraceMaintenance[];
  readonly #keep: number;

  /** `keep` is the retention in milliseconds. */
  constructor(database: Database, keep: number | undefined) {
    this.#keep = keep ?? Number.POSITIVE_INFINITY;
    this.#kinds = KIND_NAMES.map(kind => new TraceMaintenance(database, kind, keep));
  }

  /** How much time maintenance should have beside writing, from 0 to 1: else searches would read ever more blocks. */
  get pressure(): number {
    const backlog = Math.max(...this.#kinds.map(kind => kind.backlog));
    return Math.min(1, backlog / PRESSING);
  }

  /** Does one step; false when nothing is due. */
  step(now: number): boolean {
    const index = this.#kinds.findIndex(kind => kind.step(now));
    // The next step begins with the other kind.
    if (index >= 0) this.#kinds.push(...this.#kinds.splice(0, index + 1));
    return index >= 0;
  }

  /** What retention has removed since it was last asked; `now` is in milliseconds. */
  takeRemoved(now: number): readonly Removed[] {
    const rows = this.#kinds.reduce((sum, kind) => sum + kind.takeRemoved(), 0);
    return rows === 0 ? [] : [{kind: 'traces', rows, before: Math.floor((now - this.#keep) / HOUR) * (HOUR / 1000)}];
  }

  /** Milliseconds spent on merging since it was last asked. */
  takeTime(): number {
    return this.#kinds.reduce((sum, kind) => sum + kind.takeTime(), 0);
  }
}
