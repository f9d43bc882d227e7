import test, {type ExecutionContext} from 'ava';
import fc from 'fast-check';
import type {Attribute, TimeWindow, TraceSearchRequest} from '../../../../core/api/adapter.js';
import {holdsFor} from '../../../support/fuzz.js';
import {call, Harness, temporaryFolder} from '../harness.js';
import {compat, type KindUnderTest, Model, native} from './model.js';
import {compatSpan, filter, START, segment, time} from './units.js';

/** Each run is a history of dozens of writes and reads, so there are fewer of them. */
const RUNS = Math.ceil(Number(process.env.FUZZ_RUNS ?? 2000) / 100);
/** Ends the search for a smaller counterexample, which takes as long as many histories. */
const TIME_LIMIT = 60_000;
const HOUR = 3_600_000;

type Action<Unit> =
  | {readonly kind: 'write'; readonly batches: readonly (readonly Unit[])[]}
  | {readonly kind: 'settle'}
  | {readonly kind: 'restart'}
  | {readonly kind: 'expire'; readonly hours: number}
  | {readonly kind: 'check'; readonly asked: TraceSearchRequest; readonly limit: number};

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
const asked: fc.Arbitrary<TraceSearchRequest> = fc
  .record({window, filter, traceDuration})
  .map(({window, filter, traceDuration}) => ({...window, filter, ...(traceDuration && {traceDuration})}));

function action<Unit>(unit: fc.Arbitrary<Unit>): fc.Arbitrary<Action<Unit>> {
  const batches = fc.array(fc.array(unit, {maxLength: 6}), {minLength: 1, maxLength: 3});
  return fc.oneof(
    {weight: 8, arbitrary: fc.record({kind: fc.constant('write'), batches})},
    {weight: 2, arbitrary: fc.record({kind: fc.constant('settle')})},
    {weight: 1, arbitrary: fc.record({kind: fc.constant('restart')})},
    {weight: 1, arbitrary: fc.record({kind: fc.constant('expire'), hours: fc.integer({min: 0, max: 3})})},
    {
      weight: 6,
      arbitrary: fc.record({kind: fc.constant('check'), asked, limit: fc.integer({min: 1, max: 4})}),
    },
  ) as fc.Arbitrary<Action<Unit>>;
}

const ATTRIBUTES: readonly Attribute[] = [
  {of: 'service'},
  {of: 'name'},
  {of: 'status'},
  {of: 'kind'},
  ...['name', 'http.method', '', 'no such key'].map(key => ({of: 'tag', key}) as const),
];

function histories<Unit, Trace>(kind: KindUnderTest<Unit, Trace>, unit: fc.Arbitrary<Unit>): void {
  test(`any history of ${kind.name} traces reads as the model does`, async t => {
    const effort = {runs: RUNS, milliseconds: TIME_LIMIT};
    await holdsFor(fc.array(action(unit), {minLength: 10, maxLength: 40, size: 'max'}), effort, async actions => {
      const keep = 100 * HOUR;
      let now = START;
      const harness = await Harness.open(
        {path: await temporaryFolder(t), retention: {traces: keep}},
        {clock: () => now},
      );
      const model = new Model(kind);
      const expire = async () => {
        await harness.storage.settle();
        model.expire((now - keep) * 1000);
      };
      try {
        for (const one of actions) {
          if (one.kind === 'write') {
            // A late unit may be swept away before the next batch, so nothing may depend on what comes after it.
            const batches = now > START ? [one.batches.flat()] : one.batches;
            await Promise.all(batches.map(units => kind.write(harness, units)));
            for (const units of one.batches) model.write(units, now * 1000);
            if (now > START) await expire();
          } else if (one.kind === 'settle') {
            await harness.storage.settle();
          } else if (one.kind === 'restart') {
            await harness.restart();
          } else if (one.kind === 'expire') {
            now = Math.max(now, START + keep + one.hours * HOUR);
            await expire();
          } else {
            await compare(t, harness, kind, model, one);
          }
        }
      } finally {
        await harness.storage.stop();
      }
    });
    t.pass();
  });
}

async function compare<Unit, Trace>(
  t: ExecutionContext,
  harness: Harness,
  kind: KindUnderTest<Unit, Trace>,
  model: Model<Unit, Trace>,
  {asked, limit}: Extract<Action<Unit>, {kind: 'check'}>,
): Promise<void> {
  const {from, to, filter: conditions} = asked;
  const reader = kind.reader(harness);
  const text = JSON.stringify(asked);
  const equal = (actual: unknown, expected: unknown, what: string) => {
    if (!t.deepEqual(actual, expected, `${what} of ${text}`)) throw new Error(`${what} of ${text}`);
  };
  for (const id of model.ids) {
    const trace = await reader.trace(id, call);
    equal(trace && model.sorted(kind.units(trace)), model.trace(id), `trace ${id}`);
  }
  const found: string[] = [];
  for await (const trace of reader.search(asked, call)) {
    const id = kind.idOf(trace);
    found.push(id);
    equal(model.sorted(kind.units(trace)), model.trace(id), `found trace ${id}`);
  }
  equal(found, model.search(asked), 'search');
  equal(await reader.tagKeys({from, to, filter: conditions}, call), model.tagKeys(conditions, {from, to}), 'tag keys');
  for (const attribute of ATTRIBUTES) {
    const all = model.values(attribute, conditions, {from, to});
    for (const count of [limit, 100]) {
      const request = {attribute, filter: conditions, from, to, limit: count};
      equal(await reader.attributeValues(request, call), all.slice(0, count), `values of ${JSON.stringify(attribute)}`);
    }
  }
}

histories(compat, compatSpan);
histories(native, segment);
