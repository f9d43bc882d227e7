import {
  type CompatTrace,
  canonicalTraceId,
  compatSpanView,
  type Logger,
  type SpanCondition,
  type SpanFilter,
} from '../../../core/api/adapter.js';
import {equals, holds, isAtLeast, isAtMost, isOneOf, type RowCondition} from '../client/criteria.js';
import {compatSpans, SHORT_ID} from './compat-spans.js';
import type {BanyanDBTraceModel, Pushdown, SearchedSpan} from './model.js';
import {readPayloads} from './payloads.js';

/** Longer texts are not in the index of a row's texts. UTF-16 code units. */
export const LONGEST_INDEXED = 256;

const SERVICE = 'local_endpoint_service_name';
const KINDS = ['CLIENT', 'SERVER', 'PRODUCER', 'CONSUMER'];

/** What the OAP stores for a span without a service, in this case. */
const NO_SERVICE = 'Unknown';

/** Keys of tags that the OAP adds to spans after it has made the index. */
const ADDED_BY_OAP = /^gen_ai\./;

/** Zipkin spans, one in each row. */
export class BanyanDBCompatModel implements BanyanDBTraceModel<CompatTrace> {
  readonly schema = 'zipkin_span';
  readonly order = 'timestamp_millis';
  readonly longestRow = 0;
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  canonicalId(stored: string): string {
    return canonicalTraceId(stored) ?? stored;
  }

  storedIds(text: string): readonly string[] {
    // Zeros alone name no trace, but may be stored as if they did: what a search has found is read again by its id.
    const id = this.canonicalId(text);
    if (!/^([0-9a-f]{16}){1,2}$/.test(id)) return [];
    // Senders with ids of 128 bits may have filled up a shorter one.
    return id.length === SHORT_ID ? [id, id.padStart(2 * SHORT_ID, '0')] : [id];
  }

  decode(id: string, payloads: readonly Uint8Array[]): CompatTrace {
    return {traceId: id, spans: compatSpans(id, readPayloads(payloads, this.#log))};
  }

  idOf({traceId}: CompatTrace): string {
    return traceId;
  }

  spansOf({spans}: CompatTrace): readonly SearchedSpan[] {
    return spans.map(span => ({
      start: span.timestamp,
      end: span.timestamp === undefined ? undefined : span.timestamp + (span.duration ?? 0),
      view: compatSpanView(span),
      tagKeys: span.tags.keys(),
    }));
  }

  /** All conditions are about one span, which is one row. */
  pushdown(filter: SpanFilter): Pushdown {
    const pushed = filter.flatMap(pushedDown);
    return {conditions: pushed.map(([, condition]) => condition), tags: [...new Set(pushed.map(([tag]) => tag))]};
  }

  lasting(): Pushdown {
    return {conditions: [], tags: []};
  }
}

/** The tag of a condition, and the condition. What is empty is null in a row, and no condition finds that. */
function pushedDown(condition: SpanCondition): readonly (readonly [string, RowCondition])[] {
  switch (condition.on) {
    case 'service': {
      const {value} = condition;
      if (value === '') return [];
      if (value === NO_SERVICE.toLowerCase()) return [[SERVICE, isOneOf(SERVICE, [value, NO_SERVICE])]];
      return [[SERVICE, equals(SERVICE, value)]];
    }
    case 'name':
      return condition.value === '' ? [] : [['name', equals('name', condition.value)]];
    case 'kind':
      return KINDS.includes(condition.value) ? [['kind', equals('kind', condition.value)]] : [];
    case 'tag': {
      const pair = `${condition.key}=${condition.value}`;
      const isIndexed = pair.length <= LONGEST_INDEXED && !ADDED_BY_OAP.test(condition.key);
      return isIndexed ? [['query', holds('query', pair)]] : [];
    }
    case 'duration':
      return durationBounds(condition.is, condition.value).map(bound => ['duration', bound]);
    default:
      return [];
  }
}

/** The tag has whole microseconds, 0 for a span without a duration. */
function durationBounds(is: '=' | '>' | '>=' | '<' | '<=', value: number): readonly RowCondition[] {
  if (!Number.isSafeInteger(Math.ceil(value)) || !Number.isSafeInteger(Math.floor(value) + 1)) return [];
  const least = isAtLeast('duration', is === '>' ? Math.floor(value) + 1 : Math.ceil(value));
  const most = isAtMost('duration', is === '<' ? Math.ceil(value) - 1 : Math.floor(value));
  if (is === '=') return [least, most];
  return is === '>' || is === '>=' ? [least] : [most];
}
