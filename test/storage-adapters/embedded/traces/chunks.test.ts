import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import Database from 'better-sqlite3';
import type {OtlpFilter, OtlpSpan, OtlpTrace} from '../../../../core/api/adapter.js';
import {otlpSpan} from '../../../core/api/otlp-spans.js';
import {collected} from '../../support/answers.js';
import {call} from '../../support/calls.js';
import {Harness, temporaryFolder} from '../harness.js';
import {EVER, START} from './support.js';

const HOUR = 3_600_000;

const idOf = (number: number, digits: number): string => (number + 1).toString(16).padStart(digits, '0');

function spanOf(trace: number, at: number, more: Partial<OtlpSpan> = {}): OtlpSpan {
  const startTime = BigInt(START + trace * 1000 + at) * 1000n;
  return otlpSpan({
    traceId: idOf(trace, 32),
    spanId: idOf(at, 16),
    name: `span ${at}`,
    startTime,
    endTime: startTime + 5000n,
    attributes: [{key: 'trace', value: BigInt(trace)}],
    resource: {attributes: [{key: 'service.name', value: `s${trace % 3}`}], droppedAttributesCount: 0, schemaUrl: 'u'},
    ...more,
  });
}

const spansOf = (traces: number, each: number): OtlpSpan[] =>
  Array.from({length: traces * each}, (_, index) => spanOf(Math.floor(index / each), index % each));

/** How many rows a table has while the storage is open. */
function count(harness: Harness, table: string): number {
  const database = new Database(join(harness.path, 'gateway.db'), {readonly: true});
  const rows = database.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
  database.close();
  return rows;
}

async function stored(harness: Harness, trace: number): Promise<readonly OtlpSpan[]> {
  const found = await harness.get('traces.otlp.v1').trace(idOf(trace, 32), call);
  return (found?.spans ?? []).toSorted((a, b) => (a.spanId < b.spanId ? -1 : 1));
}

function searched(harness: Harness, filter: OtlpFilter): Promise<readonly OtlpTrace[]> {
  return collected(harness.get('traces.otlp.v1').search({filter, ...EVER}, call));
}

async function written(t: ExecutionContext, spans: readonly OtlpSpan[], clock = () => START / 1000): Promise<Harness> {
  const harness = await Harness.open(
    {path: await temporaryFolder(t), retention: {traces: 2 * HOUR}},
    {packFrom: 1, clock},
  );
  await harness.get('ingest.otlp.v1').write(spans, call);
  return harness;
}

test('the spans of new traces share rows, wherever they stand in their batch, and are found as before', async t => {
  const spans = spansOf(100, 4);
  const mixed = spans.toSorted((a, b) => (a.spanId < b.spanId ? -1 : 1));
  const harness = await written(t, mixed);
  t.is(count(harness, 'otlp_units'), 0);
  t.true(count(harness, 'otlp_chunks') < 10);
  const check = async () => {
    for (const trace of [0, 41, 99]) t.deepEqual(await stored(harness, trace), spans.slice(trace * 4, trace * 4 + 4));
    const filter = [{on: 'tag', key: 'trace', value: '41'}] as const;
    t.is((await searched(harness, filter)).length, 1);
  };
  await check();
  await harness.restart();
  await check();
  await harness.storage.settle();
  t.is(count(harness, 'otlp_chunks'), 0);
  t.is(count(harness, 'otlp_packs'), 100);
  await check();
});

test('a trace in a chunk takes late spans, and what it has is not stored again', async t => {
  const harness = await written(t, spansOf(3, 4));
  await harness.get('ingest.otlp.v1').write([spanOf(1, 2), spanOf(1, 7), spanOf(1, 0)], call);
  t.is(count(harness, 'otlp_units'), 1);
  const expected = [0, 1, 2, 3, 7].map(at => spanOf(1, at));
  t.deepEqual(await stored(harness, 1), expected);
  await harness.restart();
  t.deepEqual(await stored(harness, 1), expected);
  await harness.storage.settle();
  t.deepEqual(await stored(harness, 1), expected);
  t.is(count(harness, 'otlp_units'), 0);
});

test('a span in the place of one in a chunk leaves the other traces of the chunk where they are', async t => {
  const harness = await written(t, spansOf(3, 4));
  const other = spanOf(1, 3, {name: 'other', startTime: BigInt(START + 1001) * 1000n, attributes: []});
  await harness.get('ingest.otlp.v1').write([other], call);
  t.is(count(harness, 'otlp_units'), 4);
  t.deepEqual(await stored(harness, 1), [...[0, 1, 2].map(at => spanOf(1, at)), other]);
  for (const trace of [0, 2]) t.is((await stored(harness, trace)).length, 4);
  t.is((await searched(harness, [{on: 'name-or-tag', name: 'other', value: 'other'}])).length, 1);
  t.is((await searched(harness, [{on: 'name-or-tag', name: 'span 3', value: 'span 3'}])).length, 2);
});

test('of a span that a batch has twice the last one counts, and a trace of many spans has rows of its own', async t => {
  const again = spanOf(0, 1, {name: 'again'});
  const many = Array.from({length: 300}, (_, at) => spanOf(1, at));
  const harness = await written(t, [...spansOf(1, 3), again, ...many, spanOf(2, 0), spanOf(2, 1)]);
  t.is(count(harness, 'otlp_units'), 303);
  t.deepEqual(
    (await stored(harness, 0)).map(({name}) => name),
    ['span 0', 'again', 'span 2'],
  );
  t.is((await stored(harness, 1)).length, 300);
  t.deepEqual(await stored(harness, 2), [spanOf(2, 0), spanOf(2, 1)]);
});

test('a span without a time is stored in a chunk, and what has expired goes from it', async t => {
  let now = START / 1000;
  const untimed = spanOf(0, 9, {startTime: 0n, endTime: 0n});
  const late = spanOf(1, 0, {startTime: BigInt(START + 3 * HOUR * 1000) * 1000n, endTime: 0n});
  const harness = await written(t, [spanOf(0, 0), untimed, late], () => now);
  t.deepEqual(await stored(harness, 0), [spanOf(0, 0), untimed]);
  t.is(count(harness, 'otlp_units'), 0);
  now += 4 * HOUR;
  await harness.storage.settle();
  t.deepEqual(await stored(harness, 0), []);
  t.deepEqual(await stored(harness, 1), [late]);
});
