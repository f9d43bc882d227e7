import type {MetricDefinition, Series} from '../../../../core/api/plugin.js';
import {BoundedMap} from '../../../../core/toolkit/bounded-map.js';
import {sameShape} from './declaration.js';

/** A validated series, and its place in the batch that it was last part of. */
export class KnownSeries {
  readonly series: Series;
  /** The declaration against which it was validated. */
  readonly metric: MetricDefinition;
  batchId = -1;
  number = 0;

  constructor(series: Series, metric: MetricDefinition) {
    this.series = series;
    this.metric = metric;
  }
}

/** Entries of one generation; some 600 bytes each. */
const CAPACITY = 60_000;

/**
 * The series that were seen lately, so that the same series is the same object in every batch, which storage may cache
 * by identity, and so that a line whose beginning was seen before needs no JSON parser. Lives as long as the process
 * takes data; an entry says nothing about whether its metric is declared in the storage.
 */
export class SeriesCache {
  readonly #byLineStart = new BoundedMap<KnownSeries>(CAPACITY);
  readonly #byIdentity = new BoundedMap<KnownSeries>(CAPACITY);

  /** The series of the lines that begin with this text. */
  ofLineStart(start: string): KnownSeries | undefined {
    return this.#byLineStart.get(start);
  }

  rememberLineStart(start: string, known: KnownSeries): void {
    this.#byLineStart.set(start, known);
  }

  /** The one object for a series that was read as a whole. */
  intern(series: Series, metric: MetricDefinition): KnownSeries {
    const identity = identityOf(series);
    const before = this.#byIdentity.get(identity);
    if (before !== undefined && sameShape(before.metric, metric)) return before;
    const known = new KnownSeries(series, metric);
    this.#byIdentity.setOwn(identity, known);
    return known;
  }
}

/** What tells a series from all others whose declaration has the same shape. No name holds the character U+0000. */
function identityOf({metric, entity, labels}: Series): string {
  return [metric, ...Object.values(entity), ...Object.entries(labels).flat()].join('\0');
}
