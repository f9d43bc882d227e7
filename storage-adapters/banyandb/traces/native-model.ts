import {
  type Logger,
  type NativeTrace,
  nativeSpanView,
  type SpanCondition,
  type SpanFilter,
} from '../../../core/api/adapter.js';
import {MICROS_PER_MS} from '../../../core/toolkit/time.js';
import {equalsNumber, holds, isAtLeast, isOneOf, type RowCondition} from '../client/criteria.js';
import {serviceIds} from '../schema/entity-ids.js';
import {LONGEST_INDEXED} from './compat-model.js';
import type {BanyanDBTraceModel, Pushdown, SearchedSpan} from './model.js';
import {nativeSegments} from './native-segments.js';
import {readPayloads} from './payloads.js';

export interface BanyanDBNativeModelOptions {
  /** Keys of tags that the rows have. */
  readonly searchableTags: readonly string[];
  /** Whether a row has its error flag exactly when a span of it is an error. */
  readonly trustErrorFlag: boolean;
  /** Milliseconds. */
  readonly longestSegment: number;
  readonly log: Logger;
}

/** Longer names of services are cut by the OAP where it makes ids of them. */
const LONGEST_NAME = 70;

/** SkyWalking segments, one in each row, and rows of events. */
export class BanyanDBNativeModel implements BanyanDBTraceModel<NativeTrace> {
  readonly schema = 'segment';
  readonly order = 'start_time';
  readonly longestRow: number;
  readonly #options: BanyanDBNativeModelOptions;

  constructor(options: BanyanDBNativeModelOptions) {
    this.#options = options;
    this.longestRow = options.longestSegment;
  }

  canonicalId(stored: string): string {
    return stored;
  }

  storedIds(text: string): readonly string[] {
    return text === '' ? [] : [text];
  }

  decode(id: string, payloads: readonly Uint8Array[]): NativeTrace {
    return {traceId: id, segments: nativeSegments(readPayloads(payloads, this.#options.log))};
  }

  idOf({traceId}: NativeTrace): string {
    return traceId;
  }

  spansOf({segments}: NativeTrace): readonly SearchedSpan[] {
    return segments.flatMap(segment =>
      segment.spans.map(span => ({
        start: span.startTime * MICROS_PER_MS,
        end: span.endTime * MICROS_PER_MS,
        view: nativeSpanView(segment, span),
        tagKeys: span.tags.map(({key}) => key),
      })),
    );
  }

  /** All conditions are about one span, which is in one segment, which is one row. */
  pushdown(filter: SpanFilter): Pushdown {
    const pushed = filter.flatMap(condition => this.#pushedDown(condition));
    return {conditions: pushed.map(([, condition]) => condition), tags: [...new Set(pushed.map(([tag]) => tag))]};
  }

  lasting(milliseconds: number): Pushdown {
    return {conditions: [isAtLeast('latency', milliseconds)], tags: ['latency']};
  }

  #pushedDown(condition: SpanCondition): readonly (readonly [string, RowCondition])[] {
    const {searchableTags, trustErrorFlag} = this.#options;
    switch (condition.on) {
      case 'service': {
        const {value} = condition;
        const isInIds = value.trim() !== '' && value.length <= LONGEST_NAME;
        return isInIds ? [['service_id', isOneOf('service_id', serviceIds(value))]] : [];
      }
      case 'tag': {
        const pair = `${condition.key}=${condition.value}`;
        const isIndexed = searchableTags.includes(condition.key) && pair.length <= LONGEST_INDEXED;
        return isIndexed ? [['tags', holds('tags', pair)]] : [];
      }
      case 'status':
        return trustErrorFlag && condition.value === 'ERROR' ? [['is_error', equalsNumber('is_error', 1)]] : [];
      case 'duration':
        return leastLatency(condition.is, condition.value).map(least => ['latency', isAtLeast('latency', least)]);
      default:
        return [];
    }
  }
}

/** A span is never longer than its segment; of a shorter one nothing follows. Microseconds to whole milliseconds. */
function leastLatency(is: string, value: number): readonly number[] {
  if (is === '<' || is === '<=') return [];
  const least = is === '>' ? Math.floor(value / MICROS_PER_MS) + 1 : Math.ceil(value / MICROS_PER_MS);
  return least > 0 && Number.isSafeInteger(least) ? [least] : [];
}
