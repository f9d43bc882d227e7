import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Pool} from 'undici';
import type {ClickHouseServer} from '../test/support/servers/clickhouse.js';
import {metricCases} from './support/cases.js';
import {type GatewayUrls, openClickHouse, startGatewayOver, startServer} from './support/clickhouse.js';
import {settled} from './support/clickhouse-copies.js';
import {fillSamples, fillTraces} from './support/clickhouse-fill.js';
import type {DatasetShape} from './support/dataset.js';
import {call} from './support/embedded.js';
import {HttpClient} from './support/http-client.js';
import {type Replay, replay, replayOf, StatementRecorder} from './support/http-statements.js';
import {format, printTable} from './support/table.js';
import {p50, timesInTurns, warmUp} from './support/times.js';
import {traceCases} from './support/trace-cases.js';
import {SPANS_PER_TRACE, type TraceShape} from './support/trace-dataset.js';

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
  /** Ends after loading. */
  readonly fillOnly: boolean;
}

type Asked = Pick<ClickHouseBenchOptions, 'seconds' | 'cases'>;

const HOUR = 3600;
const SERVICES = 200;
const INSTANCES = 10;
const SERIES = SERVICES * INSTANCES * 7;

/** So many million samples of 14,000 series, and so many million spans of each kind beside them. */
export function sizeOf(millions: number, spans = millions / 5): Size {
  const minutes = Math.max(61, Math.ceil((millions * 1e6) / SERIES));
  const now = Math.floor(Date.now() / 1000 / HOUR) * HOUR;
  const hours = 24;
  return {
    name: `${millions} M samples, ${spans} M spans`,
    metrics: {services: SERVICES, instances: INSTANCES, minutes, start: now - Math.ceil(minutes / 60) * HOUR},
    traces: {
      traces: (spans * 1e6) / SPANS_PER_TRACE,
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

/** The queries of dashboards and trace views on ClickHouse: the gateway beside a client that asks the same statements. */
export async function benchClickHouse({
  sizes,
  folder,
  seconds,
  cases,
  fillOnly,
}: ClickHouseBenchOptions): Promise<void> {
  const growth = new Map<string, number[]>();
  for (const size of sizes) {
    const place =
      folder === undefined ? await mkdtemp(join(tmpdir(), 'query-gateway-bench-')) : join(folder, size.name);
    try {
      for (const [name, time] of await benchSize(size, place, fillOnly ? undefined : {seconds, cases})) {
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

async function benchSize(size: Size, folder: string, asked: Asked | undefined): Promise<ReadonlyMap<string, number>> {
  const {server, stop} = await startServer(folder);
  try {
    const kept = await prepare(size, server, folder);
    const disk = await server.query("SELECT sum(bytes) FROM system.parts WHERE active AND database = 'gateway'");
    process.stdout.write(`${size.name}: ${Math.round(Number(disk) / 1e6)} MB on disk\n`);
    return asked === undefined ? new Map() : await measure(kept, server.url, folder, asked);
  } finally {
    await stop();
  }
}

/** Fills the server, or takes what an earlier run has left in the folder, with the shapes that it wrote down. */
async function prepare(size: Size, server: ClickHouseServer, folder: string): Promise<Size> {
  const note = join(folder, 'size.json');
  const kept = await readFile(note, 'utf8').catch(() => undefined);
  if (kept !== undefined) return JSON.parse(kept) as Size;
  const {adapter, readers} = await openClickHouse(server.url);
  await fillSamples(server, readers, size.metrics);
  const traces = await fillTraces(server, readers, size.traces);
  await adapter.stop();
  await settled(server);
  const filled = {...size, traces};
  await writeFile(note, JSON.stringify(filled));
  return filled;
}

interface Question {
  readonly name: string;
  readonly replays: readonly Replay[];
  readonly urls: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

async function measure(
  size: Size,
  url: string,
  folder: string,
  {seconds, cases}: Asked,
): Promise<ReadonlyMap<string, number>> {
  const gateway = await startGatewayOver(url, folder);
  const pool = new Pool(url);
  const http = new HttpClient();
  const direct = ({replays}: Question, i: number) => replay(pool, replays[i % replays.length] ?? []);
  const through = ({urls, headers}: Question, i: number) => http.get(urls[i % urls.length] ?? '', headers);
  try {
    const results = new Map<string, number>();
    const rows: (string | number)[][] = [];
    const asked = await questions(size, pool, url, gateway, cases);
    await warmUp(asked.flatMap(question => [direct, through].map(work => (i: number) => work(question, i))));
    for (const question of asked) {
      const [client, whole] = await timesInTurns(
        seconds * 2,
        i => direct(question, i),
        i => through(question, i),
      );
      const [directTime, gatewayTime] = [p50(client), p50(whole)];
      const {name, replays} = question;
      const statements = replays[0]?.flat().length ?? 0;
      const added = gatewayTime - directTime;
      rows.push([name, statements, directTime, gatewayTime, added, `${format((added / directTime) * 100)} %`]);
      results.set(name, gatewayTime);
    }
    printTable(['p50, ms', 'statements', 'client', 'gateway', 'added', 'of the client'], rows);
    return results;
  } finally {
    await gateway.stop();
    await Promise.all([pool.close(), http.close()]);
  }
}

/** Every case, with the statements that the adapter makes of it. */
async function questions(
  size: Size,
  pool: Pool,
  url: string,
  gateway: GatewayUrls,
  only: string,
): Promise<readonly Question[]> {
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
    const replays: Replay[] = [];
    const end = performance.now() + RECORDING_MILLISECONDS;
    for (let i = 0; i < paths.length && (i < LEAST_VARIANTS || performance.now() < end); i++) {
      await direct(readers, i, call);
      replays.push(await replayOf(pool, recorder.take()));
    }
    all.push({name, replays, urls: paths.slice(0, replays.length).map(path => base + path), headers});
  }
  await adapter.stop();
  await recorder.close();
  return all;
}

/** A search that reads every trace of a day to find none is left out: it takes as long as all others together. */
function isAsked(name: string, only: string): boolean {
  return name.includes(only) && !name.includes('minDuration');
}
