import test from 'ava';
import {QueryMeasure} from '../../../storage-adapters/banyandb/proto/methods.js';
import {toMilliseconds} from '../../../storage-adapters/banyandb/proto/timestamp.js';
import type {Release} from '../../fixtures/banyandb/release.js';
import {documentPlan, TRAFFIC_TAGS} from '../../fixtures/banyandb/seed/traffic.js';
import {between, families, tagsOf} from './support/queries.js';
import {type Started, startFake} from './support/start-fake.js';

const DAY = 86_400_000;
/** The start of a segment of fifteen days. */
const T0 = 1380 * 15 * DAY;
const PLAN = documentPlan('sw_metadata', 'instance_traffic', TRAFFIC_TAGS.instance_traffic);

interface Document {
  readonly id: string;
  readonly time: number;
  readonly last_ping: bigint;
}

async function write({schemas, rows}: Started, documents: readonly Document[]): Promise<void> {
  await schemas.group('sw_metadata', {catalog: 'CATALOG_MEASURE', shards: 2, segmentDays: 15, ttlDays: 15});
  await schemas.measure(PLAN);
  for (const {id, time, last_ping} of documents) await rows.points(PLAN, [{time, tags: {id, last_ping}, fields: []}]);
}

async function read({client}: Started, begin: number, end: number): Promise<readonly unknown[]> {
  const {data_points} = await client.call(QueryMeasure, {
    groups: ['sw_metadata'],
    name: PLAN.name,
    time_range: between(begin, end),
    tag_projection: families({searchable: ['last_ping'], 'storage-only': ['id']}),
    limit: 1000,
  });
  return data_points.map(point => {
    const {id, last_ping} = tagsOf(point);
    return [id, last_ping, toMilliseconds(point.timestamp ?? {seconds: '0', nanos: 0})];
  });
}

test('writing a document again replaces it, time and all', async t => {
  const started = await startFake(t);
  await write(started, [
    {id: 'a', time: T0, last_ping: 1n},
    {id: 'b', time: T0, last_ping: 1n},
    {id: 'a', time: T0 + DAY, last_ping: 2n},
  ]);
  t.deepEqual(await read(started, 0, T0 + 100 * DAY), [
    ['b', 1n, T0],
    ['a', 2n, T0 + DAY],
  ]);
});

test('each segment keeps a document of its own', async t => {
  const started = await startFake(t);
  await write(started, [
    {id: 'a', time: T0, last_ping: 1n},
    {id: 'a', time: T0 + 15 * DAY, last_ping: 2n},
  ]);
  t.deepEqual(await read(started, 0, T0 + 100 * DAY), [
    ['a', 1n, T0],
    ['a', 2n, T0 + 15 * DAY],
  ]);
});

const OUTSIDE: readonly (readonly [Release, string, number])[] = [
  ['0.11', 'leaves documents outside the range out', 0],
  ['0.10', 'gives documents outside the range that lie in one of its segments', 1],
  ['0.9', 'gives documents outside the range that lie in one of its segments', 1],
];

for (const [release, title, count] of OUTSIDE) {
  test(`release ${release} ${title}`, async t => {
    const started = await startFake(t, {release});
    await write(started, [
      {id: 'a', time: T0 + DAY, last_ping: 1n},
      {id: 'b', time: T0 + 20 * DAY, last_ping: 1n},
    ]);
    t.is((await read(started, T0 + 2 * DAY, T0 + 3 * DAY)).length, count);
  });
}

test('two nodes may both answer with a document, at different times', async t => {
  const started = await startFake(t, {divergentDocuments: true});
  await write(started, [{id: 'a', time: T0, last_ping: 1n}]);
  t.deepEqual(await read(started, 0, T0 + 100 * DAY), [
    ['a', 1n, T0],
    ['a', 1n, T0 + 60_000],
  ]);
});

test('documents die with their whole segment', async t => {
  let now = T0 + DAY;
  const started = await startFake(t, {clock: () => now});
  await write(started, [
    {id: 'a', time: T0, last_ping: 1n},
    {id: 'b', time: T0 + 15 * DAY, last_ping: 1n},
  ]);
  const alive = async (): Promise<number> => (await read(started, 0, T0 + 100 * DAY)).length;
  t.is(await alive(), 2);
  now = T0 + 30 * DAY - 1;
  t.is(await alive(), 2);
  now = T0 + 30 * DAY;
  t.is(await alive(), 1);
});
