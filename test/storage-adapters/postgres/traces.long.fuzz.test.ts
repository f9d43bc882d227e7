import test from 'ava';
import fc from 'fast-check';
import type {SpanFilter} from '../../../core/api/adapter.js';
import type {ListLimits} from '../../../storage-adapters/postgres/traces/span-lists.js';
import {FUZZ_RUNS, holdsFor} from '../../support/fuzz.js';
import {testWith} from '../../support/programs.js';
import {sharedPostgres} from '../../support/servers/postgres.js';
import {call} from '../support/calls.js';
import {compat, otlp, RetainingOracle, type TraceFormat} from '../support/retaining-oracle.js';
import {compatSpan, filter, otlpSpan, START} from '../support/trace-fragments.js';
import {batchesOf, type Check, checkWith, compareTraces} from '../support/trace-histories.js';
import {Harness} from './harness.js';

/** Each run is a history of dozens of writes and reads, so there are fewer of them. */
const RUNS = Math.ceil(FUZZ_RUNS / 200);
/** Ends the search for a smaller counterexample, which takes as long as many histories. */
const TIME_LIMIT = 45_000;
const HOUR = 3_600_000;
/** The age of spans that are all old enough to be listed, and none to expire. */
const KEPT = 50 * HOUR;

const server = sharedPostgres(test);

type Action<Span> =
  | {readonly kind: 'write'; readonly batches: readonly (readonly Span[])[]}
  | {readonly kind: 'restart'}
  | {readonly kind: 'list'}
  | {readonly kind: 'expire'; readonly hours: number}
  | {readonly kind: 'check'; readonly check: Check};

const byService: fc.Arbitrary<SpanFilter> = fc.constantFrom(
  [],
  ...['a', 'b', ''].map(value => [{on: 'service', value} as const]),
);

const check = checkWith(fc.oneof(filter, byService));

/** Of as few spans as are here, from lists of nearly everything to hardly any. */
const limits: fc.Arbitrary<ListLimits> = fc.record({
  spans: fc.integer({min: 1, max: 3}),
  valuesPerSpan: fc.constantFrom(0.5, 1, 10),
  bytesPerSpan: fc.constantFrom(3, 100),
});

const actionWith = <Span>(span: fc.Arbitrary<Span>) =>
  fc.oneof(
    {weight: 8, arbitrary: fc.record({kind: fc.constant('write'), batches: batchesOf(span)})},
    {weight: 1, arbitrary: fc.record({kind: fc.constant('restart')})},
    {weight: 4, arbitrary: fc.record({kind: fc.constant('list')})},
    {weight: 1, arbitrary: fc.record({kind: fc.constant('expire'), hours: fc.integer({min: 0, max: 3})})},
    {weight: 6, arbitrary: fc.record({kind: fc.constant('check'), check})},
  ) as fc.Arbitrary<Action<Span>>;

let schemas = 0;

function histories<Span, Trace>(format: TraceFormat<Span, Trace>, span: fc.Arbitrary<Span>): void {
  testWith(test, 'postgres', `any history of ${format.name} traces reads as the oracle does`, async t => {
    const url = (await server()).url();
    const effort = {runs: RUNS, milliseconds: TIME_LIMIT};
    const histories = fc.tuple(fc.array(actionWith(span), {minLength: 10, maxLength: 30, size: 'max'}), limits);
    await holdsFor(histories, effort, async ([actions, limits]) => {
      const keep = 100 * HOUR;
      const schema = `history_${++schemas}`;
      let now = START + KEPT;
      const harness = new Harness({url, schema, retention: {traces: keep}}, () => now, limits);
      const oracle = new RetainingOracle(format);
      const expire = async () => {
        await harness.storage.runJobs();
        await oracle.expire((now - keep) * 1000);
      };
      try {
        await harness.start();
        for (const one of actions) {
          if (one.kind === 'write') {
            // A late fragment may be swept away before the next batch, so nothing may depend on what comes after it.
            const all = now > START + KEPT ? [one.batches.flat()] : one.batches;
            await Promise.all(all.map(spans => format.write(harness, spans)));
            for (const spans of one.batches) await oracle.write(spans, now * 1000);
            if (now > START + KEPT) await expire();
          } else if (one.kind === 'restart') {
            await harness.restart();
          } else if (one.kind === 'list') {
            await harness.storage.runJobs();
          } else if (one.kind === 'expire') {
            now = Math.max(now, START + keep + one.hours * HOUR);
            await expire();
          } else {
            await compareTraces(t, harness, format, oracle, one.check);
          }
        }
      } finally {
        await harness.storage.stop();
        await (await server()).sql(`DROP SCHEMA "${schema}" CASCADE`);
      }
    });
    t.pass();
  });
}

histories(compat, compatSpan);
histories(otlp, otlpSpan);

testWith(test, 'postgres', 'what several gateways write while all of them list reads as the oracle does', async t => {
  const url = (await server()).url();
  const writers = fc.array(fc.array(fc.array(compatSpan, {maxLength: 6}), {maxLength: 6}), {
    minLength: 3,
    maxLength: 3,
  });
  const questions = fc.array(check, {maxLength: 4});
  const effort = {runs: Math.ceil(RUNS / 2), milliseconds: TIME_LIMIT};
  await holdsFor(fc.tuple(writers, limits, questions), effort, async ([writers, limits, questions]) => {
    const schema = `gateways_${++schemas}`;
    const oracle = new RetainingOracle(compat);
    const harnesses = writers.map(() => new Harness({url, schema}, () => START + KEPT, limits));
    try {
      for (const harness of harnesses) await harness.start();
      await Promise.all(
        harnesses.map(async (harness, i) => {
          for (const spans of writers[i] ?? []) {
            // Each has traces of its own, so that it does not matter who comes first.
            const own = spans.map(span => ({...span, traceId: `${i + 1}${span.traceId.slice(1)}`}));
            await harness.spans.write(own, call);
            await oracle.write(own, 0);
            await harness.storage.runJobs();
          }
        }),
      );
      const [harness] = harnesses as [Harness];
      for (const question of questions) await compareTraces(t, harness, compat, oracle, question);
    } finally {
      await Promise.all(harnesses.map(harness => harness.storage.stop()));
      await (await server()).sql(`DROP SCHEMA "${schema}" CASCADE`);
    }
  });
  t.pass();
});
