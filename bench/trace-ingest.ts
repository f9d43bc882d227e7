import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {CompatSpan} from '../core/api/adapter.js';
import {type RunningGateway, startGateway} from './support/gateway.js';
import {anonymousMegabytes} from './support/memory.js';
import {printTable} from './support/table.js';
import {type TraceKindName, traceCases} from './support/trace-cases.js';
import {compatBatches, nativeBatches, SPANS_PER_TRACE, type TraceShape} from './support/trace-dataset.js';
import {prepareTraces} from './support/trace-fill.js';
import {load} from './support/wrk.js';
import type {TraceBenchOptions} from './traces.js';

/** Spans a second. */
const TARGET = 20_000;
/** As many reporters send at once. */
const REPORTERS = 4;
const PATHS: Readonly<Record<TraceKindName, string>> = {compat: '/api/v2/spans', native: '/v3/segments'};

/** What taking 20,000 spans a second over HTTP costs the searches that run beside it. */
export async function benchTraceIngest(options: TraceBenchOptions): Promise<void> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'query-gateway-bench-')));
  try {
    const rows: (string | number)[][] = [];
    for (const kind of options.kinds) {
      const shape = await prepareTraces(folder, kind, options.shape);
      const gateway = await startGateway(folder);
      try {
        rows.push([kind, ...(await mixed(gateway, kind, shape, options.seconds))]);
      } finally {
        await gateway.stop();
      }
    }
    const searches = ['p50 alone', 'p99 alone', 'p50 with ingest', 'p99 with ingest'];
    printTable(['kind', 'spans/s alone', 'spans/s with searches', ...searches, 'MB'], rows);
  } finally {
    if (options.folder === undefined) await rm(folder, {recursive: true, force: true});
  }
}

async function mixed(
  gateway: RunningGateway,
  kind: TraceKindName,
  shape: TraceShape,
  seconds: number,
): Promise<readonly number[]> {
  const paths = traceCases(kind, shape)
    .filter(({name}) => name.startsWith('search service'))
    .flatMap(({gateway}) => gateway.map(path => `/${kind}${path}`));
  const options = {connections: 1, seconds};
  await load(gateway.traces, paths, {connections: 1, seconds: 1});
  const quiet = await load(gateway.traces, paths, options);
  const url = gateway.ingest + PATHS[kind];
  // Made beforehand: to make them costs a reporter about as much as it costs the gateway to take them.
  const next = [...bodies(kind, shape, 2 * TARGET * seconds)].values();
  const alone = await ingestAtRate(url, next, AbortSignal.timeout(seconds * 1000));
  const stop = new AbortController();
  const ingesting = ingestAtRate(url, next, stop.signal);
  const busy = await load(gateway.traces, paths, options);
  stop.abort();
  return [alone, await ingesting, quiet.p50, quiet.p99, busy.p50, busy.p99, anonymousMegabytes(gateway.pid)];
}

interface Body {
  readonly spans: number;
  readonly bytes: Buffer;
}

/** Bodies with at least so many spans: traces of the next day, the same in each run. */
function* bodies(kind: TraceKindName, shape: TraceShape, spans: number): Generator<Body> {
  const start = shape.start + shape.hours * 3_600_000;
  const next = {...shape, first: shape.traces + 1, traces: Math.ceil(spans / SPANS_PER_TRACE), start};
  if (kind === 'native') {
    for (const segments of nativeBatches(next)) yield body(segments);
  } else {
    for (const spans of compatBatches(next)) yield body(spans.map(zipkinSpan));
  }
}

function body(units: readonly object[]): Body {
  return {spans: units.length, bytes: Buffer.from(JSON.stringify(units))};
}

function zipkinSpan({tags, ...span}: CompatSpan): object {
  return {...span, tags: Object.fromEntries(tags)};
}

/** Posts bodies at the target rate until it is told to stop; answers the rate that was reached. */
async function ingestAtRate(url: string, bodies: Iterator<Body>, stop: AbortSignal): Promise<number> {
  const begun = performance.now();
  let begunSpans = 0;
  let stored = 0;
  const report = async (): Promise<void> => {
    while (!stop.aborted) {
      const next = bodies.next();
      if (next.done === true) return;
      const {spans, bytes} = next.value;
      begunSpans += spans;
      await post(url, bytes);
      stored += spans;
      const due = (begunSpans / TARGET) * 1000 - (performance.now() - begun);
      if (due > 0) await new Promise(done => setTimeout(done, due));
    }
  };
  await Promise.all(Array.from({length: REPORTERS}, report));
  return stored / ((performance.now() - begun) / 1000);
}

async function post(url: string, body: Buffer): Promise<void> {
  const response = await fetch(url, {method: 'POST', body, headers: {'content-type': 'application/json'}});
  if (!response.ok) throw new Error(`ingest answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}
