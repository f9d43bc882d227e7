import type {ExecutionContext} from 'ava';
import fc from 'fast-check';
import type {Attribute, SpanFilter, TimeWindow, TraceSearchRequest} from '../../../core/api/adapter.js';
import {call} from './calls.js';
import type {RetainingOracle, TraceFormat} from './retaining-oracle.js';
import type {StorageHarness} from './storage-harness.js';
import {filter, START, time} from './trace-fragments.js';

const ATTRIBUTES: readonly Attribute[] = [
  {of: 'service'},
  {of: 'name'},
  {of: 'status'},
  {of: 'kind'},
  ...['name', 'http.method', '', 'no such key'].map(key => ({of: 'tag', key}) as const),
];

/** A question: a search, and lists of values cut to a limit. */
export interface Check {
  readonly asked: TraceSearchRequest;
  readonly limit: number;
}

const window: fc.Arbitrary<TimeWindow> = fc.oneof(
  fc.constant({from: 0, to: Number.MAX_SAFE_INTEGER}),
  fc.tuple(time, time, fc.integer({min: -1, max: 1})).map(([a, b, shift]) => ({
    from: (START + Math.min(a, b)) * 1000 + shift,
    to: (START + Math.max(a, b)) * 1000 + 1,
  })),
);

const bound = fc.option(fc.integer({min: 0, max: 4000}), {nil: undefined});
const traceDuration = fc.option(
  fc.record({min: bound, max: bound}).map(({min, max}) => ({...(min && {min}), ...(max && {max})})),
  {nil: undefined, freq: 1},
);

/** Questions with one of these filters. */
export function checkWith(filter: fc.Arbitrary<SpanFilter>): fc.Arbitrary<Check> {
  const asked = fc
    .record({window, filter, traceDuration})
    .map(({window, filter, traceDuration}) => ({...window, filter, ...(traceDuration && {traceDuration})}));
  return fc.record({asked, limit: fc.integer({min: 1, max: 4})});
}

export const check = checkWith(filter);

/** Batches that are written at once. */
export const batchesOf = <Fragment>(fragment: fc.Arbitrary<Fragment>) =>
  fc.array(fc.array(fragment, {maxLength: 6}), {minLength: 1, maxLength: 3});

/**
 * Asks for everything there is to ask about the traces of a search. With `others`, the search may find more than those
 * that match.
 */
export async function compareTraces<Fragment, Trace>(
  t: ExecutionContext,
  harness: StorageHarness,
  format: TraceFormat<Fragment, Trace>,
  oracle: RetainingOracle<Fragment, Trace>,
  {asked, limit}: Check,
  finds: 'matching' | 'others' = 'matching',
): Promise<void> {
  const {from, to, filter} = asked;
  const reader = format.reader(harness);
  const right = await oracle.reader();
  const equal = (actual: unknown, expected: unknown, what: string) => {
    const message = `${what} of ${JSON.stringify(asked)}`;
    if (!t.deepEqual(actual, expected, message)) throw new Error(message);
  };
  for (const id of oracle.ids) {
    const trace = await reader.trace(id, call);
    equal(trace && oracle.sorted(format.fragments(trace)), await oracle.trace(id), `trace ${id}`);
  }
  const found: string[] = [];
  for await (const trace of reader.search(asked, call)) {
    const id = format.idOf(trace);
    found.push(id);
    equal(oracle.sorted(format.fragments(trace)), await oracle.trace(id), `found trace ${id}`);
  }
  const wanted = await oracle.search(asked);
  equal(finds === 'others' ? found.filter(id => wanted.includes(id)) : found, wanted, 'search');
  equal(await reader.tagKeys({from, to, filter}, call), await right.tagKeys({from, to, filter}, call), 'tag keys');
  for (const attribute of ATTRIBUTES) {
    for (const count of [limit, 100]) {
      const request = {attribute, filter, from, to, limit: count};
      const values = await right.attributeValues(request, call);
      equal(await reader.attributeValues(request, call), values, `values of ${JSON.stringify(attribute)}`);
    }
  }
}
