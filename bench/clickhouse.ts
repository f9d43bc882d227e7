import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Pool} from 'undici';
import {metricCases} from './support/cases.js';
import {type GatewayUrls, openClickHouse, startGatewayOver, startServer} from './support/clickhouse.js';
import {type DatasetShape, minuteBatches} from './support/dataset.js';
import {call, writerOf} from './support/embedded.js';
import {type Recording, replay, StatementRecorder} from './support/http-statements.js';
import {format, printTable} from './support/table.js';
import {inTurn, p50, timesInTurns} from './support/times.js';
import {traceCases} from './support/trace-cases.js';
import {compatBatches, nativeBatches, SPANS_PER_TRACE, type TraceShape} from './support/trace-dataset.js';

export interface Size {
  readonly name: string;
  readonly metrics: DatasetShape;
  readonly traces: TraceShape;
}

export interface ClickHouseBenchOptions {
  readonly sizes: readonly Size[];
  /** A folder that keeps the data for the next run; otherwise a temporary one. */
  readonly folder?: string;
  readonly seconds: number;
  /** Only cases that have this text in their name. */
  readonly cases: string;
}

const HOUR = 3600;
const SERVICES = 200;
const INSTANCES = 10;
const SERIES = SERVICES * INSTANCES * 7;
const MOST_SPANS = 2_000_000;

/** So many million samples of 14,000 series, and spans beside them. */
export function sizeOf(millions: number): Size {
  const minutes = Math.max(61, Math.ceil((millions * 1e6) / SERIES));
  const now = Math.floor(Date.now() / 1000 / HOUR) * HOUR;
  const hours = 24;
  return {
    name: `${millions} M samples`,
    metrics: {services: SERVICES, instances: INSTANCES, minutes, start: now - Math.ceil(minutes / 60) * HOUR},
    traces: {
      traces: Math.min((millions * 1e6) / 5, MOST_SPANS) / SPANS_PER_TRACE,
      services: SERVICES,
      start: (now - hours * HOUR) * 1000,
      hours,
      large: 10_000,
    },
  };
}

/** How long the adapter is asked different variants of a case, for the client to ask the same. */
const RECORDING_MILLISECONDS = 500;
const LEAST_VARIANTS = 3;
const MINUTES_PER_BATCH = 20;
const METRIC_BATCHES_UNDER_WAY = 2;
const TRACE_BATCHES_UNDER_WAY = 32;

/** The queries of dashboards and trace views on ClickHouse: the gateway beside a client that asks the same statements. */
export async function benchClickHouse({sizes, folder, seconds, cases}: ClickHouseBenchOptions): Promise<void> {
  const growth = new Map<string, number[]>();
  for (const size of sizes) {
    const place =
      folder === undefined ? await mkdtemp(join(tmpdir(), 'query-gateway-bench-')) : join(folder, size.name);
    try {
      for (const [name, time] of await benchSize(size, place, seconds, cases)) {
        growth.set(name, [...(growth.get(name) ?? []), time]);
      }
    } finally {
      if (folder === undefined) await rm(place, {recursive: true, force: true});
    }
  }
  printTable(
    ['p50 ms of the gateway', ...sizes.map(({name}) => name)],
    [...growth].map(([name, times]) => [name, ...times]),
  );
}

async function benchSize(
  size: Size,
  folder: string,
  seconds: number,
  cases: string,
): Promise<ReadonlyMap<string, number>> {
  const {server, stop} = await startServer(folder);
  try {
    const kept = await prepare(size, server.url, folder);
    const disk = await server.query("SELECT sum(bytes) FROM system.parts WHERE active AND database = 'gateway'");
    process.stdout.write(`${size.name}: ${Math.round(Number(disk) / 1e6)} MB on disk\n`);
    return await measure(kept, server.url, folder, seconds, cases);
  } finally {
    await stop();
  }
}

/** Fills the server, or takes what an earlier run has left in the folder, with the shapes that it wrote down. */
async function prepare(size: Size, url: string, folder: string): Promise<Size> {
  const note = join(folder, 'size.json');
  const kept = await readFile(note, 'utf8').catch(() => undefined);
  if (kept !== undefined) return JSON.parse(kept) as Size;
  const {adapter, readers} = await openClickHouse(url);
  const [spans, segments] = [readers['ingest.compat.v1'], readers['ingest.native.v1']];
  if (spans === undefined || segments === undefined) throw new Error('the adapter takes no traces');
  const metrics = writerOf(readers);
  await fill('samples', minuteBatches(size.metrics, MINUTES_PER_BATCH), METRIC_BATCHES_UNDER_WAY, batch =>
    metrics.write(batch, call).then(() => batch.samples.value.length),
  );
  await fill('compat spans', compatBatches(size.traces), TRACE_BATCHES_UNDER_WAY, batch =>
    spans.write(batch, call).then(() => batch.length),
  );
  await fill('native spans', nativeBatches(size.traces), TRACE_BATCHES_UNDER_WAY, batch =>
    segments.write(batch, call).then(() => batch.length),
  );
  await adapter.stop();
  await writeFile(note, JSON.stringify(size));
  return size;
}

async function fill<Batch>(
  what: string,
  batches: Iterable<Batch>,
  underWay: number,
  write: (batch: Batch) => Promise<number>,
): Promise<void> {
  const begun = performance.now();
  const count = await inTurn(batches, underWay, write);
  const rate = count / ((performance.now() - begun) / 1000);
  process.stdout.write(`  ${count} ${what} written at ${Math.round(rate)} a second\n`);
}

interface Question {
  readonly name: string;
  readonly recordings: readonly Recording[];
  readonly urls: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

async function measure(
  size: Size,
  url: string,
  folder: string,
  seconds: number,
  only: string,
): Promise<ReadonlyMap<string, number>> {
  const gateway = await startGatewayOver(url, folder);
  const pool = new Pool(url);
  const gatewayPools = new Map([gateway.metrics, gateway.traces].map(each => [each, new Pool(each)] as const));
  try {
    const results = new Map<string, number>();
    const rows: (string | number)[][] = [];
    for (const {name, recordings, urls, headers} of await questions(size, url, gateway, only)) {
      const [client, through] = await timesInTurns(
        seconds * 2,
        i => replay(pool, recordings[i % recordings.length] ?? []),
        i => get(gatewayPools, urls[i % urls.length] ?? '', headers),
      );
      const [direct, gatewayTime] = [p50(client), p50(through)];
      const statements = recordings[0]?.flat().length ?? 0;
      const added = gatewayTime - direct;
      rows.push([name, statements, direct, gatewayTime, added, `${format((added / direct) * 100)} %`]);
      results.set(name, gatewayTime);
    }
    printTable(['p50, ms', 'statements', 'client', 'gateway', 'added', 'of the client'], rows);
    return results;
  } finally {
    await gateway.stop();
    await Promise.all([pool, ...gatewayPools.values()].map(each => each.close()));
  }
}

/** Every case, with the statements that the adapter makes of it. */
async function questions(size: Size, url: string, gateway: GatewayUrls, only: string): Promise<readonly Question[]> {
  const recorder = await StatementRecorder.before(url);
  const {adapter, readers} = await openClickHouse(recorder.url);
  const cases = [
    ...metricCases(size.metrics).map(one => ({
      ...one,
      name: `metrics: ${one.name}`,
      base: gateway.metrics,
      headers: {},
    })),
    ...(['compat', 'native'] as const).flatMap(kind =>
      traceCases(kind, size.traces).map(one => ({
        ...one,
        name: `${kind}: ${one.name}`,
        base: `${gateway.traces}/${kind}`,
      })),
    ),
  ];
  const all: Question[] = [];
  for (const {name, direct, base, gateway: paths, headers = {}} of cases.filter(({name}) => isAsked(name, only))) {
    // The first call may also fill what the adapter keeps.
    await direct(readers, 0, call);
    recorder.take();
    const recordings: Recording[] = [];
    const end = performance.now() + RECORDING_MILLISECONDS;
    for (let i = 0; i < paths.length && (i < LEAST_VARIANTS || performance.now() < end); i++) {
      await direct(readers, i, call);
      recordings.push(recorder.take());
    }
    all.push({name, recordings, urls: paths.slice(0, recordings.length).map(path => base + path), headers});
  }
  await adapter.stop();
  await recorder.close();
  return all;
}

async function get(
  pools: ReadonlyMap<string, Pool>,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const {origin, pathname, search} = new URL(url);
  const answer = await pools.get(origin)?.request({path: pathname + search, method: 'GET', headers});
  await answer?.body.arrayBuffer();
  if (answer?.statusCode !== 200) throw new Error(`the gateway answers ${answer?.statusCode} to ${url}`);
}

/** A search that reads every trace of a day to find none is left out: it takes as long as all others together. */
function isAsked(name: string, only: string): boolean {
  return name.includes(only) && !name.includes('minDuration');
}
