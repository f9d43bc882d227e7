import {MICROS_PER_HOUR, MS_PER_HOUR} from '../../../../core/toolkit/time.js';
import type {TraceModelName} from '../../../../core/toolkit/traces/model.js';
import type {Database} from '../../disk/database.js';
import type {TracePart} from '../../threads/writer-protocol.js';
import {contentOf, type Entry, type IndexEntry} from '../blocks/block-builder.js';
import {BlockWriter} from '../blocks/block-writer.js';
import type {PackStore} from '../packs/pack-store.js';
import {Unpacking} from '../packs/unpacking.js';
import {type Bounds, FragmentTables} from './fragment-tables.js';
import type {IncomingFragment, IncomingFragments} from './incoming.js';
import {SpanFragments} from './span-fragments.js';
import {TextFragments} from './text-fragments.js';

/** A trace while a batch changes it. */
interface OpenTrace {
  readonly number: number;
  start: number | undefined;
  end: number | undefined;
  /** The identities that it has, when all of them are known here. */
  readonly identities: Set<string> | undefined;
  changed: boolean;
  /** Spans that the batch brings. */
  spans: number;
  /** Fragments were replaced, so the bounds may have become narrower. */
  narrowed: boolean;
}

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
  readonly #blocks: BlockWriter;
  readonly #keep: number;
  #lastTrace: number;
  #lastRow: number;

  /** `keep` is the retention in milliseconds. */
  constructor(database: Database, name: TraceModelName, packs: PackStore, keep = Number.POSITIVE_INFINITY) {
    this.#incoming = name === 'otlp' ? new SpanFragments() : new TextFragments(name);
    this.#tables = new FragmentTables(database, name);
    this.#unpacking = new Unpacking(name, packs, this.#tables);
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
      if (trace.changed && this.#close(id, trace, now) < cutOff) late += trace.spans;
    }
    return {entries, replaced, late};
  }

  /** Indexes what the batches of one transaction have written. */
  index(written: readonly WrittenFragments[]): void {
    const entries = written.flatMap(batch => batch.entries);
    const replaced = new Set(written.flatMap(batch => batch.replaced));
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
      return {...known, identities: undefined, changed: false, spans: 0, narrowed: false};
    }
    const unknown = {start: undefined, end: undefined, identities: new Set<string>()};
    return {number: ++this.#lastTrace, ...unknown, changed: true, spans: 0, narrowed: false};
  }

  #writeFragment(trace: OpenTrace, fragment: IncomingFragment, entries: Entry[], replaced: number[]): void {
    const {identity, count, spans, body} = fragment;
    if (trace.identities === undefined || trace.identities.has(identity)) {
      const old = this.#tables.fragment(trace.number, identity, body);
      if (old?.same) return;
      if (old !== undefined) {
        trace.narrowed = true;
        if (old.row > 0) replaced.push(old.row);
      }
    }
    trace.identities?.add(identity);
    trace.changed = true;

    trace.spans += count;
    const row = spans.length === 0 ? 0 : ++this.#lastRow;
    if (row > 0) entries.push({row, trace: trace.number, spans});
    const {start, end} = boundsOf(spans);
    this.#tables.putFragment(trace.number, identity, row, {start, end}, body);
    if (start === undefined || end === undefined) return;
    trace.start = Math.min(trace.start ?? start, start);
    trace.end = Math.max(trace.end ?? end, end);
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
