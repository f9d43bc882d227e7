import {MICROS_PER_HOUR, MS_PER_HOUR} from '../../../../core/toolkit/time.js';
import type {TraceModelName} from '../../../../core/toolkit/traces/model.js';
import type {Database} from '../../disk/database.js';
import type {TracePart} from '../../threads/writer-protocol.js';
import {contentOf, type Entry, type IndexEntry} from '../blocks/block-builder.js';
import {BlockWriter} from '../blocks/block-writer.js';
import type {FreshSpan} from '../chunks/chunk-codec.js';
import {type ChunkStore, chunkStore} from '../chunks/chunk-store.js';
import {ChunkWriter} from '../chunks/chunk-writer.js';
import type {ChunkedSpan} from '../chunks/chunked-span.js';
import type {PackStore} from '../packs/pack-store.js';
import {Unpacking} from '../packs/unpacking.js';
import {type Bounds, FragmentTables} from './fragment-tables.js';
import type {IncomingFragment, IncomingFragments} from './incoming.js';
import {IncomingSpan} from './incoming-span.js';
import {SpanFragments} from './span-fragments.js';
import {TextFragments} from './text-fragments.js';

/** A trace while a batch changes it. */
interface OpenTrace {
  readonly number: number;
  start: number | undefined;
  end: number | undefined;
  /** The identities that it has, when all of them are known here. */
  readonly identities: Set<string> | undefined;
  /** Its spans that will be in a chunk; undefined when it has rows of its own. */
  fresh: FreshFragment[] | undefined;
  /** What it has in a chunk, by identity. */
  chunked: ReadonlyMap<string, ChunkedSpan>;
  changed: boolean;
  /** Spans that the batch brings. */
  spans: number;
  /** Fragments were replaced, so the bounds may have become narrower. */
  narrowed: boolean;
}

interface FreshFragment extends FreshSpan {
  readonly sent: IncomingSpan;
}

const NONE: ReadonlyMap<string, ChunkedSpan> = new Map();

/** What a batch has left to do in its commit. */
export interface WrittenFragments {
  readonly entries: readonly Entry[];
  /** Rows of fragments that it replaced. */
  readonly replaced: readonly number[];
  /** Spans of traces that ended before their retention. */
  readonly late: number;
}

/** Puts fragments of one model into the tables, inside a transaction of the caller. */
export class FragmentStore {
  readonly #incoming: IncomingFragments;
  readonly #tables: FragmentTables;
  readonly #unpacking: Unpacking;
  readonly #chunks: ChunkStore | undefined;
  readonly #chunkWriter: ChunkWriter | undefined;
  readonly #blocks: BlockWriter;
  readonly #keep: number;
  #lastTrace: number;
  #lastRow: number;

  /** `keep` is the retention in milliseconds. */
  constructor(database: Database, name: TraceModelName, packs: PackStore, keep = Number.POSITIVE_INFINITY) {
    this.#incoming = name === 'otlp' ? new SpanFragments() : new TextFragments(name);
    this.#tables = new FragmentTables(database, name);
    this.#unpacking = new Unpacking(name, packs, this.#tables);
    this.#chunks = chunkStore(database, name);
    this.#chunkWriter = this.#chunks && new ChunkWriter(this.#chunks);
    this.#blocks = new BlockWriter(database, name);
    this.#keep = keep;
    this.#lastTrace = this.#tables.lastTrace;
    this.#lastRow = this.#tables.lastRow;
  }

  /** Stores all fragments but their index. `now` (milliseconds) dates the traces that have no time. */
  write(parts: readonly TracePart[], now: number): WrittenFragments {
    const traces = new Map<string, OpenTrace>();
    const entries: Entry[] = [];
    const replaced: number[] = [];
    // What a batch before held, or left behind when it failed.
    this.#chunks?.release();
    this.#chunkWriter?.reset();
    for (const part of parts) {
      for (const fragment of this.#incoming.read(part)) {
        const {traceId} = fragment;
        let trace = traces.get(traceId);
        if (trace === undefined) {
          trace = this.#open(traceId);
          traces.set(traceId, trace);
        }
        this.#writeFragment(trace, fragment, entries, replaced);
      }
    }
    const cutOff = Math.floor((now - this.#keep) / MS_PER_HOUR);
    let late = 0;
    for (const [id, trace] of traces) {
      if (!trace.changed) continue;
      if (trace.fresh !== undefined && this.#chunkWriter?.add(trace.fresh) === false) this.#putRows(trace);
      if (this.#close(id, trace, now) < cutOff) late += trace.spans;
    }
    this.#chunkWriter?.flush();
    return {entries, replaced, late};
  }

  /** Indexes what the batches of one transaction have written. */
  index(written: readonly WrittenFragments[]): void {
    const entries: Entry[] = [];
    for (const batch of written) for (const entry of batch.entries) entries.push(entry);
    const replaced = new Set(written.flatMap(batch => batch.replaced));
    if (replaced.size === 0) {
      this.#blocks.write(contentOf(entries));
      return;
    }
    // Some were written by this very transaction, and are in no block yet.
    const kept = entries.filter(({row}) => !replaced.has(row));
    for (const {row} of entries) replaced.delete(row);
    this.#blocks.markRemoved([...replaced]);
    this.#blocks.write(contentOf(kept));
  }

  #open(id: string): OpenTrace {
    const known = this.#tables.trace(id);
    if (known !== undefined) {
      this.#unpacking.unpack(known.number, id);
      const chunked = byIdentity(this.#chunks?.held(known.number) ?? []);
      return {...known, identities: undefined, fresh: undefined, chunked, changed: false, spans: 0, narrowed: false};
    }
    const unknown = {start: undefined, end: undefined, identities: new Set<string>()};
    const fresh = this.#chunks && [];
    return {number: ++this.#lastTrace, ...unknown, fresh, chunked: NONE, changed: true, spans: 0, narrowed: false};
  }

  #writeFragment(trace: OpenTrace, fragment: IncomingFragment, entries: Entry[], replaced: number[]): void {
    const {identity, count, spans} = fragment;
    const mayBeThere = trace.identities === undefined || trace.identities.has(identity);
    if (mayBeThere && this.#isStored(trace, fragment, replaced)) return;
    trace.identities?.add(identity);
    trace.changed = true;

    trace.spans += count;
    const row = spans.length === 0 ? 0 : ++this.#lastRow;
    if (row > 0) entries.push({row, trace: trace.number, spans});
    const {start, end} = boundsOf(spans);
    if (trace.fresh !== undefined && fragment instanceof IncomingSpan) {
      trace.fresh.push({trace: trace.number, row, start: start ?? 0, end: end ?? 0, sent: fragment});
    } else {
      const times = {start: start ?? null, end: end ?? null};
      this.#tables.putFragment(trace.number, identity, {row, ...times, body: fragment.body});
    }
    if (start === undefined || end === undefined) return;
    trace.start = Math.min(trace.start ?? start, start);
    trace.end = Math.max(trace.end ?? end, end);
  }

  /** Whether the trace has it just so. What is in its place counts as replaced. */
  #isStored(trace: OpenTrace, fragment: IncomingFragment, replaced: number[]): boolean {
    const {identity} = fragment;
    if (trace.fresh !== undefined) this.#putRows(trace);
    const chunked = trace.chunked.get(identity);
    if (chunked !== undefined && Buffer.compare(chunked.body, fragment.body as Uint8Array) === 0) return true;
    if (chunked !== undefined) this.#unchunk(trace);
    const old = this.#tables.fragment(trace.number, identity, fragment.body);
    if (old === undefined || old.same) return old !== undefined;
    // The bounds of such a trace come from its rows.
    this.#unchunk(trace);
    trace.narrowed = true;
    if (old.row > 0) replaced.push(old.row);
    return false;
  }

  /** Gives the spans of a new trace rows of their own. */
  #putRows(trace: OpenTrace): void {
    for (const {row, start, end, sent} of trace.fresh ?? []) {
      const times = row === 0 ? {start: null, end: null} : {start, end};
      this.#tables.putFragment(trace.number, sent.identity, {row, ...times, body: sent.body});
    }
    trace.fresh = undefined;
  }

  /** The same for those that are in a chunk. */
  #unchunk(trace: OpenTrace): void {
    if (trace.chunked.size === 0) return;
    for (const span of this.#chunks?.takeTrace(trace.number) ?? []) {
      this.#tables.putFragment(trace.number, span.identity, span);
    }
    trace.chunked = NONE;
  }

  /** Answers the last hour in which something of the trace happened. */
  #close(id: string, trace: OpenTrace, now: number): number {
    const bounds = trace.narrowed ? this.#tables.bounds(trace.number) : trace;
    const hours = bounds.end === undefined ? now / MS_PER_HOUR : bounds.end / MICROS_PER_HOUR;
    const hour = Math.floor(hours);
    this.#tables.putTrace(trace.number, id, bounds, hour);
    return hour;
  }
}

function byIdentity(spans: readonly ChunkedSpan[]): ReadonlyMap<string, ChunkedSpan> {
  return spans.length === 0 ? NONE : new Map(spans.map(span => [span.identity, span]));
}

function boundsOf(spans: readonly IndexEntry[]): Bounds {
  const [first] = spans;
  if (first === undefined) return {start: undefined, end: undefined};
  let {start, end} = first;
  for (const span of spans) {
    start = Math.min(start, span.start);
    end = Math.max(end, span.end);
  }
  return {start, end};
}
