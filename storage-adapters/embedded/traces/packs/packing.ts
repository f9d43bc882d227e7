import {performance} from 'node:perf_hooks';
import {MS_PER_MINUTE} from '../../../../core/toolkit/time.js';
import type {TraceModelName} from '../../../../core/toolkit/traces/model.js';
import type {Database} from '../../disk/database.js';
import {type ChunkPlace, type ChunkStore, chunkStore} from '../chunks/chunk-store.js';
import {FragmentTables} from '../fragments/fragment-tables.js';
import {DictionaryWriter} from './dictionaries.js';
import type {StoredFragment} from './pack-codec.js';
import type {PackStore} from './pack-store.js';

/** How long nothing has come to a trace before it is packed. */
const QUIET = MS_PER_MINUTE;
/** A pack that has come to this many fragments, or bytes before they are compressed, is large enough: it fits into a page. */
const PACK_FRAGMENTS = 32;
const PACK_LENGTH = 32_768;
/** A trace with more fragments stays as it is: to unpack it for a late span would hold up writing for long. */
const MOST_FRAGMENTS = 20_000;
/** A step ends after so many fragments were packed, or so many traces passed over. */
const FRAGMENTS_PER_STEP = 256;
const TRACES_PER_STEP = 512;

/** The latest trace and row at some time. */
interface Mark {
  readonly time: number;
  readonly trace: number;
  readonly row: number;
}

interface Member {
  readonly identity: string;
  readonly row: number;
}

/**
 * Moves the fragments of quiet traces into packs, in steps between which batches are written. It goes through the traces
 * in the order of their numbers, once a minute at most, up to what was the latest fragment a minute before. A step leaves
 * each fragment in one place, and a trace may have fragments in both.
 */
export class Packing {
  readonly #database: Database;
  readonly #packs: PackStore;
  readonly #chunks: ChunkStore | undefined;
  readonly #tables: FragmentTables;
  readonly #dictionaries: DictionaryWriter;
  readonly #lastTrace;
  readonly #lastRow;
  readonly #next;
  readonly #members;
  readonly #all;
  readonly #removeAll;
  readonly #fragment;
  readonly #removeFragment;
  /** Where it will go to next, in a minute. */
  #coming: Mark | undefined;
  #pass: Mark | undefined;
  #passed: Mark | undefined;
  /** The trace of the pass that was looked at last, and which of its fragments have to be packed yet. */
  #trace = 0;
  #left: Member[] = [];

  /** `least` is how many fragments there are before any is packed. */
  constructor(database: Database, model: TraceModelName, packs: PackStore, least?: number) {
    this.#database = database;
    this.#packs = packs;
    this.#chunks = chunkStore(database, model);
    this.#tables = new FragmentTables(database, model);
    this.#dictionaries = new DictionaryWriter(database, model, least);
    const highest = (sql: string) => database.prepare<[], number | null>(sql).pluck();
    this.#lastTrace = highest(`SELECT max(number) FROM ${model}_traces`);
    this.#lastRow = highest(`SELECT max(last) FROM ${model}_blocks WHERE state = 1`);
    this.#next = database
      .prepare<[number], number>(`SELECT trace FROM ${model}_units WHERE trace > ? ORDER BY trace LIMIT 1`)
      .pluck();
    this.#members = database.prepare<[number], Member>(
      `SELECT identity, row FROM ${model}_units WHERE trace = ? LIMIT ${MOST_FRAGMENTS + 1}`,
    );
    this.#all = database.prepare<[number], StoredFragment>(
      `SELECT row, start, "end", body FROM ${model}_units WHERE trace = ? ORDER BY row`,
    );
    this.#removeAll = database.prepare(`DELETE FROM ${model}_units WHERE trace = ?`);
    this.#fragment = database.prepare<[number, string], StoredFragment>(
      `SELECT row, start, "end", body FROM ${model}_units WHERE trace = ? AND identity = ?`,
    );
    this.#removeFragment = database.prepare(`DELETE FROM ${model}_units WHERE trace = ? AND identity = ?`);
  }

  /** Does one step; false when nothing is due. `all` takes every trace as quiet. */
  step(all: boolean): boolean {
    this.#pass ??= this.#begin(all);
    const pass = this.#pass;
    if (pass === undefined) return false;
    try {
      if (this.#database.transaction(() => this.#goOn(pass, all))()) return true;
    } catch (error) {
      this.#pass = undefined;
      throw error;
    }
    this.#passed = pass;
    this.#pass = undefined;
    return true;
  }

  #begin(all: boolean): Mark | undefined {
    const time = performance.now();
    if (!all && this.#coming !== undefined && time < this.#coming.time + QUIET) return undefined;
    const present = {time, trace: this.#lastTrace.get() ?? 0, row: this.#lastRow.get() ?? 0};
    const pass = all ? present : this.#coming;
    this.#coming = present;
    if (pass === undefined || (pass.trace === this.#passed?.trace && pass.row === this.#passed.row)) return undefined;
    this.#trace = 0;
    this.#left = [];
    return pass;
  }

  /** False when the pass is at its end. */
  #goOn(pass: Mark, all: boolean): boolean {
    let packed = 0;
    for (let seen = 0; seen < TRACES_PER_STEP && packed < FRAGMENTS_PER_STEP; seen++) {
      if (this.#left.length === 0) {
        const trace = this.#next.get(this.#trace) ?? Number.POSITIVE_INFINITY;
        const chunk = this.#chunks?.after(this.#trace);
        if (chunk !== undefined && chunk.first <= trace && chunk.last <= pass.trace) {
          if (!this.#dictionaries.provide(chunk.first)) return false;
          packed += this.#unchunk(chunk);
          continue;
        }
        if (trace > pass.trace) return false;
        this.#trace = trace;
        const members = this.#members.all(trace).sort((a, b) => a.row - b.row);
        if (!isQuiet(members, pass, all)) continue;
        if (!this.#dictionaries.provide(trace)) return false;
        if (members.length <= PACK_FRAGMENTS && this.#packWhole(trace)) {
          packed += members.length;
          continue;
        }
        this.#left = members;
      }
      packed += this.#pack();
    }
    return true;
  }

  /** Gives the spans of a chunk rows of their own, and tells how many. Packed they are one trace after the other, as others. */
  #unchunk(chunk: ChunkPlace): number {
    const spans = this.#chunks?.take(chunk) ?? [];
    for (const span of spans) this.#tables.putFragment(span.trace, span.identity, span);
    return spans.length;
  }

  /** Makes one pack of a trace; false when it is too long for that. One statement costs less than one for each fragment. */
  #packWhole(trace: number): boolean {
    const fragments = this.#all.all(trace);
    if (fragments.reduce((length, {body}) => length + body.length, 0) > 2 * PACK_LENGTH) return false;
    this.#packs.put(trace, fragments);
    this.#removeAll.run(trace);
    return true;
  }

  /** Makes the next pack of the trace, and tells how many fragments are in it. */
  #pack(): number {
    const fragments: StoredFragment[] = [];
    let length = 0;
    let taken = 0;
    for (const {identity} of this.#left) {
      if (taken === PACK_FRAGMENTS || length >= PACK_LENGTH) break;
      taken++;
      const fragment = this.#fragment.get(this.#trace, identity);
      // It has been removed since.
      if (fragment === undefined) continue;
      fragments.push(fragment);
      length += fragment.body.length;
      this.#removeFragment.run(this.#trace, identity);
    }
    this.#left.splice(0, taken);
    // One that was replaced meanwhile has another row.
    fragments.sort((a, b) => a.row - b.row);
    if (fragments.length > 0) this.#packs.put(this.#trace, fragments);
    return taken;
  }
}

/** A trace that took long to come has to be quiet for as long: it is not packed and unpacked all the time. */
function isQuiet(members: readonly Member[], pass: Mark, all: boolean): boolean {
  if (members.length > MOST_FRAGMENTS) return false;
  const last = members[members.length - 1]?.row ?? 0;
  const first = members.find(({row}) => row > 0)?.row ?? last;
  return all || (last <= pass.row && pass.row - last >= last - first);
}
