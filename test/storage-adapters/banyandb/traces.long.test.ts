import test from 'ava';
import {compareNames, compatSpanView, matchesSpan, nativeSpanView, type SpanFilter} from '../../../core/api/adapter.js';
import {QueryTrace} from '../../../storage-adapters/banyandb/proto/methods.js';
import {call} from '../support/calls.js';
import {firstOf, openLoaded, RANGE} from './support/loaded-traces.js';
import {COUNT, idOf, isError, KINDS, methodOf, segments, serviceOf, spans, startOf} from './support/measured-traces.js';
import {openScene, type Scene} from './support/open-adapter.js';

const tag = {on: 'tag', key: 'http.method', value: 'GET'} as const;

interface Measured {
  readonly title: string;
  readonly filter: SpanFilter;
  readonly matches: (i: number) => boolean;
  /** The most calls for all traces that match, and for the first twenty; measured on a real server for the same data. */
  readonly calls: {readonly all: number; readonly first: number};
}

const MEASURED: readonly Measured[] = [
  {title: 'no filter', filter: [], matches: () => true, calls: {all: 43, first: 28}},
  {
    title: 'one service',
    filter: [{on: 'service', value: 'svc-3'}],
    matches: i => serviceOf(i) === 'svc-3',
    calls: {all: 9, first: 7},
  },
  {title: 'a tag', filter: [tag], matches: i => methodOf(i) === 'GET', calls: {all: 9, first: 9}},
  {
    title: 'an error and a tag',
    filter: [{on: 'status', value: 'ERROR'}, tag],
    matches: i => isError(i) && methodOf(i) === 'GET',
    calls: {all: 9, first: 9},
  },
  {title: 'nothing', filter: [{on: 'service', value: 'nobody'}], matches: () => false, calls: {all: 9, first: 9}},
];

/** Searches have an order; what is read again is read by its id. */
function callsOf({fake}: Scene): {readonly slices: number; readonly again: number} {
  const asked = fake.requests.of(QueryTrace);
  const slices = asked.filter(({order_by}) => order_by !== null).length;
  return {slices, again: asked.length - slices};
}

for (const kind of KINDS) {
  test(`searches over 4,000 ${kind} traces give the true newest ones in order, with few calls`, async t => {
    const scene = await openLoaded(t, kind);
    for (const {title, filter, matches, calls} of MEASURED) {
      const expected = Array.from({length: COUNT}, (_, i) => i)
        .filter(matches)
        .sort((a, b) => startOf(b) - startOf(a) || compareNames(idOf(kind, a), idOf(kind, b)))
        .map(i => idOf(kind, i));
      scene.fake.requests.reset();
      t.deepEqual(await firstOf(scene, kind, filter, RANGE, 20), expected.slice(0, 20), `${title}: the first 20`);
      const first = callsOf(scene);
      t.true(first.slices <= calls.first, `${title}: ${first.slices} calls for the first 20`);
      t.true(first.again <= first.slices, `${title}: ${first.again} times the first 20 were read again`);
      scene.fake.requests.reset();
      t.deepEqual(await firstOf(scene, kind, filter, RANGE), expected, `${title}: all`);
      const all = callsOf(scene);
      // Native segments may begin before the window that their later spans lie in, which takes three more.
      t.true(all.slices <= calls.all + (kind === 'native' ? 3 : 0), `${title}: ${all.slices} calls for all`);
      t.true(all.again <= all.slices, `${title}: ${all.again} times some were read again`);
    }
  });

  test(`values over 4,000 ${kind} traces are listed by the earliest span that has them`, async t => {
    const scene = await openLoaded(t, kind);
    const listed = await scene.adapter[kind].attributeValues(
      {attribute: {of: 'service'}, filter: [], ...RANGE, limit: 100},
      call,
    );
    const order = Array.from({length: COUNT}, (_, i) => serviceOf(COUNT - 1 - i));
    t.deepEqual(listed, [...new Set(order)]);
    const few = await scene.adapter[kind].attributeValues(
      {attribute: {of: 'service'}, filter: [], ...RANGE, limit: 5},
      call,
    );
    t.deepEqual(few, [...new Set(order)].slice(0, 5));
    t.deepEqual(await scene.adapter[kind].tagKeys({filter: [{on: 'status', value: 'ERROR'}], ...RANGE}, call), [
      ...(kind === 'compat' ? ['error'] : []),
      'http.method',
    ]);
  });
}

test('conditions on compat spans of every kind find what they mean among thousands', async t => {
  const scene = await openLoaded(t, 'compat');
  const all = spans();
  const filters: readonly SpanFilter[] = [
    [
      {on: 'kind', value: 'SERVER'},
      {on: 'duration', is: '>=', value: 450_000},
    ],
    [{on: 'duration', is: '<', value: 12_999.5}],
    [{on: 'duration', is: '=', value: 26_000}],
    [{on: 'name', value: 'work'}, tag, {on: 'status', value: 'ERROR'}],
    [{on: 'name-or-tag', name: 'nothing', value: 'nothing'}],
  ];
  for (const filter of filters) {
    const expected = all.filter(span => matchesSpan(filter, compatSpanView(span))).map(({traceId}) => traceId);
    t.deepEqual(await firstOf(scene, 'compat', filter, RANGE), expected, JSON.stringify(filter));
  }
});

for (const trustErrorFlag of [false, true]) {
  test(`conditions on native spans find what they mean among thousands, trustErrorFlag ${trustErrorFlag}`, async t => {
    const scene = await openScene(t, {data: seeder => seeder.segments(segments()), config: {trustErrorFlag}});
    const all = segments();
    const filters: readonly SpanFilter[] = [
      [
        {on: 'kind', value: 'SERVER'},
        {on: 'duration', is: '>', value: 450_000},
      ],
      [{on: 'duration', is: '<=', value: 12_999.5}],
      [{on: 'status', value: 'ERROR'}],
      [
        {on: 'status', value: 'OK'},
        {on: 'duration', is: '=', value: 26_000},
      ],
      [{on: 'service', value: 'svc-9'}, tag],
    ];
    for (const filter of filters) {
      const expected = all
        .filter(one => one.spans.some(span => matchesSpan(filter, nativeSpanView(one, span))))
        .map(({traceId}) => traceId);
      t.deepEqual(await firstOf(scene, 'native', filter, RANGE), expected, JSON.stringify(filter));
    }
  });
}
