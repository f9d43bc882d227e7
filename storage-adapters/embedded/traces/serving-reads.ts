import type {OtlpSearchRequest} from '../../../core/api/adapter.js';
import {TRACE_MODEL_NAMES, type TraceModelName} from '../../../core/toolkit/traces/model.js';
import {type Database, openForReading} from '../disk/database.js';
import type {Body} from '../threads/bodies.js';
import type {EncodedTrace} from '../threads/reader-protocol.js';
import {SmallTraces} from './fragments/small-traces.js';
import {SmallSearches} from './search/small-searches.js';

/** A read that takes longer than this (milliseconds) waited for a disk, or for a core. */
const SLOW = 2;
/** For how many times as long nothing is read here then: so a slow disk holds up others for a small part of the time. */
const REST = 10;
/** Characters or bytes that a trace may have: what the serving thread decodes in a millisecond or two. */
const LONGEST = 2 ** 16;

interface Model {
  readonly traces: SmallTraces;
  readonly searches: SmallSearches;
}

interface Open {
  readonly database: Database;
  readonly begin: {run(): unknown};
  readonly end: {run(): unknown};
  readonly models: ReadonlyMap<TraceModelName, Model>;
}

/**
 * Reads small traces and does small searches on the serving thread itself, over a connection of its own: to wake a reading
 * thread takes several times as long as such a read. Whatever might hold up the serving thread is left to the reading
 * threads: what is not small, what is locked or damaged, and everything for a while after a read that was slow.
 */
export class ServingReads {
  readonly #path: string;
  readonly #now: () => number;
  #open: Open | undefined;
  /** Nothing is read here, and nothing searched for, before these times. */
  #reads = Number.NEGATIVE_INFINITY;
  #searches = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  /** `now`, in milliseconds, is for tests. */
  constructor(path: string, now = () => performance.now()) {
    this.#path = path;
    this.#now = now;
  }

  /** The bodies of the fragments of a trace; null when there is none, undefined when a reading thread has to be asked. */
  trace(model: TraceModelName, id: string): readonly Body[] | null | undefined {
    return this.#read(model, ({traces}) => traces.read(id));
  }

  /** All that a search finds; undefined when a reading thread has to do it. */
  search(model: TraceModelName, request: OtlpSearchRequest): readonly EncodedTrace[] | undefined {
    const begun = this.#now();
    if (begun < this.#searches) return undefined;
    const found = this.#read(model, ({searches}) => searches.read(request));
    // What was done in vain stays a small part too.
    if (found === undefined) this.#searches = begun + (this.#now() - begun) * (REST + 1);
    return found;
  }

  close(): void {
    this.#isClosed = true;
    this.#open?.database.close();
    this.#open = undefined;
  }

  #read<Result>(name: TraceModelName, read: (model: Model) => Result): Result | undefined {
    if (this.#isClosed || this.#now() < this.#reads) return undefined;
    let begun = Number.POSITIVE_INFINITY;
    try {
      this.#open ??= this.#begin();
      begun = this.#now();
      const {begin, end, models} = this.#open;
      // One snapshot for the whole read: packing moves rows from one table to another.
      begin.run();
      try {
        return read(models.get(name) as Model);
      } finally {
        end.run();
      }
    } catch {
      // A reading thread says what it is, if it is more than a lock.
      return undefined;
    } finally {
      const now = this.#now();
      if (now > begun + SLOW) this.#reads = now + (now - begun) * REST;
    }
  }

  #begin(): Open {
    const database = openForReading(this.#path, 0);
    const modelOf = (name: TraceModelName): Model => {
      const traces = new SmallTraces(database, name, LONGEST);
      return {traces, searches: new SmallSearches(database, name, traces, this.#now)};
    };
    return {
      database,
      begin: database.prepare('BEGIN'),
      end: database.prepare('COMMIT'),
      models: new Map(TRACE_MODEL_NAMES.map(name => [name, modelOf(name)])),
    };
  }
}
