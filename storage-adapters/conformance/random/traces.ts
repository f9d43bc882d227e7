import type {
  AttachedEvent,
  Attribute,
  CompatSpan,
  NativeSpan,
  Segment,
  SpanCondition,
  SpanFilter,
  TimeWindow,
} from '../../../core/api/adapter.js';
import {compareNames} from '../../../core/api/adapter.js';
import {fullCompatSpan, fullNativeSpan} from '../data/every-member.js';
import {compatSpan, nativeSpan, segment} from '../data/spans.js';
import {DAY} from '../data/times.js';
import {Random} from './random.js';

/** Few words, so that they meet often. */
const WORDS = ['a', 'b', 'name', '\u{1F600}', '\uFF5E', "it's"];
const KEYS = ['http.method', 'name', 'error', 'otel.status_code', '', '\u{1F600}'];
const VALUES = [...WORDS, '', 'true', 'ERROR', 'ok'];
const HOUR = 3_600_000;

/** Spans of both kinds, and questions about them, around the edges of hours. Milliseconds. */
export class RandomTraces {
  readonly #random: Random;
  /** Of the members that no question is about. */
  readonly #others = new Random(9);
  readonly #start: number;
  /** Part of each trace id, so that groups on one store have their own. */
  readonly #group: string;

  /** `start` is the first of the days, in Unix seconds. */
  constructor(random: Random, start: number) {
    this.#random = random;
    this.#start = start * 1000;
    this.#group = `facade${(start / DAY).toString(16)}`;
  }

  compatId(): string {
    const number = this.#random.between(1, 14);
    const digits = `${this.#group}${number.toString(16).padStart(2, '0')}`;
    return number % 3 === 0 ? digits.padStart(32, 'f') : digits.padStart(16, '0');
  }

  nativeId(): string {
    const name = `kit-${this.#group}.`;
    const ids = [`${name}1`, `${name.toUpperCase()}1`, ` ${name}1`, `0${name}1`, `${name}\u{1F600}`, `${name}\uFF5E`];
    return this.#random.of(ids);
  }

  compatSpan(): CompatSpan {
    const random = this.#random;
    const kind = random.of([undefined, 'CLIENT', 'SERVER', 'ODD']);
    const name = random.of([undefined, ...WORDS]);
    const service = random.of([undefined, ...WORDS]);
    const tags = random.list(random.below(4), () => [random.of(KEYS), random.of(VALUES)] as const);
    const more = this.#others;
    const full = fullCompatSpan('', more.between(1, 9), this.#start * 1000);
    return compatSpan(this.compatId(), random.between(1, 3), {
      ...(kind && {kind}),
      ...(name && {name}),
      ...(!random.once(6) && {timestamp: this.time() * 1000 + random.below(2)}),
      ...(random.once(2) && {duration: random.of([1, 2, 999, 1000, 1001, random.between(1, 5000)])}),
      ...(service && {localEndpoint: {...more.of([full.localEndpoint, {port: 80}]), serviceName: service}}),
      ...(random.once(5) && {shared: true}),
      ...(more.once(2) && {parentId: full.parentId}),
      ...(more.once(3) && {remoteEndpoint: more.of([full.remoteEndpoint, {port: 1}, {ipv4: '10.0.0.9'}])}),
      ...(more.once(3) && {annotations: full.annotations}),
      ...(more.once(4) && {debug: true}),
      tags: new Map([...new Map(tags)].sort(([a], [b]) => compareNames(a, b))),
    });
  }

  otlpId(): string {
    return this.compatId().padStart(32, '0');
  }

  segment(): Segment {
    const random = this.#random;
    const spans = random.list(random.between(1, 3), () => this.#nativeSpan());
    const numbered = spans.map((span, spanId) => ({...span, spanId, parentSpanId: spanId - 1}));
    const made = segment(this.nativeId(), random.of(['s1', 's2', 'S1']), numbered, random.of(WORDS));
    return {...made, layer: this.#others.of(['GENERAL', 'MESH']), serviceInstance: this.#others.of(WORDS)};
  }

  filter(): SpanFilter {
    return this.#random.list(this.#random.below(4), () => this.#condition());
  }

  /** All, or some of the hours. Microseconds. */
  window(all: TimeWindow): TimeWindow {
    if (this.#random.once(3)) return all;
    const [from = 0, to = 0] = [this.time(), this.time()].sort((a, b) => a - b);
    return {from: from * 1000 + this.#random.between(-1, 1), to: to * 1000 + 1};
  }

  attribute(): Attribute {
    const random = this.#random;
    return random.once(2)
      ? {of: 'tag', key: random.of([...KEYS, 'no such key'])}
      : {of: random.of(['service', 'name', 'kind', 'status'] as const)};
  }

  /** Milliseconds since the epoch. */
  time(): number {
    const random = this.#random;
    if (random.once(3)) return this.#start + random.of([0, 1, HOUR - 1, HOUR, 24 * HOUR - 1, 24 * HOUR, 24 * HOUR + 1]);
    return this.#start + (random.once(2) ? random.below(20) : random.below(30 * HOUR));
  }

  #nativeSpan(): NativeSpan {
    const random = this.#random;
    const start = this.time();
    const more = this.#others;
    const full = fullNativeSpan(0, start);
    const event = {...full.attachedEvents[0], summary: [{key: 'n', value: BigInt(more.between(-3, 3))}]};
    return nativeSpan(0, start, {
      ...(more.once(3) && {peer: full.peer, spanLayer: full.spanLayer}),
      ...(more.once(3) && more.of([{component: full.component}, {componentId: more.between(1, 9)}])),
      ...(more.once(3) && {skipAnalysis: true}),
      ...(more.once(3) && {logs: full.logs}),
      ...(more.once(3) && {refs: full.refs}),
      ...(more.once(3) && {attachedEvents: [event as AttachedEvent]}),
      endTime: start + random.between(-1, 5),
      operationName: random.of([...WORDS, '']),
      spanType: random.of(['Entry', 'Exit', 'Local', '']),
      isError: random.once(4),
      tags: random.list(random.below(4), () => ({key: random.of(KEYS), value: random.of(VALUES)})),
    });
  }

  #condition(): SpanCondition {
    const random = this.#random;
    const value = random.of([...WORDS, '']);
    switch (random.below(7)) {
      case 0:
        return {on: 'service', value};
      case 1:
        return {on: 'name', value};
      case 2:
        return {on: 'name-or-tag', name: value, value: random.of(VALUES)};
      case 3:
        return {on: 'kind', value: random.of(['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT'] as const)};
      case 4:
        return {on: 'status', value: random.of(['UNSET', 'OK', 'ERROR'] as const)};
      case 5:
        return {
          on: 'duration',
          is: random.of(['=', '>', '>=', '<', '<='] as const),
          value: random.of([0, 1, 1000, 2000, 0.5, 999.5, random.between(-2000, 5000)]),
        };
      default:
        return {on: 'tag', key: random.of(KEYS), value: random.of(VALUES)};
    }
  }
}
