import type {Call, CapabilityName, OtlpFilter, Readers, TimeWindow} from '../../../core/api/adapter.js';
import type {TeeComparer} from '../compare/comparer.js';
import {supplied, type TeeQuestion} from '../compare/question.js';
import {type TeeListQuestion, watchAnswer, watchList} from '../compare/watch.js';
import type {TeeTraceKind} from './kind.js';

interface Search extends TimeWindow {
  readonly filter: OtlpFilter;
  readonly traceDuration?: {readonly min?: number; readonly max?: number};
  readonly matching?: boolean;
}

/** What readers of all kinds can be asked. */
interface AnyTraceReader<Trace, Request, Keys, Values, Value> {
  trace(id: string, call: Call): Promise<Trace | undefined>;
  search(request: Request, call: Call): AsyncIterable<Trace>;
  tagKeys(request: Keys, call: Call): Promise<readonly string[]>;
  attributeValues(request: Values, call: Call): Promise<readonly Value[]>;
}

/** Traces of one kind of the primary, compared. */
export class TeeTraceReader<Trace, Request extends Search, Keys, Values, Value>
  implements AnyTraceReader<Trace, Request, Keys, Values, Value>
{
  readonly #comparer: TeeComparer;
  readonly #primary: AnyTraceReader<Trace, Request, Keys, Values, Value>;
  readonly #capability: CapabilityName;
  readonly #of: (readers: Readers) => AnyTraceReader<Trace, Request, Keys, Values, Value>;
  readonly #kind: TeeTraceKind<Trace>;

  constructor(
    comparer: TeeComparer,
    capability: CapabilityName,
    kind: TeeTraceKind<Trace>,
    readerOf: (readers: Readers) => AnyTraceReader<Trace, Request, Keys, Values, Value> | undefined,
  ) {
    this.#comparer = comparer;
    this.#capability = capability;
    this.#kind = kind;
    this.#of = readers => supplied(readerOf(readers));
    this.#primary = this.#of(comparer.primary);
  }

  trace(id: string, call: Call): Promise<Trace | undefined> {
    const answer = this.#primary.trace(id, call);
    if (!this.#comparer.wants(this.#capability)) return answer;
    const question: TeeQuestion<Trace | undefined> = {
      ...this.#about('trace', {id}),
      ask: (readers, by) => this.#of(readers).trace(id, by),
      form: trace => trace && this.#kind.whole(trace),
    };
    return watchAnswer(this.#comparer, question, answer);
  }

  /** Those that match, in their order: others may come along, and what the hint about durations leaves out may or may not. */
  search(request: Request, call: Call): AsyncIterable<Trace> {
    const found = this.#primary.search(request, call);
    if (!this.#comparer.wants(this.#capability)) return found;
    const {filter, matching} = request;
    const kind = this.#kind;
    const isAsked = (trace: Trace): boolean =>
      kind.matches(filter, request, trace) && isOfDuration(request, kind.durationOf(trace));
    const question: TeeListQuestion<Trace, Trace> = {
      ...this.#about('search', request),
      pieces: (readers, by) => this.#of(readers).search(request, by),
      itemsOf: trace => (isAsked(trace) ? [trace] : []),
      sizeOf: trace => kind.sizeOf(trace),
      form: traces => traces.map(trace => (matching === true ? kind.matching(filter, trace) : kind.whole(trace))),
    };
    return watchList(this.#comparer, question, found);
  }

  tagKeys(request: Keys, call: Call): Promise<readonly string[]> {
    const answer = this.#primary.tagKeys(request, call);
    if (!this.#comparer.wants(this.#capability)) return answer;
    const question: TeeQuestion<readonly string[]> = {
      ...this.#about('tagKeys', request),
      ask: (readers, by) => this.#of(readers).tagKeys(request, by),
      form: keys => keys,
    };
    return watchAnswer(this.#comparer, question, answer, keys => [...keys]);
  }

  attributeValues(request: Values, call: Call): Promise<readonly Value[]> {
    const answer = this.#primary.attributeValues(request, call);
    if (!this.#comparer.wants(this.#capability)) return answer;
    const question: TeeQuestion<readonly Value[]> = {
      ...this.#about('attributeValues', request),
      ask: (readers, by) => this.#of(readers).attributeValues(request, by),
      form: values => values,
    };
    return watchAnswer(this.#comparer, question, answer, values => [...values]);
  }

  #about(method: string, request: unknown) {
    return {capability: this.#capability, method, request};
  }
}

function isOfDuration({traceDuration: {min = 0, max = Number.POSITIVE_INFINITY} = {}}: Search, duration: number) {
  return duration >= min && duration <= max;
}
