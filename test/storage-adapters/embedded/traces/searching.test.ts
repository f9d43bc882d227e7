import {setTimeout as sleep} from 'node:timers/promises';
import test from 'ava';
import type {SpanFilter} from '../../../../core/api/adapter.js';
import {collected} from '../../support/answers.js';
import {call, callWith, sharedController} from '../../support/calls.js';
import {Harness, temporaryFolder} from '../harness.js';
import {EVER, START, searched, span, spansOf} from './support.js';

const lookups: readonly {
  readonly stored: string;
  readonly found: readonly string[];
  readonly not: readonly string[];
}[] = [
  {
    stored: '00000000000000ab',
    found: ['00000000000000ab', 'ab', 'AB', '0ab', `${'0'.repeat(30)}ab`, `${'0'.repeat(40)}aB`],
    not: ['a', 'abc', '', 'xyz', 'ab ', `1${'0'.repeat(29)}ab`],
  },
  {
    stored: '000000000000000a00000000000000ab',
    found: ['a00000000000000ab', 'A00000000000000AB', '000000000000000a00000000000000ab'],
    not: ['ab', '00000000000000ab', 'b00000000000000ab'],
  },
];

test('a compat trace is found by its id in any case, with or without leading zeros', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  for (const {stored} of lookups) await harness.spans.write([span(0, 0, {traceId: stored})], call);
  for (const {stored, found, not} of lookups) {
    for (const id of found) t.is((await harness.compat.trace(id, call))?.traceId, stored, id);
    for (const id of not) t.not((await harness.compat.trace(id, call))?.traceId, stored, id);
  }
});

test('traces outside the bounds of a trace duration are left out, those at the bounds are not', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  for (let i = 0; i < 10; i++) {
    const child = span(i, 1, {timestamp: START + i * 1000 + 500, duration: 100 * (i + 1)});
    await harness.spans.write([span(i, 0), child, span(i, 2, {timestamp: undefined as never})], call);
  }
  const bounds: readonly [{min?: number; max?: number}, number][] = [
    [{}, 10],
    [{min: 800}, 8],
    [{min: 801}, 7],
    [{max: 800}, 3],
    [{max: 799.5}, 2],
    [{min: 700, max: 800}, 2],
  ];
  for (const [traceDuration, count] of bounds) {
    let found = 0;
    for await (const {spans} of harness.compat.search({filter: [], traceDuration, ...EVER}, call))
      found += spans.length / 3;
    t.is(found, count, JSON.stringify(traceDuration));
  }
});

test('a search that waits for its turn ends when it is cancelled', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  await harness.spans.write(spansOf(2000, 3), call);
  const controller = sharedController();
  const searches = Array.from({length: 100}, (_, i) =>
    collected(harness.compat.search({filter: [], ...EVER}, i < 50 ? call : callWith(controller.signal))),
  );
  const reason = new Error('enough');
  controller.abort(reason);
  const results = await Promise.allSettled(searches);
  t.true(results.slice(0, 50).every(result => result.status === 'fulfilled' && result.value.length === 2000));
  t.true(results.slice(50).every(result => result.status === 'rejected' && result.reason === reason));
});

test('a search that its consumer leaves ends, and others go on', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  await harness.spans.write(spansOf(500, 2), call);
  for (let round = 0; round < 20; round++) {
    let count = 0;
    for await (const {spans} of harness.compat.search({filter: [], ...EVER}, call)) {
      t.is(spans.length, 2);
      if (++count === 30) break;
    }
  }
  t.is((await searched(harness.compat)).length, 500);
});

test('a search that is cancelled in any moment rejects with the reason', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  await harness.spans.write(spansOf(2000, 2), call);
  const reason = new Error('enough');
  for (const delay of [0, 1, 3, 10]) {
    const controller = new AbortController();
    const searching = (async () => {
      for (;;)
        for await (const trace of harness.compat.search({filter: [], ...EVER}, callWith(controller.signal))) void trace;
    })();
    void sleep(delay).then(() => controller.abort(reason));
    t.is(await t.throwsAsync(searching), reason);
    const listing = harness.compat.tagKeys({filter: [], ...EVER}, callWith(AbortSignal.abort(reason)));
    t.is(await t.throwsAsync(listing), reason);
  }
  t.is((await searched(harness.compat)).length, 2000);
});

test('searches of which one has far to go have their turns', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  await harness.spans.write(spansOf(4000, 3), call);
  const order: string[] = [];
  // More than there are reading threads, so that each has one of them.
  const long = Array.from({length: 3}, async () => {
    await searched(harness.compat);
    order.push('long');
  });
  const window = {from: START, to: START + 1000};
  const short = (async () => {
    t.is((await searched(harness.compat, [], window)).length, 1);
    order.push('short');
  })();
  await Promise.all([...long, short]);
  t.is(order[0], 'short');
});

test('what a replaced span had is found no more, before and after blocks are merged', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  const old: SpanFilter = [{on: 'tag', key: 'state', value: 'old'}];
  const tagged = (trace: number, state: string) => span(trace, 0, {tags: new Map([['state', state]])});
  for (let i = 0; i < 20; i++) await harness.spans.write([tagged(i, 'old')], call);
  t.is((await searched(harness.compat, old)).length, 20);
  for (let i = 0; i < 20; i += 2) await harness.spans.write([tagged(i, 'new')], call);
  for (const merge of [false, true]) {
    if (merge) await harness.storage.settle();
    t.is((await searched(harness.compat, old)).length, 10);
    const request = {attribute: {of: 'tag', key: 'state'}, filter: [], ...EVER, limit: 9} as const;
    t.deepEqual(await harness.compat.attributeValues(request, call), ['new', 'old']);
  }
  for (let i = 1; i < 20; i += 2) await harness.spans.write([tagged(i, 'new')], call);
  const request = {attribute: {of: 'tag', key: 'state'}, filter: [], ...EVER, limit: 9} as const;
  t.deepEqual(await harness.compat.attributeValues(request, call), ['new']);
  await harness.storage.settle();
  t.deepEqual(await searched(harness.compat, old), []);
});
