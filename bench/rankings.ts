import {mkdtemp, rm} from 'node:fs/promises';
import {loadavg, tmpdir} from 'node:os';
import {join} from 'node:path';
import type {MetricBatch, MetricDefinition, Readers, StorageAdapter} from '../core/api/adapter.js';
import {Random} from '../storage-adapters/conformance/random/random.js';
import {makeOwner} from '../test/support/owner.js';
import {locate} from '../test/support/programs.js';
import {startPostgres} from '../test/support/servers/postgres.js';
import {openPostgres} from './postgres.js';
import {openClickHouse, startServer} from './support/clickhouse.js';
import {call, openEmbedded, readerOf, writerOf} from './support/embedded.js';
import {printTable} from './support/table.js';
import {p50} from './support/times.js';

const ENTITIES = 1000;
const HOUR = 3600;
const MINUTE = 60;
const HOURS = 7;
/** Of ten minutes one has no value, so that hours have different numbers of them. */
const GAPS = 10;
const WRITES = 20;
const WARM_UP = 10;

const METRICS: Readonly<Record<string, (random: Random) => number>> = {
  whole_numbers: random => random.below(100_000),
  fractions: random => random.below(100_000) / 1000,
  tied_whole_numbers: () => 42,
  tied_fractions: () => 0.1,
};

interface Opened {
  readonly adapter: StorageAdapter;
  readonly readers: Readers;
}

/** First 5 of 1,000 endpoints by the adapters alone, those whose server is installed and whose name has the text `only`. */
export async function benchRankings(seconds: number, only: string): Promise<void> {
  const rows: (string | number)[][] = [];
  const isWanted = (name: string): boolean => name.includes(only);
  if (isWanted('embedded')) {
    await inFolder(async folder => {
      rows.push(...(await measure('embedded', await openEmbedded(folder), seconds)));
    });
  }
  if (isWanted('clickhouse') && locate('clickhouse-server') !== undefined) {
    await inFolder(async folder => {
      const {server, stop} = await startServer(folder);
      try {
        rows.push(...(await measure('clickhouse', await openClickHouse(server.url), seconds)));
      } finally {
        await stop();
      }
    });
  }
  if (isWanted('postgres') && locate('postgres') !== undefined) {
    const {owner, end} = makeOwner();
    try {
      rows.push(...(await measure('postgres', await openPostgres((await startPostgres(owner)).url()), seconds)));
    } finally {
      await end();
    }
  }
  printTable(['rankings (ms, p50)', '30 minutes', `${HOURS} hours`, 'write a minute'], rows);
  process.stdout.write(`load averages in the end: ${loadavg().map(Math.round).join(', ')}\n\n`);
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'query-gateway-bench-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

async function measure(storage: string, {adapter, readers}: Opened, seconds: number): Promise<(string | number)[][]> {
  const start = Math.floor(Date.now() / 1000 / HOUR) * HOUR - HOURS * HOUR;
  const end = start + HOURS * HOUR;
  const random = new Random(1);
  const writer = writerOf(readers);
  const names = Object.keys(METRICS);
  await writer.write({metrics: names.map(definition), sightings: [], records: [], samples: NO_SAMPLES}, call);
  for (let hour = start; hour < end; hour += HOUR) {
    for (const name of names) await writer.write(batchOf(name, hour, HOUR / MINUTE, random), call);
  }
  const rows: (string | number)[][] = [];
  for (const name of names) {
    const ask = (step: 'minute' | 'hour', first: number, count: number) =>
      timed(seconds, () =>
        readerOf(readers).ranking(
          {metric: definition(name), layer: 'BENCH', order: 'DES', limit: 5, window: {step, first, count}},
          call,
        ),
      );
    const minutes = await ask('minute', end - 30 * MINUTE, 30);
    const hours = await ask('hour', start, HOURS);
    const writes: number[] = [];
    for (let i = 0; i < WRITES; i++) {
      const batch = batchOf(name, end + i * MINUTE, 1, random);
      const begun = performance.now();
      await writer.write(batch, call);
      writes.push(performance.now() - begun);
    }
    rows.push([`${storage}, ${name.replaceAll('_', ' ')}`, minutes, hours, p50(writes)]);
  }
  await adapter.stop();
  return rows;
}

async function timed(seconds: number, work: () => Promise<unknown>): Promise<number> {
  for (let i = 0; i < WARM_UP; i++) await work();
  const times: number[] = [];
  for (const end = performance.now() + seconds * 1000; times.length < 5 || performance.now() < end; ) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return p50(times);
}

function definition(name: string): MetricDefinition {
  return {name, scope: 'Endpoint', kind: 'common', type: 'gauge', help: '', unit: '', rollup: 'avg', valueLabels: []};
}

const NO_SAMPLES = {series: [], index: new Uint32Array(0), time: new Float64Array(0), value: new Float64Array(0)};

/** So many minutes of every endpoint, with gaps. */
function batchOf(metric: string, start: number, minutes: number, random: Random): MetricBatch {
  const make = METRICS[metric] ?? (() => 0);
  const series = Array.from({length: ENTITIES}, (_, i) => ({
    metric,
    entity: {layer: 'BENCH', service: `s${i % 10}`, endpoint: `e${i}`},
    labels: {},
  }));
  const index: number[] = [];
  const time: number[] = [];
  for (let minute = 0; minute < minutes; minute++) {
    for (let i = 0; i < ENTITIES; i++) {
      if (random.once(GAPS)) continue;
      index.push(i);
      time.push(start + minute * MINUTE);
    }
  }
  const value = Float64Array.from(index, () => make(random));
  const samples = {series, index: Uint32Array.from(index), time: Float64Array.from(time), value};
  return {metrics: [], sightings: [], records: [], samples};
}
