import {
  type Attribute,
  compareNames,
  matchesSpan,
  type SpanFilter,
  type TimeWindow,
} from '../../../core/api/adapter.js';
import {MICROS_PER_MS} from '../../../core/toolkit/time.js';
import {forEachYielding} from '../../../core/toolkit/yielder.js';
import {tooMuch} from '../client/whole-answer.js';
import type {TraceTrace} from '../proto/methods.js';
import type {SearchedSpan} from './model.js';
import {type BanyanDBTraceSearch, isWithin, type TraceReadOptions} from './search.js';

/** What is listed: the values of an attribute, or the keys of tags. */
export type ListingSubject = Attribute | {readonly of: 'tag keys'};

/**
 * Lists values by looking at every span of a window. What the server keeps for completion knows whole days only, and
 * only of some tags.
 */
export class BanyanDBTraceListing<Trace> {
  readonly #options: TraceReadOptions<Trace>;
  readonly #search: BanyanDBTraceSearch<Trace>;

  constructor(options: TraceReadOptions<Trace>, search: BanyanDBTraceSearch<Trace>) {
    this.#options = options;
    this.#search = search;
  }

  /**
   * By the start of the earliest span that has each. From the oldest slice on: once a slice is done, no later one has an
   * earlier span of what is known, so that enough values may be found before the end.
   */
  async values(
    listed: ListingSubject,
    filter: SpanFilter,
    window: TimeWindow,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const {model, maxScannedTraces} = this.#options;
    const earliest = new Map<string, number>();
    const take = ({trace_id, spans}: TraceTrace): void => {
      const rows = spans.map(({span}) => span);
      for (const one of model.spansOf(model.decode(model.canonicalId(trace_id), rows))) {
        if (!isWithin(one, window) || !matchesSpan(filter, one.view)) continue;
        const start = one.start ?? 0;
        for (const value of valuesOf(listed, one)) {
          const known = earliest.get(value);
          if (known === undefined || known > start) earliest.set(value, start);
        }
      }
    };
    let scanned = 0;
    for await (const {span, found} of this.#search.timeSlices(filter, window, 'oldest first', signal)) {
      scanned += found.length;
      if (scanned >= maxScannedTraces) throw tooMuch('traces to look at', maxScannedTraces, 'maxScannedTraces');
      await forEachYielding(found, take, {signal});
      const done = (span.end + 1) * MICROS_PER_MS;
      if (earliest.size >= limit && [...earliest.values()].filter(start => start < done).length >= limit) break;
    }
    return [...earliest]
      .sort(([a, first], [b, second]) => first - second || compareNames(a, b))
      .slice(0, limit)
      .map(([value]) => value);
  }
}

function valuesOf(listed: ListingSubject, {view, tagKeys}: SearchedSpan): Iterable<string> {
  switch (listed.of) {
    case 'tag keys':
      return tagKeys;
    case 'tag': {
      const value = view.tag(listed.key);
      return value === undefined ? [] : [value];
    }
    case 'service':
      return view.service === undefined || view.service === '' ? [] : [view.service];
    case 'name':
      return view.name === '' ? [] : [view.name];
    case 'kind':
      return [view.kind];
    case 'status':
      return [view.status];
  }
}
