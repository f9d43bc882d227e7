import type {OtlpListedAttribute} from '../../../core/api/adapter.js';
import {MICROS_PER_HOUR} from '../../../core/toolkit/time.js';
import type {IndexedSpan} from '../../../core/toolkit/traces/model.js';
import type {RowWriter} from '../client/row-writer.js';
import type {PreparedFragment} from './row.js';

/** What is listed: the values of an attribute, or the keys of tags or of attributes of resources. */
export type Listed = OtlpListedAttribute | {readonly of: 'tag keys' | 'resource keys'};

/** The attributes of which the table of hours has the values. Those of tags may be as many as there are spans. */
const SUMMED = ['service', 'name', 'kind', 'status', 'tag keys', 'resource keys'] as const;
type Summed = (typeof SUMMED)[number];

/** No span starts as late. */
const HIGHEST = 2n ** 62n;

export function isSummed(listed: Listed): boolean {
  return SUMMED.some(name => name === listed.of);
}

interface Earliest {
  readonly start: number;
  readonly fragment: PreparedFragment;
}

/** The values of a group of fragments: of each attribute, hour and value the earliest span. */
export class HourValues {
  readonly #earliest = new Map<string, {readonly attribute: Summed; readonly value: string; earliest: Earliest}>();
  /** Of the attributes of each resource, the hours and in each the earliest start so far: spans of one resource are many. */
  readonly #resources = new Map<ReadonlyMap<string, string>, Map<number, number>>();

  add(fragment: PreparedFragment): void {
    for (const span of fragment.spans) {
      const {start} = span;
      if (start === undefined) continue;
      const hour = Math.floor(start / MICROS_PER_HOUR);
      const isNews = this.#isEarliest(span, hour, start);
      for (const attribute of SUMMED) {
        if (attribute === 'resource keys' && !isNews) continue;
        for (const value of valuesOf(span, attribute)) {
          const key = `${attribute} ${hour} ${value}`;
          const known = this.#earliest.get(key);
          if (known === undefined) this.#earliest.set(key, {attribute, value, earliest: {start, fragment}});
          else if (start < known.earliest.start) known.earliest = {start, fragment};
        }
      }
    }
  }

  #isEarliest({resourceTags}: IndexedSpan, hour: number, start: number): boolean {
    if (resourceTags === undefined) return false;
    const hours = this.#resources.get(resourceTags) ?? new Map<number, number>();
    this.#resources.set(resourceTags, hours);
    if (start >= (hours.get(hour) ?? Number.POSITIVE_INFINITY)) return false;
    hours.set(hour, start);
    return true;
  }

  /** Functions that write the columns attribute, hour, value, start, rank, digest and trace_id. */
  *writers(): Iterable<(rows: RowWriter) => number> {
    for (const {attribute, value, earliest} of this.#earliest.values()) {
      yield rows => {
        const {start, fragment} = earliest;
        rows.string(attribute);
        rows.int32(Math.floor(start / MICROS_PER_HOUR));
        rows.string(value);
        rows.int64(start);
        rows.uint64(HIGHEST - BigInt(start));
        rows.raw(fragment.digest);
        rows.string(fragment.traceId);
        return 1;
      };
    }
  }
}

/** An empty service or name is none. */
function valuesOf(span: IndexedSpan, attribute: Summed): Iterable<string> {
  if (attribute === 'tag keys') return span.tags.keys();
  if (attribute === 'resource keys') return span.resourceTags?.keys() ?? [];
  const value = span[attribute] ?? '';
  return value === '' ? [] : [value];
}
