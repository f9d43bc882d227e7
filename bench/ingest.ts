import {execFile} from 'node:child_process';
import {createWriteStream} from 'node:fs';
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Readable} from 'node:stream';
import {pipeline} from 'node:stream/promises';
import {promisify} from 'node:util';
import {metricCases} from './support/cases.js';
import {type DatasetShape, recordLines} from './support/dataset.js';
import {fillEmbedded} from './support/embedded.js';
import {type RunningGateway, startGateway} from './support/gateway.js';
import {anonymousMegabytes} from './support/memory.js';
import {ROOT} from './support/processes.js';
import {printTable} from './support/table.js';
import {type LoadResult, load} from './support/wrk.js';

const run = promisify(execFile);
const TARGET = 60_000;
const HOUR = 3600;

/** Posts bodies of about a quarter of a second of samples, at the target rate, until told to stop. */
async function ingestAtRate(gateway: RunningGateway, shape: DatasetShape, stop: AbortSignal): Promise<number> {
  const minutes = recordLines(shape);
  await post(gateway, [...take(minutes, 3)].join(''));
  const perMinute = shape.services * shape.instances * 7;
  const begun = performance.now();
  let sent = 0;
  for (const lines of minutes) {
    if (stop.aborted) break;
    await post(gateway, lines);
    sent += perMinute;
    const due = (sent / TARGET) * 1000 - (performance.now() - begun);
    if (due > 0) await new Promise(done => setTimeout(done, due));
  }
  return sent / ((performance.now() - begun) / 1000);
}

function* take(source: Iterator<string>, count: number): Generator<string> {
  for (let i = 0; i < count; i++) yield source.next().value;
}

async function post(gateway: RunningGateway, body: string): Promise<void> {
  const response = await fetch(`${gateway.ingest}/ingest/v1/metrics`, {method: 'POST', body});
  if (response.status !== 202) throw new Error(`ingest answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

interface Mixed {
  readonly rate: number;
  readonly quiet: LoadResult;
  readonly busy: LoadResult;
  readonly megabytes: number;
}

/**
 * Queries at a fixed number of connections, first alone and then while samples arrive. The samples go on from the end
 * of the stored data and cover several hours of it, so that hours close and are folded during the run.
 */
async function mixed(
  folder: string,
  shape: DatasetShape,
  storage: Record<string, unknown>,
  seconds: number,
): Promise<Mixed> {
  const gateway = await startGateway(folder, storage);
  try {
    const paths = metricCases(shape).flatMap(one => one.gateway);
    const options = {connections: 4, seconds};
    await load(gateway.metrics, paths, {connections: 4, seconds: 2});
    const quiet = await load(gateway.metrics, paths, options);
    const stop = new AbortController();
    const next = {...shape, start: shape.start + shape.minutes * 60, minutes: 100_000};
    const ingesting = ingestAtRate(gateway, next, stop.signal);
    const busy = await load(gateway.metrics, paths, options);
    stop.abort();
    return {rate: await ingesting, quiet, busy, megabytes: anonymousMegabytes(gateway.pid)};
  } finally {
    await gateway.stop();
  }
}

/** `query-gateway load` of a file of its own process, samples per second from the program's start to its end. */
async function loadCommand(folder: string, shape: DatasetShape): Promise<number> {
  const file = join(folder, 'records.ndjson');
  await pipeline(Readable.from(recordLines(shape)), createWriteStream(file));
  const config = join(folder, 'load.config.json');
  await writeFile(
    config,
    JSON.stringify({storage: {use: 'embedded', config: {path: join(folder, 'loaded')}}, plugins: []}),
  );
  const begun = performance.now();
  await run(process.execPath, [join(ROOT, 'dist/core/cli/main.js'), 'load', '--config', config, file]);
  return (shape.services * shape.instances * 7 * shape.minutes) / ((performance.now() - begun) / 1000);
}

/** What writing costs, and what it costs the queries that run beside it. */
export async function benchIngest(shape: DatasetShape, seconds: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'query-gateway-bench-'));
  try {
    const rows: (string | number)[][] = [];
    // The stored day ends eight hours ago: what the run adds lies in the past too, and old minutes may expire.
    const stored = {...shape, start: hoursAgo(8) - shape.minutes * 60};
    const runs = [
      {name: 'process', storage: {}},
      {name: 'power', storage: {durability: 'power'}},
      {name: 'process, retention 1 d', storage: {retention: {minute: '1d'}}},
    ];
    for (const {name, storage} of runs) {
      const own = join(folder, name.replace(/\W+/g, '-'));
      await mkdir(own);
      await fillEmbedded(own, stored);
      const {rate, quiet, busy, megabytes} = await mixed(own, stored, storage, seconds);
      rows.push([name, rate, quiet.p50, quiet.p99, busy.p50, busy.p99, busy.p99 / quiet.p99, megabytes]);
    }
    printTable(
      ['durability', 'samples/s', 'p50 alone', 'p99 alone', 'p50 with ingest', 'p99 with ingest', 'p99 ratio', 'MB'],
      rows,
    );
    const rate = await loadCommand(folder, {...stored, minutes: 600});
    process.stdout.write(`load of a file: ${Math.round(rate)} samples/s\n\n`);
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

const hoursAgo = (hours: number): number => (Math.floor(Date.now() / 1000 / HOUR) - hours) * HOUR;
