import test from 'ava';
import {
  canonicalOtlpTraceId,
  matchesSpan,
  type OtlpCondition,
  type OtlpSpan,
  otlpDuration,
  otlpMicros,
  otlpRoot,
  otlpSpanView,
  otlpStart,
} from '../../../core/api/adapter.js';
import {NO_RESOURCE, otlpSpan} from './otlp-spans.js';

const SPAN = otlpSpan({
  name: 'GET /',
  kind: 2,
  startTime: 1_700_000_000_000_000_999n,
  endTime: 1_700_000_000_000_002_500n,
  attributes: [
    {key: 'http.response.status_code', value: 200n},
    {key: 'twice', value: 'first'},
    {key: 'twice', value: 'second'},
    {key: 'empty', value: null},
    {key: 'name', value: 'inner'},
  ],
  status: {code: 2, message: 'no'},
  resource: {
    ...NO_RESOURCE,
    attributes: [
      {key: 'service.name', value: 'shop'},
      {key: 'replicas', value: 3n},
    ],
  },
});

const CONDITIONS: readonly (readonly [condition: OtlpCondition, matches: boolean])[] = [
  [{on: 'service', value: 'shop'}, true],
  [{on: 'resource', key: 'service.name', value: 'shop'}, true],
  [{on: 'resource', key: 'replicas', value: '3'}, true],
  [{on: 'resource', key: 'replicas', value: '3.0'}, false],
  [{on: 'tag', key: 'replicas', value: '3'}, false],
  [{on: 'resource', key: 'twice', value: 'second'}, false],
  [{on: 'tag', key: 'http.response.status_code', value: '200'}, true],
  [{on: 'tag', key: 'twice', value: 'first'}, false],
  [{on: 'tag', key: 'twice', value: 'second'}, true],
  [{on: 'tag', key: 'empty', value: ''}, true],
  [{on: 'tag', key: 'missing', value: ''}, false],
  [{on: 'name', value: 'GET /'}, true],
  [{on: 'name-or-tag', name: 'inner', value: 'inner'}, true],
  [{on: 'kind', value: 'SERVER'}, true],
  [{on: 'status', value: 'ERROR'}, true],
  [{on: 'duration', is: '=', value: 1.501}, true],
  [{on: 'duration', is: '>', value: 1.5}, true],
  [{on: 'duration', is: '<', value: 1.501}, false],
];

for (const [condition, matches] of CONDITIONS) {
  test(`the condition ${JSON.stringify(condition)} ${matches ? 'holds' : 'does not hold'} on a span of OTLP`, t => {
    t.is(matchesSpan([condition], otlpSpanView(SPAN)), matches);
  });
}

test('numbers that the enumerations do not have count as INTERNAL and UNSET', t => {
  for (const number of [-1, 6, 7, 2 ** 31 - 1]) {
    const {kind, status} = otlpSpanView(otlpSpan({kind: number, status: {code: number, message: ''}}));
    t.deepEqual([kind, status], ['INTERNAL', 'UNSET']);
  }
});

test('a start is cut to whole microseconds, and is none where it is 0', t => {
  t.is(otlpStart(SPAN), 1_700_000_000_000_000);
  t.is(otlpStart(otlpSpan({startTime: 999n})), 0);
  t.is(otlpStart(otlpSpan({endTime: 5n})), undefined);
  t.is(otlpMicros(2n ** 64n - 1n), Number.MAX_SAFE_INTEGER);
});

test('a span that ends before it starts, or has no start, lasts no time', t => {
  t.is(otlpDuration(otlpSpan({startTime: 9n, endTime: 3n})), 0n);
  t.is(otlpDuration(otlpSpan({endTime: 3n})), 0n);
  t.is(otlpDuration(otlpSpan({startTime: 1n, endTime: 2n ** 64n - 1n})), 2n ** 64n - 2n);
});

const at = (spanId: string, startTime: bigint, parentSpanId?: string): OtlpSpan =>
  otlpSpan({spanId, startTime, ...(parentSpanId !== undefined && {parentSpanId})});

const ROOTS: readonly (readonly [title: string, spans: readonly OtlpSpan[], root: string])[] = [
  ['has no parent', [at('1', 5n, '2'), at('2', 9n)], '2'],
  ['has a parent elsewhere', [at('1', 5n, '2'), at('2', 9n, 'f')], '2'],
  ['is its own parent', [at('1', 5n, '2'), at('2', 9n, '2')], '2'],
  ['is the earliest of several', [at('1', 9n), at('2', 5n, 'f')], '2'],
  ['has the first id of those that start at once', [at('2', 5n), at('1', 5n)], '1'],
  ['has a time rather than none', [at('1', 0n), at('2', 5n)], '2'],
  ['is the earliest where parents go in a circle', [at('1', 9n, '2'), at('2', 5n, '1')], '2'],
];

for (const [title, spans, root] of ROOTS) {
  test(`the root of a trace of OTLP ${title}`, t => {
    t.is(otlpRoot(spans).spanId, root);
    t.is(otlpRoot([...spans].reverse()).spanId, root);
  });
}

test('a trace id of OTLP has 32 digits in its canonical form', t => {
  t.is(canonicalOtlpTraceId('A1'), '000000000000000000000000000000a1');
  t.is(canonicalOtlpTraceId('4BF92F3577B34DA6A3CE929D0E0E4736'), '4bf92f3577b34da6a3ce929d0e0e4736');
  t.is(canonicalOtlpTraceId('00'), undefined);
  t.is(canonicalOtlpTraceId('x'), undefined);
});
