import {mkdir, mkdtemp, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Call, Readers} from '../core/api/adapter.js';
import {call, openEmbedded} from './support/embedded.js';
import {printTable} from './support/table.js';
import {type TraceCase, type TraceKindName, traceCases} from './support/trace-cases.js';
import {compatBatches, nativeBatches, SPANS_PER_TRACE, type TraceShape} from './support/trace-dataset.js';

export interface TraceBenchOptions {
  readonly shape: TraceShape;
  /** A folder that keeps the data for the next run; otherwise a temporary one. */
  readonly folder?: string;
  readonly seconds: number;
}

const KINDS: readonly TraceKindName[] = ['compat', 'native'];
const CALLERS = 8;
const BATCHES_UNDER_WAY = 4;

/** The queries of a trace view over both kinds of traces, asked of the adapter directly. */
export async function benchTraces(options: TraceBenchOptions): Promise<void> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'query-gateway-bench-')));
  try {
    const shape = await prepare(folder, options.shape);
    const {adapter, readers} = await openEmbedded(folder);
    try {
      for (const kind of KINDS) await measure(kind, traceCases(kind, shape), readers, options.seconds);
    } finally {
      await adapter.stop();
    }
  } finally {
    if (options.folder === undefined) await rm(folder, {recursive: true, force: true});
  }
}

/** Fills the store, or takes what an earlier run has left in the folder, with the shape that it wrote down. */
async function prepare(folder: string, shape: TraceShape): Promise<TraceShape> {
  const note = join(folder, 'traces.json');
  const kept = await readFile(note, 'utf8').catch(() => undefined);
  if (kept !== undefined) return JSON.parse(kept) as TraceShape;
  await mkdir(folder, {recursive: true});
  const {adapter, readers} = await openEmbedded(folder);
  const [spans, segments] = [readers['ingest.compat.v1'], readers['ingest.native.v1']];
  if (spans === undefined || segments === undefined) throw new Error('the adapter takes no traces');
  await fill('compat', compatBatches(shape), batch => spans.write(batch, call), shape, readers);
  await fill('native', nativeBatches(shape), batch => segments.write(batch, call), shape, readers);
  await adapter.stop();
  const {size} = await stat(join(folder, 'embedded', 'gateway.db'));
  process.stdout.write(`database: ${Math.round(size / 1e6)} MB\n\n`);
  await writeFile(note, JSON.stringify(shape));
  return shape;
}

/** Writes everything, some batches under way at a time, while a search runs again and again. */
async function fill<Unit>(
  kind: TraceKindName,
  batches: Iterable<readonly Unit[]>,
  write: (batch: readonly Unit[]) => Promise<void>,
  shape: TraceShape,
  readers: Readers,
): Promise<void> {
  let writing = true;
  const searches: number[] = [];
  const [selective] = traceCases(kind, shape).filter(({name}) => name.startsWith('search service'));
  const reading = (async () => {
    for (let i = 0; writing && selective !== undefined; i++) {
      searches.push(await timed(() => selective.direct(readers, i, call)));
      await new Promise(done => setTimeout(done, 10));
    }
  })();
  const begun = performance.now();
  const underWay = new Set<Promise<void>>();
  let count = 0;
  for (const batch of batches) {
    count += batch.length;
    const one: Promise<void> = write(batch).finally(() => underWay.delete(one));
    underWay.add(one);
    if (underWay.size === BATCHES_UNDER_WAY) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  const rate = count / ((performance.now() - begun) / 1000);
  writing = false;
  await reading;
  const {p50, p99} = percentiles(searches);
  process.stdout.write(
    `${kind}: ${count} spans of ${shape.traces} traces × ${SPANS_PER_TRACE} at ${Math.round(rate)} spans/s; ` +
      `a search meanwhile: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms\n`,
  );
}

async function measure(
  kind: TraceKindName,
  cases: readonly TraceCase[],
  readers: Readers,
  seconds: number,
): Promise<void> {
  const rows: (string | number)[][] = [];
  for (const one of cases) {
    await callers(1, one, readers, 0.2);
    const alone = percentiles(await callers(1, one, readers, seconds));
    const times = await callers(CALLERS, one, readers, seconds);
    const {p50, p99} = percentiles(times);
    rows.push([one.name, alone.p50, alone.p99, p50, p99, times.length / seconds]);
  }
  printTable([`${kind}, adapter`, 'p50 ms', 'p99 ms', `p50 ms, ${CALLERS} callers`, 'p99 ms', 'calls/s'], rows);
}

/** The times of calls that so many callers make one after the other. */
async function callers(count: number, one: TraceCase, readers: Readers, seconds: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  let next = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() < end) times.push(await timed(() => one.direct(readers, next++, call satisfies Call)));
  };
  await Promise.all(Array.from({length: count}, caller));
  return times;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function percentiles(times: readonly number[]): {readonly p50: number; readonly p99: number} {
  const ordered = [...times].sort((a, b) => a - b);
  const at = (share: number) => ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * share))] ?? Number.NaN;
  return {p50: at(0.5), p99: at(0.99)};
}
