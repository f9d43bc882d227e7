import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type RunningGateway, startGateway} from './support/gateway.js';
import {anonymousMegabytes} from './support/memory.js';
import {printTable} from './support/table.js';
import {type TraceKindName, traceCases} from './support/trace-cases.js';
import type {TraceShape} from './support/trace-dataset.js';
import {prepareTraces} from './support/trace-fill.js';
import {bodies, INGEST_PATHS, ingestAtRate, SPANS_PER_SECOND} from './support/trace-sender.js';
import {load} from './support/wrk.js';
import type {TraceBenchOptions} from './traces.js';

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
  const url = gateway.ingest + INGEST_PATHS[kind];
  // Made beforehand: to make them costs a reporter about as much as it costs the gateway to take them.
  const next = [...bodies(kind, shape, 2 * SPANS_PER_SECOND * seconds)].values();
  const alone = await ingestAtRate(url, next, AbortSignal.timeout(seconds * 1000));
  const stop = new AbortController();
  const ingesting = ingestAtRate(url, next, stop.signal);
  const busy = await load(gateway.traces, paths, options);
  stop.abort();
  return [alone, await ingesting, quiet.p50, quiet.p99, busy.p50, busy.p99, anonymousMegabytes(gateway.pid)];
}
