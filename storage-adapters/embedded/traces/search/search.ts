import {performance} from 'node:perf_hooks';
import {compareNames, type OtlpSearchRequest} from '../../../../core/api/adapter.js';
import type {Checkpoint} from '../../threads/operations.js';
import type {EncodedTrace, SearchPage} from '../../threads/reader-protocol.js';
import {type IndexBlock, STARTS, TRACES} from '../blocks/block-store.js';
import {BlockColumn} from '../index/column.js';
import type {Ordinals} from '../index/postings.js';
import {type DurationBounds, type DurationCandidates, durationBounds} from './duration-candidates.js';
import {Heap} from './heap.js';
import type {StoredBounds} from './loader.js';
import type {SearchedIndex} from './trace-index.js';

/** How long a slice of work lasts, about, before other calls have their turn. */
const SLICE = 8;
const TRACES_PER_PAGE = 20;
const SPANS_PER_STEP = 256;
/** Traces that are looked up in vain before the index by duration is asked which are worth it. */
const MISSES = 128;
const NO_COLUMN = new BlockColumn(new Uint8Array(1));

/** Matching spans of one block that have not been looked at, from the latest on. */
interface Walk {
  readonly starts: BlockColumn;
  readonly traces: BlockColumn;
  readonly low: number;
  readonly ordinals: Ordinals | undefined;
  /** How many are left. */
  left: number;
}

const NO_WALK: Walk = {starts: NO_COLUMN, traces: NO_COLUMN, low: 0, ordinals: undefined, left: 0};
const ANY_DURATION: DurationBounds = {min: 0, max: Number.POSITIVE_INFINITY};

interface Candidate extends StoredBounds {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/**
 * A search under way. It walks through the matching spans of all blocks from the latest back. A trace starts no later
 * than any of its spans: so once every matching span that starts at `time` or later has been seen, the traces among
 * them that start after `time` are complete and in order, and can be handed out.
 *
 * Each slice sees the newest state of the database. Between slices blocks may have been merged; the walk then goes on
 * in the merged one, below the time that it had reached.
 */
export class EmbeddedTraceSearch {
  readonly #index: SearchedIndex;
  readonly #request: OtlpSearchRequest;
  readonly #seen = new Set<number>();
  readonly #ready = new Heap<Candidate>((a, b) => b.start - a.start || compareNames(a.id, b.id));
  #walks = new Map<number, Walk>();
  /** Matching spans that start here or later have been seen. */
  #to: number;
  /** Undefined when any duration will do. */
  readonly #bounds: DurationBounds | undefined;
  #candidates: DurationCandidates | undefined;
  #misses: number;

  constructor(index: SearchedIndex, request: OtlpSearchRequest) {
    this.#index = index;
    this.#request = request;
    this.#to = request.to;
    this.#bounds = durationBounds(request, index.store.model);
    // Where postings select no spans, there would be all of them to look at.
    this.#misses = request.filter.every(({on}) => on === 'duration') ? MISSES : 0;
  }

  /** Works for one slice; undefined when it has found nothing yet. */
  slice(checkpoint: Checkpoint): SearchPage | undefined {
    const end = performance.now() + SLICE;
    const blocks = this.#index.store.between(this.#request.from, this.#to);
    const walks = new Map<number, Walk>();
    for (const {id} of blocks) {
      const walk = this.#walks.get(id);
      if (walk !== undefined) walks.set(id, walk);
    }
    this.#walks = walks;

    const traces: EncodedTrace[] = [];
    for (;;) {
      const latest = this.#latest(blocks);
      while (this.#hasReady(latest?.time)) {
        if (traces.length === TRACES_PER_PAGE || performance.now() > end) break;
        const candidate = this.#ready.pop() as Candidate;
        const stored = this.#load(candidate, checkpoint);
        if (stored.parts.length > 0) traces.push(stored);
      }
      if (latest === undefined && this.#ready.first === undefined) return {traces, complete: true};
      if (traces.length === TRACES_PER_PAGE || performance.now() > end) {
        return traces.length === 0 ? undefined : {traces, complete: false};
      }
      checkpoint();
      if (latest !== undefined) {
        this.#listCandidates(checkpoint);
        this.#advance(latest.block);
      }
    }
  }

  #load(candidate: Candidate, checkpoint: Checkpoint): EncodedTrace {
    const {loader, matches} = this.#index;
    const {filter, matching} = this.#request;
    const found = matching ? matches.of(candidate, filter, checkpoint) : undefined;
    return found ?? {id: candidate.id, parts: loader.parts(candidate.number, checkpoint)};
  }

  /** All at once, because a trace may move from one hour to another while the search goes on. */
  #listCandidates(checkpoint: Checkpoint): void {
    if (this.#bounds === undefined || this.#candidates !== undefined || this.#misses < MISSES) return;
    const {from, to} = this.#request;
    this.#candidates = this.#index.durations.candidates(from, to, this.#bounds, checkpoint);
  }

  /** The block with the latest span that has not been seen. The time of one that was not opened yet is an upper bound. */
  #latest(blocks: readonly IndexBlock[]): {block: IndexBlock; time: number} | undefined {
    let latest: {block: IndexBlock; time: number} | undefined;
    for (const block of blocks) {
      const walk = this.#walks.get(block.id);
      const time = walk === undefined ? Math.min(block.end, this.#to) : timeOf(walk);
      if (time !== undefined && (latest === undefined || time > latest.time)) latest = {block, time};
    }
    if (latest !== undefined) this.#to = Math.min(this.#to, latest.time + 1);
    return latest;
  }

  #hasReady(time = Number.NEGATIVE_INFINITY): boolean {
    return this.#ready.first !== undefined && this.#ready.first.start > time;
  }

  #advance(block: IndexBlock): void {
    let walk = this.#walks.get(block.id);
    if (walk === undefined) {
      walk = this.#walkThrough(block);
      this.#walks.set(block.id, walk);
      return;
    }
    const stop = Math.max(0, walk.left - SPANS_PER_STEP);
    while (walk.left > stop) {
      const ordinal = ordinalAt(walk, --walk.left);
      const trace = walk.traces.at(ordinal);
      if (this.#candidates?.excludes(trace, walk.starts.at(ordinal)) || this.#seen.has(trace)) continue;
      this.#consider(trace);
    }
  }

  #walkThrough(block: IndexBlock): Walk {
    const {filter, columns} = this.#index;
    if (this.#candidates?.excludesAll(block.start, block.end)) return NO_WALK;
    const {low, high, ordinals} = filter.select(block, this.#request.filter, this.#request.from, this.#to);
    const left = ordinals?.length ?? Math.max(0, high - low);
    // Where nothing matches, which is so in most blocks of a selective search, nothing more is read.
    const column = (name: number) => (left === 0 ? NO_COLUMN : columns.get(block.id, name));
    return {starts: column(STARTS), traces: column(TRACES), low, ordinals, left};
  }

  #consider(number: number): void {
    this.#seen.add(number);
    const bounds = this.#index.loader.bounds(number);
    if (bounds === undefined || bounds.start === null || bounds.end === null) return;
    const {min, max} = this.#bounds ?? ANY_DURATION;
    const duration = bounds.end - bounds.start;
    if (duration < min || duration > max) this.#misses++;
    else this.#ready.push({id: bounds.id, number, start: bounds.start, end: bounds.end});
  }
}

function ordinalAt({low, ordinals}: Walk, index: number): number {
  return ordinals === undefined ? low + index : (ordinals[index] as number);
}

function timeOf(walk: Walk): number | undefined {
  return walk.left === 0 ? undefined : walk.starts.at(ordinalAt(walk, walk.left - 1));
}
