import type {FreshSpan} from './chunk-codec.js';
import type {ChunkStore} from './chunk-store.js';

/** A chunk ends with the trace that brings it to so many spans or bytes: to read one of them is to read all. */
const CHUNK_SPANS = 256;
const CHUNK_BYTES = 16_384;
/** A trace with more is better off with rows of its spans, of which some can be read. */
export const MOST_CHUNKED = 128;
const MOST_BYTES = 32_768;

/** Gathers the spans of new traces into chunks. */
export class ChunkWriter {
  readonly #chunks: ChunkStore;
  #gathered: FreshSpan[] = [];
  #bytes = 0;

  constructor(chunks: ChunkStore) {
    this.#chunks = chunks;
  }

  /** The spans of the next trace; false where they belong into rows of their own. */
  add(spans: readonly FreshSpan[]): boolean {
    let bytes = 0;
    for (const {sent} of spans) bytes += sent.limit - sent.begin;
    if (spans.length > MOST_CHUNKED || bytes > MOST_BYTES) return false;
    for (const span of spans) this.#gathered.push(span);
    this.#bytes += bytes;
    if (this.#gathered.length >= CHUNK_SPANS || this.#bytes >= CHUNK_BYTES) this.flush();
    return true;
  }

  /** To be called behind the last one. */
  flush(): void {
    this.#chunks.put(this.#gathered);
    this.#gathered = [];
    this.#bytes = 0;
  }

  /** Forgets what a batch that failed has left. */
  reset(): void {
    this.#gathered = [];
    this.#bytes = 0;
  }
}
