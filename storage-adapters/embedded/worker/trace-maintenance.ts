import {MS_PER_HOUR, SECONDS_PER_HOUR} from '../../../core/toolkit/time.js';
import {TRACE_MODEL_NAMES} from '../../../core/toolkit/traces/model.js';
import type {Database} from '../disk/database.js';
import type {Removed} from '../threads/writer-protocol.js';
import type {PackStores} from '../traces/packs/pack-store.js';
import {type MaintenanceTimes, type PackingTime, TraceModelMaintenance} from './model-maintenance.js';

/** With so many blocks that wait to be merged, merging gets as much time as writing. */
const PRESSING = 128;

/** The maintenance of all trace models, each in its turn. */
export class TraceMaintenance {
  readonly #models: TraceModelMaintenance[];
  readonly #keep: number;

  /** As of one model. */
  constructor(database: Database, packs: PackStores, keep: number | undefined, packFrom: number | undefined) {
    this.#keep = keep ?? Number.POSITIVE_INFINITY;
    this.#models = TRACE_MODEL_NAMES.map(
      model => new TraceModelMaintenance(database, model, packs[model], keep, packFrom),
    );
  }

  /** How much time maintenance should have beside writing, from 0 to 1: else searches would read ever more blocks. */
  get pressure(): number {
    const backlog = Math.max(...this.#models.map(model => model.backlog));
    return Math.min(1, backlog / PRESSING);
  }

  /** Does one step; false when nothing is due. What `packs` says of packing is as of one model. */
  step(now: number, packs: PackingTime): boolean {
    const index = this.#models.findIndex(model => model.step(now, packs));
    // The next step begins with another model.
    if (index >= 0) this.#models.push(...this.#models.splice(0, index + 1));
    return index >= 0;
  }

  /** What retention has removed since it was last asked; `now` is in milliseconds. */
  takeRemoved(now: number): readonly Removed[] {
    const rows = this.#models.reduce((sum, model) => sum + model.takeRemoved(), 0);
    return rows === 0
      ? []
      : [{kind: 'traces', rows, before: Math.floor((now - this.#keep) / MS_PER_HOUR) * SECONDS_PER_HOUR}];
  }

  /** Milliseconds spent since it was last asked. */
  takeTimes(): MaintenanceTimes {
    const times = this.#models.map(model => model.takeTimes());
    return {
      merge: times.reduce((sum, {merge}) => sum + merge, 0),
      pack: times.reduce((sum, {pack}) => sum + pack, 0),
    };
  }
}
