import {GatewayError} from '../../../core/api/adapter.js';
import type {TraceModelName} from '../../../core/toolkit/traces/model.js';
import {TRACE_MODEL_NAMES} from '../../../core/toolkit/traces/model.js';
import type {Database} from '../disk/database.js';
import type {StoredTraces, TraceBatch, TracePart} from '../threads/writer-protocol.js';
import {FragmentStore, type WrittenFragments} from '../traces/fragments/fragment-store.js';
import type {PackStores} from '../traces/packs/pack-store.js';
import type {Job} from './group-commit.js';

/** What one sample of a metric is to a commit, a span or segment is several times. */
const SIZE_OF_FRAGMENT = 10;

interface TraceAnswer {
  stored(stored: StoredTraces): void;
  failed(error: unknown): void;
}

/** Makes batches of fragments into jobs of a commit, and indexes the fragments of one commit together. */
export class TraceCommits {
  readonly #writers: ReadonlyMap<TraceModelName, FragmentStore>;
  /** Of batches that are on their way, by number. */
  readonly #parts = new Map<number, TracePart[]>();
  readonly #written = new Map<Job, {readonly model: TraceModelName; readonly fragments: WrittenFragments}>();

  /** `keep` is the retention in milliseconds. */
  constructor(database: Database, packs: PackStores, keep: number | undefined) {
    this.#writers = new Map(
      TRACE_MODEL_NAMES.map(model => [model, new FragmentStore(database, model, packs[model], keep)]),
    );
  }

  /** Keeps a part of a batch until that is written. */
  prepare(number: number, part: TracePart): void {
    const parts = this.#parts.get(number);
    if (parts === undefined) this.#parts.set(number, [part]);
    else parts.push(part);
  }

  /** `now` gives the time in milliseconds. */
  job({number, model, before, last}: TraceBatch, now: () => number, answer: TraceAnswer): Job {
    let late = 0;
    const parts = [...(this.#parts.get(number) ?? []), last];
    this.#parts.delete(number);
    if (parts.length <= before) {
      throw new GatewayError('storage_failed', 'a part of the batch was lost with the writing thread; send it again');
    }
    const job: Job = {
      size: parts.reduce((sum, part) => sum + fragmentsOf(part), 0) * SIZE_OF_FRAGMENT,
      write: () => {
        const fragments = this.#writer(model).write(parts, now());
        ({late} = fragments);
        this.#written.set(job, {model, fragments});
      },
      stored: seconds => answer.stored({seconds, late}),
      failed: error => answer.failed(error),
    };
    return job;
  }

  /** Completes the transaction in which `jobs` were written. */
  finish(jobs: readonly Job[]): void {
    const written = jobs.flatMap(job => this.#written.get(job) ?? []);
    this.#written.clear();
    for (const model of TRACE_MODEL_NAMES) {
      const fragments = written.filter(one => one.model === model).map(one => one.fragments);
      if (fragments.length > 0) this.#writer(model).index(fragments);
    }
  }

  #writer(model: TraceModelName): FragmentStore {
    return this.#writers.get(model) as FragmentStore;
  }
}

function fragmentsOf(part: TracePart): number {
  return 'spans' in part ? part.spans.length / 3 : part.bodies.length;
}
