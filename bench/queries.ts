import {mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {type Case, metricCases} from './support/cases.js';
import type {DatasetShape} from './support/dataset.js';
import {call, fillEmbedded, openEmbedded} from './support/embedded.js';
import {startGateway} from './support/gateway.js';
import {anonymousMegabytes} from './support/memory.js';
import {ROOT, readyLine, start} from './support/processes.js';
import {backfillPrometheus, startPrometheus} from './support/prometheus.js';
import {printTable} from './support/table.js';
import {type LoadResult, load} from './support/wrk.js';

export interface QueryBenchOptions {
  readonly shape: DatasetShape;
  /** A folder that keeps the data for the next run; otherwise a temporary one. */
  readonly folder?: string;
  readonly seconds: number;
}

const CONNECTIONS = 16;
/** After a start the embedded storage fills its memory beside serving, as Prometheus does before it is ready. */
const FILL_MILLISECONDS = 5000;

/**
 * The queries of a dashboard, side by side: the gateway, a Prometheus with the same data, a bare route that returns a
 * constant of the same size, and the adapter called directly. One after the other, each with the machine to itself.
 */
export async function benchQueries(options: QueryBenchOptions): Promise<void> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'query-gateway-bench-')));
  try {
    const cases = metricCases(await prepare(folder, options.shape));
    const direct = await measureDirect(folder, cases);
    const {results: gateway, bodies} = await measureGateway(folder, cases, options.seconds);
    const prometheus = await measurePrometheus(folder, cases, options.seconds);
    const bare = await measureBare(folder, bodies, options.seconds);
    print(cases, {gateway, prometheus, bare, direct});
  } finally {
    if (options.folder === undefined) await rm(folder, {recursive: true, force: true});
  }
}

/** Fills both stores, or takes those that an earlier run has left in the folder, with the shape that it wrote down. */
async function prepare(folder: string, shape: DatasetShape): Promise<DatasetShape> {
  const note = join(folder, 'shape.json');
  const kept = await readFile(note, 'utf8').catch(() => undefined);
  if (kept !== undefined) return JSON.parse(kept) as DatasetShape;
  await mkdir(folder, {recursive: true});
  process.stdout.write('filling the embedded storage …\n');
  const rate = await fillEmbedded(folder, shape);
  process.stdout.write(`  ${Math.round(rate)} samples/s\nfilling Prometheus …\n`);
  await backfillPrometheus(join(folder, 'prometheus'), shape);
  await writeFile(note, JSON.stringify(shape));
  return shape;
}

/** Microseconds per read, one after the other, for half a second each. */
async function measureDirect(folder: string, cases: readonly Case[]): Promise<readonly number[]> {
  const begun = performance.now();
  const {adapter, readers} = await openEmbedded(folder);
  const opened = performance.now() - begun;
  await setTimeout(FILL_MILLISECONDS);
  process.stdout.write(`start with the data set: ${Math.round(opened)} ms\n\n`);
  const results: number[] = [];
  for (const one of cases) {
    for (let i = 0; i < 500; i++) await one.direct(readers, i, call);
    const from = performance.now();
    let calls = 0;
    while (performance.now() - from < 500) {
      for (let i = 0; i < 100; i++) await one.direct(readers, calls + i, call);
      calls += 100;
    }
    results.push(((performance.now() - from) / calls) * 1000);
  }
  await adapter.stop();
  return results;
}

async function measureGateway(folder: string, cases: readonly Case[], seconds: number) {
  const gateway = await startGateway(folder);
  try {
    await setTimeout(FILL_MILLISECONDS);
    const bodies: string[] = [];
    const results: LoadResult[] = [];
    for (const one of cases) {
      bodies.push(await (await fetch(gateway.metrics + one.gateway[0])).text());
      await load(gateway.metrics, one.gateway, {connections: CONNECTIONS, seconds: 1});
      results.push(await load(gateway.metrics, one.gateway, {connections: CONNECTIONS, seconds}));
    }
    process.stdout.write(
      `gateway after the load: ${Math.round(anonymousMegabytes(gateway.pid))} MB beside file pages\n`,
    );
    return {results, bodies};
  } finally {
    await gateway.stop();
  }
}

async function measurePrometheus(folder: string, cases: readonly Case[], seconds: number) {
  const prometheus = await startPrometheus(join(folder, 'prometheus'));
  try {
    const results: LoadResult[] = [];
    for (const one of cases) {
      await load(prometheus.url, one.prometheus, {connections: CONNECTIONS, seconds: 1});
      results.push(await load(prometheus.url, one.prometheus, {connections: CONNECTIONS, seconds}));
    }
    process.stdout.write(
      `prometheus after it: ${Math.round(anonymousMegabytes(prometheus.pid))} MB beside file pages\n\n`,
    );
    return results;
  } finally {
    await prometheus.stop();
  }
}

async function measureBare(folder: string, bodies: readonly string[], seconds: number): Promise<readonly LoadResult[]> {
  const file = join(folder, 'bodies.json');
  await writeFile(file, JSON.stringify(bodies));
  const child = start(process.execPath, [join(ROOT, 'dist/bench/bare-route.js'), file], folder);
  try {
    const {listeners} = await readyLine<{listeners: {bare: string}}>(child);
    const results: LoadResult[] = [];
    for (const index of bodies.keys()) {
      await load(listeners.bare, [`/${index}`], {connections: CONNECTIONS, seconds: 1});
      results.push(await load(listeners.bare, [`/${index}`], {connections: CONNECTIONS, seconds}));
    }
    return results;
  } finally {
    await child.stop();
  }
}

interface Measured {
  readonly gateway: readonly LoadResult[];
  readonly prometheus: readonly LoadResult[];
  readonly bare: readonly LoadResult[];
  /** Microseconds per read. */
  readonly direct: readonly number[];
}

function print(cases: readonly Case[], measured: Measured): void {
  const rows = cases.flatMap((one, i) => {
    const row = (who: string, result: LoadResult | undefined) =>
      result === undefined ? [] : [[one.name, who, result.requestsPerSecond, result.p50, result.p99]];
    return [
      ...row('gateway', measured.gateway[i]),
      ...row('prometheus', measured.prometheus[i]),
      ...row('bare route', measured.bare[i]),
    ];
  });
  printTable(['case', 'server', 'requests/s', 'p50 ms', 'p99 ms'], rows);

  // Microseconds that the serving thread spends on a request when it is saturated.
  const cost = (result: LoadResult | undefined): number => 1e6 / (result?.requestsPerSecond ?? Number.NaN);
  printTable(
    [
      'case',
      'gateway ÷ prometheus (requests/s)',
      'gateway µs',
      'adapter µs',
      'bare route µs',
      'gateway ÷ (adapter + bare)',
    ],
    cases.map((one, i) => {
      const gateway = cost(measured.gateway[i]);
      const adapter = measured.direct[i] ?? Number.NaN;
      const bare = cost(measured.bare[i]);
      return [one.name, cost(measured.prometheus[i]) / gateway, gateway, adapter, bare, gateway / (adapter + bare)];
    }),
  );
}
