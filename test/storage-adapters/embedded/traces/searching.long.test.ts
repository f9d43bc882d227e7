import test from 'ava';
import type {CompatSpan, SpanFilter, TraceSearchRequest} from '../../../../core/api/adapter.js';
import {collected} from '../../support/answers.js';
import {call} from '../../support/calls.js';
import {readsWhatMatches, readsWhatMatchesOfOtlp} from '../../support/large-trace.js';
import {Harness, temporaryFolder} from '../harness.js';
import {EVER, START, searched, span, spansOf} from './support.js';

const TRACES = 3000;

test('thousands of traces come newest first, each once, while they are written and after a restart', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  const expected: string[] = [];
  for (let first = 0; first < TRACES; first += 50) {
    await harness.spans.write(spansOf(50, 3, first), call);
    for (let i = first; i < first + 50; i++) expected.unshift((i + 1).toString(16).padStart(16, '0'));
    if (first % 1000 === 0) t.deepEqual(await ids(harness), expected);
  }
  await harness.storage.settle();
  t.deepEqual(await ids(harness), expected);
  await harness.restart();
  t.deepEqual(await ids(harness), expected);
  const byTag = await ids(harness, [{on: 'tag', key: 'key', value: 'value-5'}]);
  t.deepEqual(
    byTag,
    expected.filter(id => (Number.parseInt(id, 16) - 1) % 13 === 5),
  );
});

for (const packFrom of [1, Number.POSITIVE_INFINITY]) {
  test(`of a large trace only what matches is read, with its root and extent as they are now, ${packFrom === 1 ? 'packed' : 'not packed'}`, async t => {
    const harness = await Harness.open({path: await temporaryFolder(t)}, {packFrom});
    const settle = () => harness.storage.settle();
    await readsWhatMatches(t, harness, settle);
    await readsWhatMatchesOfOtlp(t, harness, settle);
  });
}

async function ids(harness: Harness, filter: SpanFilter = []): Promise<readonly string[]> {
  return (await searched(harness.compat, filter)).map(({traceId}) => traceId);
}

test('long traces are found among thousands of short ones, in whatever hour and among whichever spans', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  const hour = 3_600_000_000;
  const spans: CompatSpan[] = [];
  // More in each hour than the search would list, some of them long, and most spans without the tag.
  for (let i = 0; i < 27_000; i++) {
    const duration = i % 3000 === 1 ? 2_000_000 : i % 2 === 0 ? 1000 : 400;
    const timestamp = START + Math.floor(i / 9000) * hour + (i % 9000) * 1000;
    const tags = new Map(i % 1500 === 1 ? [['rare', 'yes']] : []);
    spans.push(span(i, 0, {timestamp, duration, tags}));
  }
  await harness.spans.write(spans, call);
  await harness.storage.settle();
  const count = async (request: Partial<TraceSearchRequest>) =>
    (await collected(harness.compat.search({filter: [], ...EVER, ...request}, call))).length;
  const rare: SpanFilter = [{on: 'tag', key: 'rare', value: 'yes'}];
  const requests: readonly (readonly [Partial<TraceSearchRequest>, number])[] = [
    [{traceDuration: {min: 2_000_000}}, 9],
    [{traceDuration: {min: 2_000_001}}, 0],
    [{traceDuration: {min: 1000}}, 13_509],
    [{traceDuration: {max: 399}}, 0],
    [{traceDuration: {min: 1001}, from: START + hour}, 6],
    [{traceDuration: {min: 1001}, to: START + hour}, 3],
    [{traceDuration: {min: 1001}, from: START + 5_000_000, to: START + hour + 5_000_000}, 3],
    [{traceDuration: {min: 1001}, filter: rare}, 9],
    [{traceDuration: {max: 1000}, filter: rare}, 9],
    [{filter: [{on: 'duration', is: '>', value: 1000}]}, 9],
    [{filter: [{on: 'duration', is: '>=', value: 2_000_000.5}]}, 0],
    [{filter: [{on: 'duration', is: '<', value: 400}]}, 0],
  ];
  for (const [request, expected] of requests) t.is(await count(request), expected, JSON.stringify(request));
});

test('hundreds of searches leave room for other questions', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  await harness.spans.write(spansOf(2000, 3), call);
  let ended = 0;
  const searches = Array.from({length: 200}, async () => {
    const found = await searched(harness.compat, [{on: 'service', value: 'service-3'}]);
    ended++;
    return found.length;
  });
  t.is((await harness.compat.trace('1', call))?.spans.length, 3);
  t.true(ended < 100, `${ended} searches had ended before`);
  t.deepEqual(new Set(await Promise.all(searches)), new Set([286]));
});

test('each of hundreds of values of a tag is found and listed, in whatever script and however long', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  const prefixes = ['', 'a', '\0', 'ü', '\uFF5E', '\u{1F600}'];
  const lengths = [1, 127, 128, 700, 1780, 1800, 5000];
  const short = prefixes.flatMap(prefix => Array.from({length: 150}, (_, i) => `${prefix}${i}`));
  const long = prefixes.flatMap(prefix => lengths.map(length => `${prefix}-${'x'.repeat(length)}`));
  const values = [...short, ...long];
  const spans = values.map((value, i) => span(i, 0, {tags: new Map([['key', value]])}));
  const check = async () => {
    for (const [i, value] of values.entries()) {
      const found = await searched(harness.compat, [{on: 'tag', key: 'key', value}]);
      t.deepEqual(
        found.map(({traceId}) => traceId),
        [spans[i]?.traceId],
      );
    }
    const request = {attribute: {of: 'tag', key: 'key'}, filter: [], ...EVER, limit: 10_000} as const;
    t.deepEqual(await harness.compat.attributeValues(request, call), values);
    t.is((await searched(harness.compat, [{on: 'tag', key: 'key', value: 'a15x'}])).length, 0);
  };
  await harness.spans.write(spans, call);
  await check();
  // In a block that is merged from many.
  for (let i = 0; i < 80; i++) await harness.spans.write([span(5000 + i, 0, {tags: new Map()})], call);
  await harness.storage.settle();
  await check();
});
