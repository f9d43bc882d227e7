import {DEEPEST_OTLP_VALUE, GatewayError} from '../../../core/api/plugin.js';
import {NAME_BYTES} from '../../../core/toolkit/traces/text-limits.js';

/**
 * Attributes, events, links and values of arrays in one request. An empty one has two bytes and becomes an object of a
 * hundred, so that a body within its limit could take many times its memory.
 */
const MOST_PARTS = 4_000_000;

/** Why a span cannot be taken, while the others of its request are. */
export type Rejection = 'service' | 'trace_id' | 'span_id' | 'name' | 'depth' | 'value';

export interface RejectedSpan {
  /** Positions in the lists of the request. */
  readonly resourceSpans: number;
  readonly scopeSpans: number;
  readonly span: number;
  readonly rejection: Rejection;
  /** What was found and what would be right. */
  readonly reason: string;
}

/** Told of each span that cannot be taken. What it throws ends the decoding. */
export type OnRejected = (rejected: RejectedSpan) => void;

interface Problem {
  readonly rejection: Rejection;
  readonly reason: string;
}

/** As they were read: of any length, in lower case hex, and empty where there is none. */
export interface IdTexts {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
}

const TRACE_DIGITS = 32;
const SPAN_DIGITS = 16;
const ZEROS = /^0*$/;

const SERVICE_KEYS = ['service.name', 'faas.name', 'k8s.deployment.name', 'process.executable.name'];

const NO_SERVICE: Problem = {
  rejection: 'service',
  reason: `its resource has no text under any of the attributes ${SERVICE_KEYS.join(', ')}`,
};

/**
 * Which spans of a request can be taken, whatever it is written in. Who reads it tells of what was read in the order resource,
 * scope, span.
 */
export class RequestChecks {
  readonly #onRejected: OnRejected;
  #ofResource: Problem | undefined;
  #ofScope: Problem | undefined;
  /** Of what is being read. */
  #problem: Problem | undefined;
  #resourceAt = -1;
  #scopeAt = -1;
  #spanAt = -1;
  #parts = 0;

  constructor(onRejected: OnRejected) {
    this.#onRejected = onRejected;
  }

  /** Counts what is made of the request. Throws `too_large` when it is too much. */
  part(): void {
    if (++this.#parts <= MOST_PARTS) return;
    throw new GatewayError('too_large', `the request has more than ${MOST_PARTS} attributes, events, links and values`);
  }

  /** A name or key of so many bytes was read. */
  named(what: string, bytes: number): void {
    if (bytes > NAME_BYTES) this.#flag('name', `${what} has ${bytes} bytes, expected at most ${NAME_BYTES}`);
  }

  /** An array or list was read that lies in so many others. Whether its content may be read. */
  nested(depth: number): boolean {
    if (depth < DEEPEST_OTLP_VALUE) return true;
    this.#flag('depth', `a value lies in more than ${DEEPEST_OTLP_VALUE} arrays and lists`);
    return false;
  }

  /** A value was read that its type has no room for. */
  beyond(what: string): void {
    this.#flag('value', `a value is ${what}`);
  }

  /** `serviceName` is not called of one that cannot be taken anyway. */
  resource(serviceName: () => string | undefined): void {
    this.#ofResource = this.#taken() ?? this.#serviceProblem(serviceName());
    this.#resourceAt++;
    this.#scopeAt = -1;
  }

  scope(): void {
    this.#ofScope = this.#taken();
    this.#scopeAt++;
    this.#spanAt = -1;
  }

  /** Whether the span can be taken. Without ids where they are known to be fine. */
  span(ids: IdTexts | undefined): boolean {
    this.#spanAt++;
    const own = this.#taken();
    const problem = this.#ofResource ?? this.#ofScope ?? (ids === undefined ? undefined : idProblem(ids)) ?? own;
    if (problem === undefined) return true;
    const place = {resourceSpans: this.#resourceAt, scopeSpans: this.#scopeAt, span: this.#spanAt};
    this.#onRejected({...place, ...problem});
    return false;
  }

  #serviceProblem(name: string | undefined): Problem | undefined {
    if (name === undefined) return NO_SERVICE;
    this.named('the name of its service', Buffer.byteLength(name));
    return this.#taken();
  }

  #flag(rejection: Rejection, reason: string): void {
    this.#problem ??= {rejection, reason};
  }

  #taken(): Problem | undefined {
    const problem = this.#problem;
    this.#problem = undefined;
    return problem;
  }
}

function idProblem({traceId, spanId, parentSpanId}: IdTexts): Problem | undefined {
  if (traceId.length !== TRACE_DIGITS) return wrongLength('trace_id', 'trace id', traceId, TRACE_DIGITS);
  if (ZEROS.test(traceId)) return {rejection: 'trace_id', reason: 'its trace id is zero'};
  if (spanId.length !== SPAN_DIGITS) return wrongLength('span_id', 'span id', spanId, SPAN_DIGITS);
  if (ZEROS.test(spanId)) return {rejection: 'span_id', reason: 'its span id is zero'};
  const isParentFine = parentSpanId.length === SPAN_DIGITS || ZEROS.test(parentSpanId);
  return isParentFine ? undefined : wrongLength('span_id', 'parent span id', parentSpanId, SPAN_DIGITS);
}

function wrongLength(rejection: Rejection, what: string, id: string, digits: number): Problem {
  return {rejection, reason: `its ${what} has ${id.length / 2} bytes, expected ${digits / 2}`};
}
