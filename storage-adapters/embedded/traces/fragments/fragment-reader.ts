import type {TraceModelName} from '../../../../core/toolkit/traces/model.js';
import type {Database} from '../../disk/database.js';
import type {Body} from '../../threads/bodies.js';
import type {Checkpoint} from '../../threads/operations.js';
import {type ChunkStore, chunkStore} from '../chunks/chunk-store.js';
import {MOST_CHUNKED} from '../chunks/chunk-writer.js';
import type {StoredFragment} from '../packs/pack-codec.js';
import {PackStore} from '../packs/pack-store.js';
import {embeddedTraceModel} from './model.js';

/** After so many fragments others have a turn. */
const FRAGMENTS_PER_TURN = 256;

interface Trace {
  readonly id: string;
  readonly number: number;
}

/** Reads the fragments of a trace, wherever they are: in packs, in a chunk, in rows of their own, or some of them in each. */
export class FragmentReader {
  readonly #model;
  readonly #packs: PackStore;
  readonly #chunks: ChunkStore | undefined;
  readonly #bodies;
  readonly #count;
  readonly #some;
  readonly #after;
  readonly #body;

  constructor(database: Database, model: TraceModelName) {
    this.#model = embeddedTraceModel(model);
    this.#packs = new PackStore(database, model);
    this.#chunks = chunkStore(database, model);
    this.#bodies = database.prepare<[number], Body>(`SELECT body FROM ${model}_units WHERE trace = ?`).pluck();
    this.#count = database
      .prepare<[number, number], number>(`SELECT count(*) FROM (SELECT 1 FROM ${model}_units WHERE trace = ? LIMIT ?)`)
      .pluck();
    const fields = 'row, start, "end", body';
    this.#some = database.prepare<[number, number, number, string], StoredFragment>(
      `SELECT ${fields} FROM ${model}_units
       WHERE trace = ? AND (start = ? OR "end" = ? OR row IN (SELECT value FROM json_each(?)))`,
    );
    this.#after = database.prepare<[number, number], StoredFragment>(
      `SELECT ${fields} FROM ${model}_units WHERE trace = ? AND (start > ? OR start IS NULL)
       ORDER BY start IS NULL, start`,
    );
    this.#body = database
      .prepare<[number, string], Body>(`SELECT body FROM ${model}_units WHERE trace = ? AND identity = ?`)
      .pluck();
  }

  bodies(trace: number, checkpoint: Checkpoint): readonly Body[] {
    const bodies: Body[] = [];
    const take = (body: Body): void => {
      if (bodies.push(body) % FRAGMENTS_PER_TURN === 0) checkpoint();
    };
    for (const fragments of this.#packs.of(trace)) for (const {body} of fragments) take(body);
    for (const {body} of this.#chunked(trace)) take(body);
    for (const body of this.#bodies.iterate(trace)) take(body);
    return bodies;
  }

  hasMoreThan(trace: number, count: number): boolean {
    let found = this.#count.get(trace, count + 1) ?? 0;
    for (const {rows} of found > count ? [] : this.#packs.heads(trace)) found += rows.length;
    // What may be in a chunk is read only where it matters.
    if (found > count || found + MOST_CHUNKED <= count) return found > count;
    return found + this.#chunked(trace).length > count;
  }

  /** Those that start or end at these times (microseconds), or have one of the rows. */
  some(trace: number, start: number, end: number, rows: ReadonlySet<number>): readonly StoredFragment[] {
    const isWanted = (one: StoredFragment): boolean => one.start === start || one.end === end || rows.has(one.row);
    const found = this.#some.all(trace, start, end, JSON.stringify([...rows]));
    found.push(...this.#chunked(trace).filter(isWanted));
    for (const head of this.#packs.heads(trace)) {
      if (head.start !== start && head.end !== end && !head.rows.some(row => rows.has(row))) continue;
      found.push(...this.#packs.fragments(trace, head).filter(isWanted));
    }
    return found;
  }

  /** Those that start after a time (microseconds), in the order of their starts; those without one come last. */
  *after(trace: number, time: number): IterableIterator<StoredFragment> {
    const chunked = this.#chunked(trace);
    if (chunked.length === 0 && !this.#packs.has(trace)) {
      yield* this.#after.iterate(trace, time);
      return;
    }
    const found = this.#after.all(trace, time);
    for (const fragments of [chunked, ...this.#packs.of(trace)]) {
      for (const one of fragments) if (one.start === null || one.start > time) found.push(one);
    }
    const startOf = ({start}: StoredFragment): number => start ?? Number.MAX_VALUE;
    yield* found.sort((a, b) => startOf(a) - startOf(b));
  }

  /** Gives the body of a fragment of a trace by its identity. What has no row of its own is gone through when it is first asked. */
  byIdentity({id, number}: Trace): (identity: string) => Body | undefined {
    let others: Map<string, Body> | undefined;
    return identity => {
      const body = this.#body.get(number, identity);
      if (body !== undefined) return body;
      others ??= new Map(
        [...this.#packs.of(number), this.#chunked(number)]
          .flat()
          .map(one => [this.#model.identity(this.#model.decode(id, one.body)), one.body] as const),
      );
      return others.get(identity);
    };
  }

  #chunked(trace: number): readonly StoredFragment[] {
    return this.#chunks?.of(trace) ?? [];
  }
}
