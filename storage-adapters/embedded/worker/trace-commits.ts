import type {KindName} from '../../../core/toolkit/traces/model.js';
import {KIND_NAMES} from '../../../core/toolkit/traces/models.js';
import type {Database} from '../disk/database.js';
import type {StoredTraces, TraceBatch} from '../threads/protocol.js';
import {TraceWriter, type WrittenUnits} from '../traces/fragments/fragment-store.js';
import type {Job} from './group-commit.js';

/** What one sample of a metric is to a commit, a span or segment is several times. */
const SIZE_OF_UNIT = 10;

interface TraceAnswer {
  stored(stored: StoredTraces): void;
  failed(problem: unknown): void;
}

/** Makes batches of units into jobs of a commit, and indexes the units of one commit together. */
export class TraceJobs {
  readonly #writers: ReadonlyMap<KindName, TraceWriter>;
  readonly #written = new Map<Job, {readonly kind: KindName; readonly units: WrittenUnits}>();

  /** `keep` is the retention in milliseconds. */
  constructor(database: Database, keep: number | undefined) {
    this.#writers = new Map(KIND_NAMES.map(kind => [kind, new TraceWriter(database, kind, keep)]));
  }

  /** `now` gives the time in milliseconds. */
  job({kind, traceIds, bodies}: TraceBatch, now: () => number, answer: TraceAnswer): Job {
    let late = 0;
    const job: Job = {
      size: bodies.length * SIZE_OF_UNIT,
      write: () => {
        const units = this.#writer(kind).write(traceIds, bodies, now());
        ({late} = units);
        this.#written.set(job, {kind, units});
      },
      stored: seconds => answer.stored({seconds, late}),
      failed: problem => answer.failed(problem),
    };
    return job;
  }

  /** Completes the transaction in which `jobs` were written. */
  finish(jobs: readonly Job[]): void {
    const written = jobs.flatMap(job => this.#written.get(job) ?? []);
    this.#written.clear();
    for (const kind of KIND_NAMES) {
      const units = written.filter(one => one.kind === kind).map(one => one.units);
      if (units.length > 0) this.#writer(kind).index(units);
    }
  }

  #writer(kind: KindName): TraceWriter {
    return this.#writers.get(kind) as TraceWriter;
  }
}
