import test from 'ava';
import {withScene} from './support.js';

const scene = withScene(test);

/** All of 2026-01-20 03:27:18 UTC, to the second. */
const SAME_SECOND = [
  ...['', '.0', '.000', '.123'].map(fraction => `2026-01-20T03:27:18${fraction}Z`),
  ...['+08:00', '+0800'].flatMap(offset =>
    ['', '.0', '.123'].map(fraction => `2026-01-20T11:27:18${fraction}${offset}`),
  ),
  ...['-08:00', '-0800'].flatMap(offset =>
    ['', '.0', '.123'].map(fraction => `2026-01-19T19:27:18${fraction}${offset}`),
  ),
  '2026-01-20T03:27:18',
];

const ACCEPTED: readonly (readonly [text: string, seconds: number])[] = [
  ...SAME_SECOND.map(text => [text, text.includes('.123') ? 1_768_879_638.123 : 1_768_879_638] as const),
  ['2026-01-20T03:27:18.123456789Z', 1_768_879_638.123],
  ['2026-01-20t03:27:18z', 1_768_879_638],
  ['2026-01-20T11:27:18 08:00', 1_768_879_638],
  ['1627756800', 1_627_756_800],
  ['1627756800.781', 1_627_756_800.781],
  ['1.6277568e9', 1_627_756_800],
  ['  1627756800 ', 1_627_756_800],
  ['4', 4],
  ['0', 0],
  ['.5', 0.5],
  ['+4', 4],
  ['-4', -4],
  ['2024-02-29T00:00:00Z', 1_709_164_800],
  ['1969-12-31T23:59:59Z', -1],
  ['253402300799', 253_402_300_799],
];

test('the seventeen spellings are seventeen', t => t.is(new Set(SAME_SECOND).size, 17));

for (const [text, seconds] of ACCEPTED) {
  test(`the time '${text}' is ${seconds}`, async t => {
    t.deepEqual(await scene.data('/api/v1/query', {query: '1', time: text}), {
      resultType: 'scalar',
      result: [seconds, '1'],
    });
  });
}

const REFUSED = [
  'abc',
  'NaN',
  'Infinity',
  '-Infinity',
  '1e400',
  '1627756800d',
  '0x1p3',
  '0x10',
  '1_000',
  '2026-01-20',
  '2026-01-20 03:27:18Z',
  '2026-01-20T03:27Z',
  '2026-01-20T11:27:18+08',
  '2026-01-20T11:27:18+8:00',
  '2026-02-30T00:00:00Z',
  '2025-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-00-10T00:00:00Z',
  '2026-01-20T24:00:00Z',
  '2026-01-20T23:60:00Z',
  '2026-01-20T23:59:60Z',
  '2026-01-20T23:59:59+24:00',
  '2026-01-20T03:27:18.Z',
  '20260120T032718Z',
  'now',
];

for (const text of REFUSED) {
  test(`the time '${text}' is refused`, async t => {
    for (const [path, parameters] of [
      ['query', {query: '1', time: text}],
      ['query_range', {query: '1', start: text, end: '5'}],
      ['query_range', {query: '1', start: '5', end: text}],
      ['labels', {end: text}],
    ] as const) {
      const answer = await scene.get(`/api/v1/${path}`, parameters);
      t.is(answer.status, 400);
      t.is(answer.json<{errorType: string}>().errorType, 'bad_data');
    }
  });
}

/** What clients send for "no bound", and other times that no calendar can write. */
const BEYOND = ['-9223309901257974', '9223309901257974', '1677548400000', '-1677548400000', '1e300'];
/** Prometheus' own text of its first and its last time. */
const EXTREMES = ['-292273086-05-16T16:47:06Z', '292277025-08-18T07:12:54.999999999Z'];

for (const text of BEYOND) {
  test(`the time '${text}' is refused where samples are asked for`, async t => {
    for (const [path, parameters] of [
      ['query', {query: '1', time: text}],
      ['query_range', {query: '1', start: text, end: '5'}],
      ['query_range', {query: '1', start: '5', end: text}],
    ] as const) {
      const answer = await scene.get(`/api/v1/${path}`, parameters);
      t.is(answer.status, 400);
      t.is(answer.json<{errorType: string}>().errorType, 'bad_data');
    }
  });
}

for (const text of [...BEYOND, ...EXTREMES]) {
  test(`lists take the bound '${text}' as the nearest time that there is`, async t => {
    const selector = 'service_traffic{layer="GENERAL"}';
    const isEnd = !text.startsWith('-');
    const [start, end] = isEnd ? ['0', text] : [text, '253402300799'];
    const all = await scene.data('/api/v1/series', {'match[]': selector, start: '0', end: '253402300799'});
    t.true((all as readonly unknown[]).length > 0);
    t.deepEqual(await scene.data('/api/v1/series', {'match[]': selector, start, end}), all);
    t.is((await scene.get('/api/v1/labels', {start, end: text})).status, 200);
    const names = await scene.data('/api/v1/label/__name__/values');
    t.deepEqual(await scene.data('/api/v1/label/__name__/values', {start, end}), names);
    t.is((await scene.get('/api/v1/label/service/values', {'match[]': selector, start, end: text})).status, 200);
  });
}

test('a fraction of a second is cut before the step is chosen', async t => {
  const hour = await scene.range('1', 1_700_000_040, 1_700_003_640.9);
  t.is(hour.split('@').length - 1, 61);
  const longer = await scene.range('1', 1_700_000_040, 1_700_003_641);
  t.is(longer.split('@').length - 1, 2);
});

test('both end buckets are included, floored to the step', async t => {
  t.deepEqual(await scene.data('/api/v1/query_range', {query: '1', start: '1677479336', end: '1677479636'}), {
    resultType: 'matrix',
    result: [
      {
        metric: {},
        values: [280, 340, 400, 460, 520, 580].map(offset => [1_677_479_000 + offset, '1']),
      },
    ],
  });
});

test('the buckets by span', async t => {
  for (const [span, count] of [
    [0, 1],
    [3600, 61],
    [3601, 2],
    [4680, 2],
    [6 * 3600, 7],
    [86_400, 25],
    [86_401, 2],
    [7 * 86_400, 8],
  ] as const) {
    // Midnight, UTC.
    const text = await scene.range('1', 1_699_920_000, 1_699_920_000 + span);
    t.is(text.split('@').length - 1, count, `${span} seconds`);
  }
});
