import type {
  OtlpAttribute,
  OtlpCondition,
  OtlpFilter,
  OtlpListedAttribute,
  OtlpResource,
  OtlpSpan,
  OtlpValue,
} from '../../../core/api/adapter.js';
import {EVERY_VALUE, fullOtlpSpan, otlpSpan, resourceOf} from '../data/otlp-spans.js';
import type {Random} from './random.js';
import type {RandomTraces} from './traces.js';

const KEYS = ['http.response.status_code', 'name', 'error', '', '\u{1F600}'];
const RESOURCE_KEYS = ['service.name', 'faas.name', 'replicas', 'name', ''];
/** Several have one text. */
const VALUES: readonly OtlpValue[] = [
  200n,
  '200',
  200,
  '200.0',
  true,
  'true',
  '',
  null,
  'a',
  "it's",
  -1n,
  -0,
  Number.NaN,
  'NaN',
  ['a'],
  '["a"]',
  {entries: [{key: 'a', value: 1n}]},
  new Uint8Array([1, 2, 3]),
  'AQID',
  '\uFF5E',
  '\u{1F600}',
];
const TEXTS = ['200', '200.0', 'true', '', 'a', "it's", '-1', '0', 'NaN', '["a"]', '{"a":1}', 'AQID', '\uFF5E', 'none'];
const KIND_NUMBERS = [0, 1, 2, 3, 4, 5, 6, -1];

/** OTLP spans and questions about them; times, ids and what all kinds have are those of `RandomTraces`. */
export class RandomOtlpTraces {
  readonly #random: Random;
  readonly #traces: RandomTraces;

  constructor(random: Random, traces: RandomTraces) {
    this.#random = random;
    this.#traces = traces;
  }

  span(): OtlpSpan {
    const random = this.#random;
    const traceId = this.#traces.otlpId();
    const start = BigInt(this.#traces.time()) * 1_000_000n + BigInt(random.of([0, 1, 999, 1000, 500_001]));
    const startTime = random.once(6) ? 0n : start;
    const full = fullOtlpSpan(traceId, random.between(1, 3), start);
    return otlpSpan(traceId, random.between(1, 3), {
      ...(random.once(4) && {...full, spanId: full.spanId}),
      name: random.of(['a', 'name', '', "it's", '\u{1F600}']),
      kind: random.of(KIND_NUMBERS),
      startTime,
      endTime: start + BigInt(random.of([-1, 0, 1, 999, 1000, 1_000_001, random.between(0, 5_000_000)])),
      attributes: this.#attributes(KEYS),
      status: {code: random.of([0, 1, 2, 3]), message: random.of(['', 'm'])},
      resource: this.#resource(),
      ...(random.once(3) && {parentSpanId: full.parentSpanId}),
      ...(random.once(5) && {events: full.events, links: full.links}),
    });
  }

  filter(): OtlpFilter {
    return [...this.#traces.filter().slice(0, 2), ...this.#random.list(this.#random.below(3), () => this.#condition())];
  }

  attribute(): OtlpListedAttribute {
    const random = this.#random;
    return random.of([
      {of: 'tag', key: random.of([...KEYS, 'no such key'])},
      {of: 'resource', key: random.of(RESOURCE_KEYS)},
      {of: random.of(['service', 'name', 'kind', 'status'] as const)},
    ] as const);
  }

  #resource(): OtlpResource {
    const random = this.#random;
    if (random.once(3)) return resourceOf(random.of(['a', 'b', '']));
    return {attributes: this.#attributes(RESOURCE_KEYS), droppedAttributesCount: 0, schemaUrl: random.of(['', 'u'])};
  }

  /** A key may stand there twice. */
  #attributes(keys: readonly string[]): readonly OtlpAttribute[] {
    const random = this.#random;
    if (random.once(8)) return EVERY_VALUE;
    return random.list(random.below(4), () => ({key: random.of(keys), value: random.of(VALUES)}));
  }

  #condition(): OtlpCondition {
    const random = this.#random;
    const value = random.of(TEXTS);
    return random.of([
      {on: 'tag', key: random.of(KEYS), value},
      {on: 'resource', key: random.of(RESOURCE_KEYS), value},
      {on: 'name-or-tag', name: value, value},
      {on: 'duration', is: random.of(['=', '>', '<='] as const), value: random.of([0, 0.001, 1, 1.001, 1000.001])},
    ] as const);
  }
}
