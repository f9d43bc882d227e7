import type {TraceModelName} from '../../../../core/toolkit/traces/model.js';
import type {Database} from '../../disk/database.js';
import {ChunkEncoder, decodeChunk, type FreshSpan} from './chunk-codec.js';
import type {ChunkedSpan} from './chunked-span.js';

/** The numbers of the first and the last trace of a chunk. */
export interface ChunkPlace {
  readonly first: number;
  readonly last: number;
}

interface Chunk extends ChunkPlace {
  readonly spans: readonly ChunkedSpan[];
}

type Row = ChunkPlace & {readonly data: Buffer};

/** Undefined for the other traces. */
export function chunkStore(database: Database, model: TraceModelName): ChunkStore | undefined {
  return model === 'otlp' ? new ChunkStore(database) : undefined;
}

/** The first spans of traces of OTLP: a chunk has those of consecutive traces that came together. */
export class ChunkStore {
  readonly #atOrBefore;
  readonly #after;
  readonly #from;
  readonly #put;
  readonly #remove;
  readonly #encoder = new ChunkEncoder();
  /** The chunk that was read last, while nobody else can have changed it. */
  #held: Chunk | undefined;

  constructor(database: Database) {
    this.#atOrBefore = database.prepare<[number], Row>(
      'SELECT first, last, data FROM otlp_chunks WHERE first <= ? ORDER BY first DESC LIMIT 1',
    );
    this.#after = database.prepare<[number], ChunkPlace>(
      'SELECT first, last FROM otlp_chunks WHERE first > ? ORDER BY first LIMIT 1',
    );
    this.#from = database.prepare<[number], Row>(
      'SELECT first, last, data FROM otlp_chunks WHERE first >= ? ORDER BY first',
    );
    this.#put = database.prepare('INSERT INTO otlp_chunks (first, last, data) VALUES (?, ?, ?)');
    this.#remove = database.prepare<[number]>('DELETE FROM otlp_chunks WHERE first = ?');
  }

  /** The spans of a trace. */
  of(trace: number): readonly ChunkedSpan[] {
    const row = this.#atOrBefore.get(trace);
    return row === undefined || row.last < trace ? [] : decodeChunk(row.first, row.data, trace);
  }

  /** The same for several traces of a batch: neighbours are read once. Until `release`. */
  held(trace: number): readonly ChunkedSpan[] {
    if (this.#held === undefined || trace < this.#held.first || trace > this.#held.last) {
      const row = this.#atOrBefore.get(trace);
      if (row === undefined || row.last < trace) return [];
      this.#held = {first: row.first, last: row.last, spans: decodeChunk(row.first, row.data)};
    }
    return this.#held.spans.filter(span => span.trace === trace);
  }

  release(): void {
    this.#held = undefined;
  }

  /** The first chunk that begins after a trace. */
  after(trace: number): ChunkPlace | undefined {
    return this.#after.get(trace);
  }

  /** At most so many spans, of chunks that begin with this trace or later. */
  sample(trace: number, count: number): readonly ChunkedSpan[] {
    const found: ChunkedSpan[] = [];
    for (const {first, data} of this.#from.iterate(trace)) {
      found.push(...decodeChunk(first, data));
      if (found.length >= count) break;
    }
    return found.slice(0, count);
  }

  /** Spans of new traces, in the order of their numbers; none is in another chunk. */
  put(spans: readonly FreshSpan[]): void {
    const [first] = spans;
    if (first !== undefined) this.#put.run(first.trace, spans.at(-1)?.trace, this.#encoder.encode(spans));
  }

  /** Takes a whole chunk away, and gives what was in it. */
  take({first}: ChunkPlace): readonly ChunkedSpan[] {
    this.release();
    const row = this.#atOrBefore.get(first);
    if (row === undefined) return [];
    this.#remove.run(row.first);
    return decodeChunk(row.first, row.data);
  }

  /** Takes a trace out of its chunk. */
  takeTrace(trace: number): readonly ChunkedSpan[] {
    this.release();
    const row = this.#atOrBefore.get(trace);
    if (row === undefined || row.last < trace) return [];
    const all = decodeChunk(row.first, row.data);
    const taken = all.filter(span => span.trace === trace);
    if (taken.length === 0) return [];
    this.#remove.run(row.first);
    this.put(
      all
        .filter(span => span.trace !== trace)
        .map(({row, start, end, ...span}) => ({...span, row, start: start ?? 0, end: end ?? 0})),
    );
    return taken;
  }
}
