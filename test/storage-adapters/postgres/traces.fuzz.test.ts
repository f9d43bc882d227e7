import test, {type ExecutionContext} from 'ava';
import fc from 'fast-check';
import {
  type Attribute,
  type CompatSpan,
  type CompatTrace,
  compatSpanView,
  type SpanFilter,
  type TimeWindow,
  type TraceSearchRequest,
} from '../../../core/api/adapter.js';
import type {ListLimits} from '../../../storage-adapters/postgres/traces/span-lists.js';
import {holdsFor} from '../../support/fuzz.js';
import {testWith} from '../../support/programs.js';
import {sharedPostgres} from '../../support/servers/postgres.js';
import {call} from '../support/calls.js';
import {type KindUnderTest, Model} from '../support/trace-model.js';
import {compatSpan, filter, START, time} from '../support/trace-units.js';
import {Harness} from './harness.js';

/** Each run is a history of dozens of writes and reads, so there are fewer of them. */
const RUNS = Math.ceil(Number(process.env.FUZZ_RUNS ?? 2000) / 100);
/** Ends the search for a smaller counterexample, which takes as long as many histories. */
const TIME_LIMIT = 90_000;
const HOUR = 3_600_000;
/** The age of spans that are all old enough to be listed, and none to expire. */
const KEPT = 50 * HOUR;

const server = sharedPostgres(test);

type Action =
  | {readonly kind: 'write'; readonly batches: readonly (readonly CompatSpan[])[]}
  | {readonly kind: 'restart'}
  | {readonly kind: 'list'}
  | {readonly kind: 'expire'; readonly hours: number}
  | {readonly kind: 'check'; readonly asked: TraceSearchRequest; readonly limit: number};

const window: fc.Arbitrary<TimeWindow> = fc.oneof(
  fc.constant({from: 0, to: Number.MAX_SAFE_INTEGER}),
  fc.tuple(time, time, fc.integer({min: -1, max: 1})).map(([a, b, shift]) => ({
    from: (START + Math.min(a, b)) * 1000 + shift,
    to: (START + Math.max(a, b)) * 1000 + 1,
  })),
);

const byService: fc.Arbitrary<SpanFilter> = fc.constantFrom(
  [],
  ...['a', 'b', ''].map(value => [{on: 'service', value} as const]),
);

const bound = fc.option(fc.integer({min: 0, max: 4000}), {nil: undefined});
const traceDuration = fc.option(
  fc.record({min: bound, max: bound}).map(({min, max}) => ({...(min && {min}), ...(max && {max})})),
  {nil: undefined, freq: 1},
);
const asked: fc.Arbitrary<TraceSearchRequest> = fc
  .record({window, filter: fc.oneof(filter, byService), traceDuration})
  .map(({window, filter, traceDuration}) => ({...window, filter, ...(traceDuration && {traceDuration})}));

/** Of as few spans as are here, from lists of nearly everything to hardly any. */
const limits: fc.Arbitrary<ListLimits> = fc.record({
  spans: fc.integer({min: 1, max: 3}),
  valuesPerSpan: fc.constantFrom(0.5, 1, 10),
  bytesPerSpan: fc.constantFrom(3, 100),
});

const batches = fc.array(fc.array(compatSpan, {maxLength: 6}), {minLength: 1, maxLength: 3});
const action = fc.oneof(
  {weight: 8, arbitrary: fc.record({kind: fc.constant('write'), batches})},
  {weight: 1, arbitrary: fc.record({kind: fc.constant('restart')})},
  {weight: 4, arbitrary: fc.record({kind: fc.constant('list')})},
  {weight: 1, arbitrary: fc.record({kind: fc.constant('expire'), hours: fc.integer({min: 0, max: 3})})},
  {weight: 6, arbitrary: fc.record({kind: fc.constant('check'), asked, limit: fc.integer({min: 1, max: 4})})},
) as fc.Arbitrary<Action>;

const ATTRIBUTES: readonly Attribute[] = [
  {of: 'service'},
  {of: 'name'},
  {of: 'status'},
  {of: 'kind'},
  ...['name', 'http.method', '', 'no such key'].map(key => ({of: 'tag', key}) as const),
];

/** As the model of the embedded storage's tests sees it; it is asked of another harness only. */
const kind: Omit<KindUnderTest<CompatSpan, CompatTrace>, 'reader' | 'write'> = {
  name: 'compat',
  traceId: span => span.traceId,
  identity: ({id, kind, shared}) => JSON.stringify([id, kind ?? null, shared ?? false]),
  spans: span => [{start: span.timestamp, view: compatSpanView(span), keys: [...span.tags.keys()]}],
  units: trace => trace.spans,
  idOf: trace => trace.traceId,
};

let schemas = 0;

testWith(test, 'postgres', 'any history of traces reads as the model does', async t => {
  const url = (await server()).url();
  const effort = {runs: RUNS, milliseconds: TIME_LIMIT};
  const histories = fc.tuple(fc.array(action, {minLength: 10, maxLength: 30, size: 'max'}), limits);
  await holdsFor(histories, effort, async ([actions, limits]) => {
    const keep = 100 * HOUR;
    const schema = `history_${++schemas}`;
    let now = START + KEPT;
    const harness = new Harness({url, schema, retention: {traces: keep}}, () => now, limits);
    const model = new Model(kind as KindUnderTest<CompatSpan, CompatTrace>);
    const expire = async () => {
      await harness.storage.settle();
      model.expire((now - keep) * 1000);
    };
    try {
      await harness.start();
      for (const one of actions) {
        if (one.kind === 'write') {
          // A late unit may be swept away before the next batch, so nothing may depend on what comes after it.
          const all = now > START + KEPT ? [one.batches.flat()] : one.batches;
          await Promise.all(all.map(spans => harness.spans.write(spans, call)));
          for (const spans of one.batches) model.write(spans, now * 1000);
          if (now > START + KEPT) await expire();
        } else if (one.kind === 'restart') {
          await harness.restart();
        } else if (one.kind === 'list') {
          await harness.storage.settle();
        } else if (one.kind === 'expire') {
          now = Math.max(now, START + keep + one.hours * HOUR);
          await expire();
        } else {
          await compare(t, harness, model, one);
        }
      }
    } finally {
      await harness.storage.stop();
      await (await server()).sql(`DROP SCHEMA "${schema}" CASCADE`);
    }
  });
  t.pass();
});

testWith(test, 'postgres', 'what several gateways write while all of them list reads as the model does', async t => {
  const url = (await server()).url();
  const writers = fc.array(fc.array(fc.array(compatSpan, {maxLength: 6}), {maxLength: 6}), {
    minLength: 3,
    maxLength: 3,
  });
  const questions = fc.array(asked, {maxLength: 4});
  const effort = {runs: Math.ceil(RUNS / 2), milliseconds: TIME_LIMIT};
  await holdsFor(fc.tuple(writers, limits, questions), effort, async ([writers, limits, questions]) => {
    const schema = `gateways_${++schemas}`;
    const model = new Model(kind as KindUnderTest<CompatSpan, CompatTrace>);
    const harnesses = writers.map(() => new Harness({url, schema}, () => START + KEPT, limits));
    try {
      for (const harness of harnesses) await harness.start();
      await Promise.all(
        harnesses.map(async (harness, i) => {
          for (const spans of writers[i] ?? []) {
            // Each has traces of its own, so that it does not matter who comes first.
            const own = spans.map(span => ({...span, traceId: `${i + 1}${span.traceId.slice(1)}`}));
            await harness.spans.write(own, call);
            model.write(own, 0);
            await harness.storage.settle();
          }
        }),
      );
      const [harness] = harnesses as [Harness];
      for (const asked of questions) await compare(t, harness, model, {kind: 'check', asked, limit: 2});
    } finally {
      await Promise.all(harnesses.map(harness => harness.storage.stop()));
      await (await server()).sql(`DROP SCHEMA "${schema}" CASCADE`);
    }
  });
  t.pass();
});

async function compare(
  t: ExecutionContext,
  harness: Harness,
  model: Model<CompatSpan, CompatTrace>,
  {asked: request, limit}: Extract<Action, {kind: 'check'}>,
): Promise<void> {
  const {from, to, filter: conditions} = request;
  const asked = JSON.stringify(request);
  const equal = (actual: unknown, expected: unknown, what: string) => {
    if (!t.deepEqual(actual, expected, `${what} of ${asked}`)) throw new Error(`${what} of ${asked}`);
  };
  for (const id of model.ids) {
    const trace = await harness.compat.trace(id, call);
    equal(trace && model.sorted(trace.spans), model.trace(id), `trace ${id}`);
  }
  const found: string[] = [];
  for await (const {traceId, spans} of harness.compat.search(request, call)) {
    found.push(traceId);
    equal(model.sorted(spans), model.trace(traceId), `found trace ${traceId}`);
  }
  equal(found, model.search(request), 'search');
  const keys = await harness.compat.tagKeys({from, to, filter: conditions}, call);
  equal(keys, model.tagKeys(conditions, {from, to}), 'tag keys');
  for (const attribute of ATTRIBUTES) {
    const all = model.values(attribute, conditions, {from, to});
    for (const count of [limit, 100]) {
      const values = await harness.compat.attributeValues(
        {attribute, filter: conditions, from, to, limit: count},
        call,
      );
      equal(values, all.slice(0, count), `values of ${JSON.stringify(attribute)}`);
    }
  }
}
