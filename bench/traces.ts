import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {call, openEmbedded} from './support/embedded.js';
import {startGateway} from './support/gateway.js';
import {type Percentiles, percentiles, timed} from './support/percentiles.js';
import {ROOT, readyLine, start} from './support/processes.js';
import {printTable} from './support/table.js';
import {type TraceCase, type TraceKindName, traceCases} from './support/trace-cases.js';
import type {TraceShape} from './support/trace-dataset.js';
import {prepareTraces} from './support/trace-fill.js';
import {type LoadResult, load} from './support/wrk.js';

export interface TraceBenchOptions {
  readonly shape: TraceShape;
  readonly kinds: readonly TraceKindName[];
  /** A part of the names of the cases that are measured. */
  readonly cases: string;
  /** A folder that keeps the data for the next run; otherwise a temporary one. */
  readonly folder?: string;
  readonly seconds: number;
}

const CONNECTIONS = [1, 8] as const;

/**
 * The queries of a trace view: the gateway, beside a bare route that returns as many bytes and the adapter asked
 * directly. One after the other, each with the machine to itself.
 */
export async function benchTraces(options: TraceBenchOptions): Promise<void> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'query-gateway-bench-')));
  try {
    for (const kind of options.kinds) {
      const shape = await prepareTraces(folder, kind, options.shape);
      const cases = traceCases(kind, shape).filter(({name}) => name.includes(options.cases));
      const direct = await measureDirect(folder, cases, options.seconds);
      const {results, sizes} = await measureGateway(folder, kind, cases, options.seconds);
      const bare = await measureBare(folder, sizes, options.seconds);
      print(kind, cases, sizes, {direct, gateway: results, bare});
    }
  } finally {
    if (options.folder === undefined) await rm(folder, {recursive: true, force: true});
  }
}

async function measureDirect(
  folder: string,
  cases: readonly TraceCase[],
  seconds: number,
): Promise<readonly Percentiles[]> {
  const {adapter, readers} = await openEmbedded(folder);
  try {
    const results: Percentiles[] = [];
    for (const one of cases) {
      const measure = async (milliseconds: number) => {
        const times: number[] = [];
        const end = performance.now() + milliseconds;
        while (performance.now() < end) times.push(await timed(() => one.direct(readers, times.length, call)));
        return times;
      };
      await measure(300);
      results.push(percentiles(await measure(seconds * 1000)));
    }
    return results;
  } finally {
    await adapter.stop();
  }
}

/** Loads at one connection and at eight. */
async function measure(base: string, paths: readonly string[], seconds: number, headers = {}): Promise<LoadResult[]> {
  await load(base, paths, {connections: 1, seconds: 1, headers});
  const results: LoadResult[] = [];
  for (const connections of CONNECTIONS) results.push(await load(base, paths, {connections, seconds, headers}));
  return results;
}

async function measureGateway(
  folder: string,
  kind: TraceKindName,
  cases: readonly TraceCase[],
  seconds: number,
): Promise<{readonly results: readonly LoadResult[][]; readonly sizes: readonly number[]}> {
  const gateway = await startGateway(folder);
  try {
    const sizes: number[] = [];
    const results: LoadResult[][] = [];
    for (const {gateway: paths, headers} of cases) {
      const base = `${gateway.traces}/${kind}`;
      const prefixed = paths.map(path => `/${kind}${path}`);
      const response = await fetch(base + paths[0], headers === undefined ? {} : {headers});
      sizes.push((await response.arrayBuffer()).byteLength);
      results.push(await measure(gateway.traces, prefixed, seconds, headers));
    }
    return {results, sizes};
  } finally {
    await gateway.stop();
  }
}

async function measureBare(
  folder: string,
  sizes: readonly number[],
  seconds: number,
): Promise<readonly LoadResult[][]> {
  const file = join(folder, 'bodies.json');
  await writeFile(file, JSON.stringify(sizes.map(size => 'x'.repeat(size))));
  const child = start(process.execPath, [join(ROOT, 'dist/bench/bare-route.js'), file], folder);
  try {
    const {listeners} = await readyLine<{listeners: {bare: string}}>(child);
    const results: LoadResult[][] = [];
    for (const index of sizes.keys()) results.push(await measure(listeners.bare, [`/${index}`], seconds));
    return results;
  } finally {
    await child.stop();
  }
}

interface Measured {
  readonly direct: readonly Percentiles[];
  readonly gateway: readonly LoadResult[][];
  readonly bare: readonly LoadResult[][];
}

function print(kind: TraceKindName, cases: readonly TraceCase[], sizes: readonly number[], measured: Measured): void {
  const columns = CONNECTIONS.flatMap(count => [`p50 at ${count}`, `p99 at ${count}`]);
  printTable(
    [`${kind} (ms)`, 'bytes', ...columns, 'adapter p50', 'adapter p99', ...columns.map(column => `bare ${column}`)],
    cases.map(({name}, i) => {
      const both = (results: readonly LoadResult[] = []) => results.flatMap(({p50, p99}) => [p50, p99]);
      const {p50 = Number.NaN, p99 = Number.NaN} = measured.direct[i] ?? {};
      return [name, sizes[i] ?? 0, ...both(measured.gateway[i]), p50, p99, ...both(measured.bare[i])];
    }),
  );
}
