import {TRACE_MODEL_NAMES, type TraceModelName} from '../../../../core/toolkit/traces/model.js';
import type {Database} from '../../disk/database.js';
import {DamagedValues} from '../../disk/storage-error.js';
import type {Body} from '../../threads/bodies.js';
import {Dictionaries} from './dictionaries.js';
import {Inflater} from './inflater.js';
import {decodeBodies, decodePack, decodeRows, encodePack, encodeRows, type StoredFragment} from './pack-codec.js';

/** Where a pack stands, and which fragments are in it. */
export interface PackHead {
  readonly part: number;
  /** Ascending; 0 for those without a time, of which there may be several. */
  readonly rows: readonly number[];
  /** Microseconds; null when none of its fragments has a time. */
  readonly start: number | null;
  readonly end: number | null;
}

/** One for each model: a connection has no need of more, and each keeps a dictionary in memory. */
export type PackStores = Readonly<Record<TraceModelName, PackStore>>;

export function packStores(database: Database): PackStores {
  return Object.fromEntries(TRACE_MODEL_NAMES.map(model => [model, new PackStore(database, model)])) as PackStores;
}

/** The compressed fragments of quiet traces, some of one trace in a row. */
export class PackStore {
  readonly #isText: boolean;
  readonly #dictionaries: Dictionaries;
  /** Made for who reads traces of a few packs. */
  #inflater: Inflater | undefined;
  readonly #has;
  readonly #traces;
  readonly #heads;
  readonly #all;
  readonly #few;
  readonly #data;
  readonly #put;
  readonly #remove;

  constructor(database: Database, model: TraceModelName) {
    this.#isText = model !== 'otlp';
    this.#dictionaries = new Dictionaries(database, model);
    this.#has = database.prepare<[number], number>(`SELECT 1 FROM ${model}_packs WHERE trace = ? LIMIT 1`).pluck();
    this.#traces = database.prepare<[], number>(`SELECT DISTINCT trace FROM ${model}_packs`).pluck();
    this.#heads = database.prepare<[number], Omit<PackHead, 'rows'> & {rows: Buffer}>(
      `SELECT part, rows, start, "end" FROM ${model}_packs WHERE trace = ?`,
    );
    this.#all = database
      .prepare<[number], [Buffer, Buffer]>(`SELECT rows, data FROM ${model}_packs WHERE trace = ?`)
      .raw();
    this.#few = database
      .prepare<[number, number, number], Buffer | null>(
        `SELECT CASE WHEN length(data) <= ? THEN data END FROM ${model}_packs WHERE trace = ? LIMIT ?`,
      )
      .pluck();
    this.#data = database
      .prepare<[number, number], Buffer>(`SELECT data FROM ${model}_packs WHERE trace = ? AND part = ?`)
      .pluck();
    this.#put = database.prepare(
      `INSERT INTO ${model}_packs (trace, part, rows, start, "end", data)
       VALUES (?, (SELECT coalesce(max(part) + 1, 0) FROM ${model}_packs WHERE trace = ?), ?, ?, ?, ?)`,
    );
    this.#remove = database.prepare<[number, number]>(`DELETE FROM ${model}_packs WHERE trace = ? AND part = ?`);
  }

  has(trace: number): boolean {
    return this.#has.get(trace) !== undefined;
  }

  heads(trace: number): readonly PackHead[] {
    return this.#heads.all(trace).map(head => ({...head, rows: decodeRows(head.rows)}));
  }

  /** The fragments of one pack. */
  fragments(trace: number, {part, rows}: PackHead): readonly StoredFragment[] {
    const data = this.#data.get(trace, part);
    return data === undefined ? [] : decodePack(rows, data, this.#dictionaries.of(trace), this.#isText);
  }

  /** All fragments of a trace that are packed, pack by pack. */
  *of(trace: number): IterableIterator<readonly StoredFragment[]> {
    for (const [rows, data] of this.#all.iterate(trace)) {
      yield decodePack(decodeRows(rows), data, this.#dictionaries.of(trace), this.#isText);
    }
  }

  /**
   * The bodies of a trace that are packed; undefined when it has more packs than `count`, one of more than `bytes`, or of a
   * content longer than `longest`, or that is damaged.
   */
  few(trace: number, count: number, bytes: number, longest: number): readonly Body[] | undefined {
    const packs = this.#few.all(bytes, trace, count + 1);
    if (packs.length > count) return undefined;
    this.#inflater ??= new Inflater();
    const bodies: Body[] = [];
    for (const data of packs) {
      const content = data === null ? undefined : this.#inflater.read(data, this.#dictionaries.of(trace), longest);
      if (content === undefined) return undefined;
      for (const body of decodeBodies(content, this.#isText)) bodies.push(body);
    }
    return bodies;
  }

  /** Reads everything, and counts the traces that are not as they were written. */
  countDamaged(): number {
    let damaged = 0;
    for (const trace of this.#traces.iterate()) {
      try {
        for (const _ of this.of(trace));
      } catch (error) {
        if (!(error instanceof DamagedValues)) throw error;
        damaged++;
      }
    }
    return damaged;
  }

  /** `fragments` are in the order of their rows; the trace has a dictionary. */
  put(trace: number, fragments: readonly StoredFragment[]): void {
    const rows = encodeRows(fragments.map(({row}) => row));
    const timed = fragments.filter(({row}) => row > 0);
    const start = timed.length === 0 ? null : Math.min(...timed.map(one => one.start as number));
    const end = timed.length === 0 ? null : Math.max(...timed.map(one => one.end as number));
    this.#put.run(trace, trace, rows, start, end, encodePack(fragments, this.#dictionaries.of(trace)));
  }

  remove(trace: number, part: number): void {
    this.#remove.run(trace, part);
  }
}
