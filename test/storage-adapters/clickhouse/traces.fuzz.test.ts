import test, {type ExecutionContext} from 'ava';
import fc from 'fast-check';
import type {Attribute, Call, SpanFilter, TimeWindow, TraceReader} from '../../../core/api/adapter.js';
import {holdsFor} from '../../support/fuzz.js';
import {ownerOf} from '../../support/owner.js';
import {suiteWith} from '../../support/programs.js';
import {type ClickHouseServer, startClickHouse} from '../../support/servers/clickhouse.js';
import {compat, type KindUnderTest, Model, native} from '../embedded/traces/model.js';
import {compatSpan, filter, START, segment, time} from '../embedded/traces/units.js';
import {call, Harness} from './harness.js';

/** Each run is a history of dozens of statements, so there are fewer of them. */
const RUNS = Math.ceil(Number(process.env.FUZZ_RUNS ?? 2000) / 250);

const window: fc.Arbitrary<TimeWindow> = fc.oneof(
  fc.constant({from: 0, to: Number.MAX_SAFE_INTEGER}),
  fc.tuple(time, time, fc.integer({min: -1, max: 1})).map(([a, b, shift]) => ({
    from: (START + Math.min(a, b)) * 1000 + shift,
    to: (START + Math.max(a, b)) * 1000 + 1,
  })),
);

function action<Unit>(unit: fc.Arbitrary<Unit>) {
  const batches = fc.array(fc.array(unit, {maxLength: 6}), {minLength: 1, maxLength: 3});
  return fc.oneof(
    {weight: 6, arbitrary: fc.record({batches})},
    {weight: 1, arbitrary: fc.constant('merge' as const)},
    {weight: 5, arbitrary: fc.record({window, filter, limit: fc.integer({min: 1, max: 4})})},
  );
}

const ATTRIBUTES: readonly Attribute[] = [
  {of: 'service'},
  {of: 'name'},
  {of: 'status'},
  {of: 'kind'},
  ...['name', 'http.method', '', 'no such key'].map(key => ({of: 'tag', key}) as const),
];

interface Access<Unit, Trace> {
  readonly reader: (harness: Harness) => TraceReader<Trace>;
  readonly writer: (harness: Harness) => {write(units: readonly Unit[], call: Call): Promise<void>};
}

function histories<Unit, Trace>(
  kind: KindUnderTest<Unit, Trace>,
  unit: fc.Arbitrary<Unit>,
  access: Access<Unit, Trace>,
  server: (t: ExecutionContext) => Promise<ClickHouseServer>,
): void {
  test(`any history of ${kind.name} traces reads as the model does, merged or not`, async t => {
    const {url, query} = await server(t).then(running => ({url: running.url, query: running.query.bind(running)}));
    const effort = {runs: RUNS, milliseconds: 120_000};
    await holdsFor(fc.array(action(unit), {minLength: 6, maxLength: 20, size: 'max'}), effort, async actions => {
      const harness = new Harness({urls: [url]});
      const model = new Model(kind);
      try {
        await harness.start();
        for (const one of actions) {
          if (one === 'merge') {
            for (const table of ['units', 'spans']) {
              await query(`OPTIMIZE TABLE ${harness.database}.${kind.name}_${table}`);
            }
          } else if ('batches' in one) {
            await Promise.all(one.batches.map(units => access.writer(harness).write(units, call)));
            for (const units of one.batches) model.write(units, 0);
          } else {
            await compare(t, access.reader(harness), kind, model, one.window, one.filter, one.limit);
          }
        }
      } finally {
        await harness.storage.stop();
        await query(`DROP DATABASE ${harness.database}`);
      }
    });
    t.pass();
  });
}

async function compare<Unit, Trace>(
  t: ExecutionContext,
  reader: TraceReader<Trace>,
  kind: KindUnderTest<Unit, Trace>,
  model: Model<Unit, Trace>,
  {from, to}: TimeWindow,
  conditions: SpanFilter,
  limit: number,
): Promise<void> {
  const asked = JSON.stringify({from, to, conditions});
  const equal = (actual: unknown, expected: unknown, what: string) => {
    if (!t.deepEqual(actual, expected, `${what} of ${asked}`)) throw new Error(`${what} of ${asked}`);
  };
  for (const id of model.ids) {
    const trace = await reader.trace(id, call);
    equal(trace && model.sorted(kind.units(trace)), model.trace(id), `trace ${id}`);
  }
  const found: string[] = [];
  for await (const trace of reader.search({from, to, filter: conditions}, call)) {
    const id = kind.idOf(trace);
    found.push(id);
    equal(model.sorted(kind.units(trace)), model.trace(id), `found trace ${id}`);
  }
  // Others may be found too, of which a span matched before it was replaced.
  const wanted = model.search({filter: conditions, from, to});
  equal(
    found.filter(id => wanted.includes(id)),
    wanted,
    'search',
  );
  equal(await reader.tagKeys({from, to, filter: conditions}, call), model.tagKeys(conditions, {from, to}), 'tag keys');
  for (const attribute of ATTRIBUTES) {
    const all = model.values(attribute, conditions, {from, to});
    for (const count of [limit, 100]) {
      const request = {attribute, filter: conditions, from, to, limit: count};
      equal(await reader.attributeValues(request, call), all.slice(0, count), `values of ${JSON.stringify(attribute)}`);
    }
  }
}

suiteWith(test, 'clickhouse-server', 'histories of traces', () => {
  const owner = ownerOf(test);
  let started: Promise<ClickHouseServer> | undefined;
  const server = () => {
    started ??= startClickHouse(owner);
    return started;
  };
  histories(
    compat,
    compatSpan,
    {reader: harness => harness.get('traces.compat.v1'), writer: harness => harness.get('ingest.compat.v1')},
    server,
  );
  histories(
    native,
    segment,
    {reader: harness => harness.get('traces.native.v2'), writer: harness => harness.get('ingest.native.v1')},
    server,
  );
});
