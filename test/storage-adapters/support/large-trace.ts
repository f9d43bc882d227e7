import type {ExecutionContext} from 'ava';
import type {CompatSpan} from '../../../core/api/adapter.js';
import {otlpSpan} from '../../core/api/otlp-spans.js';
import {collected} from './answers.js';
import {call} from './calls.js';
import type {StorageHarness} from './storage-harness.js';

/** Microseconds. */
const START = 1_700_000_000_000_000;
const EVER = {from: 0, to: Number.MAX_SAFE_INTEGER};
const FILTER = [{on: 'tag', key: 'n', value: '7'}] as const;

function child(index: number, more: Partial<CompatSpan> = {}): CompatSpan {
  return {
    traceId: '0000000000000002',
    id: (index + 1).toString(16).padStart(16, '0'),
    parentId: '0000000000000001',
    name: 'get',
    timestamp: START + index,
    duration: 10 + index,
    annotations: [],
    tags: new Map([['n', String(index % 100)]]),
    ...more,
  };
}

/**
 * Of a large trace an adapter reads only what matches, with the root and the extent as they are now. `settle` waits for
 * what it does by itself.
 */
export async function readsWhatMatches(
  t: ExecutionContext,
  harness: StorageHarness,
  settle?: () => Promise<void>,
): Promise<void> {
  const search = () => collected(harness.compat.search({filter: FILTER, ...EVER, matching: true}, call));
  // Small ones come whole.
  await harness.spans.write(
    Array.from({length: 100}, (_, i) => child(i + 1)),
    call,
  );
  const [small] = await search();
  t.is(small?.spans.length, 100);
  t.is(small?.summary, undefined);

  await harness.spans.write(
    Array.from({length: 1900}, (_, i) => child(i + 101)),
    call,
  );
  const {timestamp: _, duration: __, ...timeless} = child(5000, {tags: new Map([['n', '7']])});
  await harness.spans.write([timeless], call);
  const [orphans] = await search();
  const matching = [timeless, ...Array.from({length: 20}, (_, i) => child(i * 100 + 7))];
  const byId = (a: CompatSpan, b: CompatSpan) => (a.id < b.id ? -1 : 1);
  t.deepEqual(orphans?.spans.toSorted(byId), matching.toSorted(byId));
  t.deepEqual(orphans?.summary, {start: START + 1, end: START + 2000 + 2010, root: child(1)});

  // Its root comes last, and begins later than a child whose clock was wrong.
  const root: CompatSpan = {...child(0), timestamp: START + 1500, duration: 1_000_000};
  delete (root as {parentId?: string}).parentId;
  await harness.spans.write([root], call);
  t.deepEqual((await search())[0]?.summary, {start: START + 1, end: START + 1_001_500, root});

  // It comes again with another name, and shorter.
  const renamed = {...root, name: 'renamed', duration: 1};
  await harness.spans.write([renamed], call);
  await settle?.();
  await harness.restart();
  t.deepEqual((await search())[0]?.summary, {start: START + 1, end: START + 2000 + 2010, root: renamed});
  t.is((await collected(harness.compat.search({filter: FILTER, ...EVER}, call)))[0]?.spans.length, 2002);
}

/** The same of OTLP, whose bounds have nanoseconds, and whose root was called by something that reports elsewhere. */
export async function readsWhatMatchesOfOtlp(
  t: ExecutionContext,
  harness: StorageHarness,
  settle?: () => Promise<void>,
): Promise<void> {
  const idOf = (index: number) => (index + 1).toString(16).padStart(16, '0');
  const spans = Array.from({length: 2000}, (_, index) => {
    const startTime = BigInt(START) * 1000n + BigInt(index) * 1000n + 5n;
    return otlpSpan({
      spanId: idOf(index),
      parentSpanId: index === 0 ? 'f'.repeat(16) : idOf(0),
      startTime,
      endTime: startTime + BigInt(index) + 10n,
      attributes: [{key: 'n', value: BigInt(index % 100)}],
    });
  });
  await harness.get('ingest.otlp.v1').write(spans, call);
  await settle?.();
  const request = {filter: FILTER, ...EVER, matching: true};
  const [found] = await collected(harness.get('traces.otlp.v1').search(request, call));
  const [root] = spans;
  const last = spans.at(-1);
  t.deepEqual(found?.summary, root && last && {start: root.startTime, end: last.endTime, root});
  const wanted = spans.filter((_, index) => index % 100 === 7);
  const ids = new Set(found?.spans.map(({spanId}) => spanId));
  t.true(wanted.every(({spanId}) => ids.has(spanId)));
  // The edges may come along.
  t.true(ids.size <= wanted.length + 2, `${ids.size} spans`);
}
