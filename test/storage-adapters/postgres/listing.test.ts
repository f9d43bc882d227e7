import {readFileSync} from 'node:fs';
import test from 'ava';
import type {Attribute, CompatSpan, SpanFilter} from '../../../core/api/adapter.js';
import {LIST_LIMITS} from '../../../storage-adapters/postgres/traces/span-lists.js';
import {otlpSpan} from '../../core/api/otlp-spans.js';
import {suiteWith} from '../../support/programs.js';
import {sharedPostgres} from '../../support/servers/postgres.js';
import {call} from '../support/calls.js';
import {Harness} from './harness.js';

/** Microseconds. */
const PERIOD = 300_000_000;
const START = Math.floor(1_700_000_000_000_000 / (24 * 12 * PERIOD)) * 24 * 12 * PERIOD;
const LATER = () => START / 1000 + 86_400_000;

/** Spans one after the other within the periods from the first on, 300 in each, of the services `large` and `small`. */
function spansOf(periods: number, tags: (i: number) => Record<string, string>): CompatSpan[] {
  return Array.from({length: periods * 300}, (_, i) => ({
    traceId: (i + 1).toString(16).padStart(16, '0'),
    id: '1'.repeat(16),
    name: `get /${i % 3}`,
    timestamp: START + i * 1_000_000,
    annotations: [],
    localEndpoint: {serviceName: i % 50 === 0 ? 'small' : 'large'},
    tags: new Map(Object.entries(tags(i))),
  }));
}

const OF_LARGE: SpanFilter = [{on: 'service', value: 'large'}];

function values(
  harness: Harness,
  attribute: Attribute,
  filter: SpanFilter = [],
  from = START,
  to = START + 10 * PERIOD,
) {
  return harness.compat.attributeValues({attribute, filter, from, to, limit: 1000}, call);
}

suiteWith(test, 'postgres', 'lists of the tags in a PostgreSQL database', () => {
  const server = sharedPostgres(test);

  test('what has been listed is told without its spans', async t => {
    const running = await server();
    const database = await running.database();
    const harness = await Harness.open(t, running, {url: running.url(database)}, LATER);
    await harness.spans.write(
      spansOf(3, i => ({method: `M${i % 4}`, ...(i === 701 && {rare: 'late'})})),
      call,
    );
    await harness.storage.runJobs();
    await running.sql('DELETE FROM query_gateway.spans', [], database);
    const all = {from: START, to: START + 3 * PERIOD};
    t.deepEqual(await harness.compat.tagKeys({filter: [], ...all}, call), ['method', 'rare']);
    t.deepEqual(await harness.compat.tagKeys({filter: OF_LARGE, ...all}, call), ['method', 'rare']);
    t.deepEqual(await harness.compat.tagKeys({filter: [], from: START, to: START + 700_000_000}, call), ['method']);
    t.deepEqual(await values(harness, {of: 'tag', key: 'method'}), ['M0', 'M1', 'M2', 'M3']);
    t.deepEqual(await values(harness, {of: 'tag', key: 'method'}, OF_LARGE), ['M1', 'M2', 'M3', 'M0']);
    t.deepEqual(await values(harness, {of: 'tag', key: 'method'}, [], START, START + 2_000_000), ['M0', 'M1']);
    t.deepEqual(await values(harness, {of: 'service'}), ['small', 'large']);
    t.deepEqual(await values(harness, {of: 'name'}, OF_LARGE), ['get /1', 'get /2', 'get /0']);
    t.deepEqual(await values(harness, {of: 'kind'}), ['UNSPECIFIED']);
    t.deepEqual(await values(harness, {of: 'status'}), ['UNSET']);
    t.deepEqual(await values(harness, {of: 'tag', key: 'none'}), []);
  });

  test('what has been listed of OTLP is told with its types, and that of resources, without its spans', async t => {
    const running = await server();
    const database = await running.database();
    const harness = await Harness.open(t, running, {url: running.url(database)}, LATER);
    const resourceOf = (name: string) => ({
      attributes: [
        {key: 'service.name', value: name},
        {key: 'replicas', value: name === 'large' ? 3n : '3'},
      ],
      droppedAttributesCount: 0,
      schemaUrl: '',
    });
    const spans = Array.from({length: 600}, (_, i) =>
      otlpSpan({
        spanId: (i + 1).toString(16).padStart(16, '0'),
        startTime: BigInt(START + i * 1_000_000) * 1000n + 1n,
        attributes: [{key: 'code', value: [200n, '200', 0.5][i % 3] ?? null}],
        resource: resourceOf(i % 50 === 0 ? 'small' : 'large'),
      }),
    );
    await harness.get('ingest.otlp.v1').write(spans, call);
    await harness.storage.runJobs();
    await running.sql('DELETE FROM query_gateway.otlp_spans', [], database);
    const reader = harness.get('traces.otlp.v1');
    const told = async (filter: SpanFilter) => {
      const request = {filter, from: START, to: START + 2 * PERIOD, limit: 9};
      const attributes = [{of: 'tag', key: 'code'}, {of: 'resource', key: 'replicas'}, {of: 'service'}] as const;
      const listed = attributes.map(attribute => reader.attributeValues({...request, attribute}, call));
      const values = (await Promise.all(listed)).map(list => list.map(({type, text}) => `${type} ${text}`).join(', '));
      return [...values, ...(await reader.tagKeys({...request, scope: 'resource'}, call))];
    };
    const codes = ['int 200', 'string 200', 'double 0.5'];
    const keys = ['replicas', 'service.name'];
    t.deepEqual(await told([]), [codes.join(', '), 'string 3, int 3', 'string small, string large', ...keys]);
    t.deepEqual(await told(OF_LARGE), ['string 200, double 0.5, int 200', 'int 3', 'string large', ...keys]);
  });

  test('ids as values, long values and services with few spans take no room, and are told exactly', async t => {
    const running = await server();
    const database = await running.database();
    const harness = await Harness.open(t, running, {url: running.url(database)}, LATER);
    const long = 'x'.repeat(100_000);
    await harness.spans.write(
      spansOf(2, i => ({id: `id ${i}`, [long]: 'key', text: i === 0 ? long : 'short'})),
      call,
    );
    await harness.storage.runJobs();
    const ids = await values(harness, {of: 'tag', key: 'id'});
    t.is(ids.length, 600);
    t.deepEqual([ids[0], ids[599]], ['id 0', 'id 599']);
    t.deepEqual(await values(harness, {of: 'tag', key: 'text'}), [long, 'short']);
    t.deepEqual(await values(harness, {of: 'tag', key: long}), ['key']);
    t.deepEqual(await harness.compat.tagKeys({filter: [], from: START, to: START + PERIOD}, call), [
      'id',
      'text',
      long,
    ]);
    t.is((await values(harness, {of: 'tag', key: 'id'}, [{on: 'service', value: 'small'}])).length, 12);
    const [size] = await running.sql(
      'SELECT sum(pg_column_size(entries))::int AS bytes FROM query_gateway.span_lists',
      [],
      database,
    );
    t.true(Number(size?.bytes) < 10_000, `${size?.bytes} bytes`);
  });

  test('spans that come late, again or go are told at once, and listed anew', async t => {
    const running = await server();
    const database = await running.database();
    const harness = await Harness.open(t, running, {url: running.url(database)}, LATER);
    const spans = spansOf(2, i => ({n: i < 300 ? 'first' : 'second'}));
    await harness.spans.write(spans, call);
    await harness.storage.runJobs();
    const state = async () => {
      const rows = await running.sql(
        'SELECT listed, pending, cardinality(late) AS late FROM query_gateway.span_periods ORDER BY period',
        [],
        database,
      );
      return rows.map(({listed, pending, late}) => `${listed ? 'listed' : 'not'}${pending ? ' pending' : ''} ${late}`);
    };
    t.deepEqual(await state(), ['listed 0', 'listed 0']);
    const [example] = spans as [CompatSpan];
    const late = {...example, id: '2'.repeat(16), timestamp: START + 5, tags: new Map([['n', 'late']])};
    await harness.spans.write([late], call);
    t.deepEqual(await state(), ['listed pending 1', 'listed 0']);
    t.deepEqual(await values(harness, {of: 'tag', key: 'n'}), ['first', 'late', 'second']);
    t.deepEqual(await values(harness, {of: 'tag', key: 'n'}, [], START, START + 5), ['first']);
    await harness.storage.runJobs();
    t.deepEqual(await state(), ['listed 0', 'listed 0']);
    await harness.spans.write([{...late, timestamp: START + PERIOD, tags: new Map([['n', 'moved']])}], call);
    t.deepEqual(await state(), ['not pending 0', 'listed pending 1']);
    t.deepEqual(await values(harness, {of: 'tag', key: 'n'}), ['first', 'moved', 'second']);
    await harness.storage.runJobs();
    t.deepEqual(await values(harness, {of: 'tag', key: 'n'}), ['first', 'moved', 'second']);
    t.deepEqual(await state(), ['listed 0', 'listed 0']);
    const many = Array.from({length: 2600}, (_, i) => ({...late, traceId: (i + 5000).toString(16).padStart(16, '0')}));
    await harness.spans.write(many, call);
    t.deepEqual(await state(), ['not pending 0', 'listed 0']);
    t.deepEqual(await values(harness, {of: 'tag', key: 'n'}), ['first', 'late', 'moved', 'second']);
  });

  test('a database that version 1 has made is brought up to date with what it holds', async t => {
    const running = await server();
    const database = await running.database();
    const dump = new URL('../../../../test/fixtures/postgres-version-1.sql', import.meta.url);
    await running.sql(readFileSync(dump, 'utf8'), [], database);
    const harness = new Harness({url: running.url(database)}, LATER, {...LIST_LIMITS, spans: 10});
    t.teardown(() => harness.storage.stop());
    await harness.start();
    const told = async () => [
      await harness.compat.tagKeys({filter: [], from: 0, to: START * 2}, call),
      await values(harness, {of: 'tag', key: 'n'}),
      await values(harness, {of: 'service'}),
      (await harness.compat.trace('28', call))?.spans.length,
    ];
    const expected = [['even', 'n'], ['n0', 'n1', 'n2'], ['small', 'large'], 1];
    t.deepEqual(await told(), expected);
    await harness.storage.runJobs();
    const rows = await running.sql('SELECT FROM query_gateway.span_periods WHERE listed', [], database);
    t.is(rows.length, 1);
    t.deepEqual(await told(), expected);
    await harness.spans.write(spansOf(1, () => ({n: 'new'})).slice(0, 1), call);
    t.deepEqual(await values(harness, {of: 'tag', key: 'n'}), ['new', 'n1', 'n2', 'n0']);
  });
});
