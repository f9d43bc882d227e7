import {fork} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Readers} from '../core/api/adapter.js';
import {Problems} from '../core/config/config-error.js';
import {validate} from '../core/config/validate.js';
import {type BanyanDBConfig, configSchema} from '../storage-adapters/banyandb/config.js';
import {
  type MeasureQueryRequest,
  QueryMeasure,
  QueryTrace,
  type TraceQueryRequest,
} from '../storage-adapters/banyandb/proto/methods.js';
import {BanyanDBStorage} from '../storage-adapters/banyandb/storage.js';
import {call, silentLog, silentMeter} from '../storage-adapters/conformance/call.js';
import {DirectClient} from '../test/fixtures/banyandb/client.js';
import {type BanyanDBCase, banyandbCases} from './support/banyandb-cases.js';
import {startGateway} from './support/gateway.js';
import {HttpClient} from './support/http-client.js';
import {percentiles, timed} from './support/percentiles.js';
import {ROOT} from './support/processes.js';
import {printTable} from './support/table.js';

/** How long everything is asked before it counts, as a part of the time in which it does. */
const WARM_UP_PART = 0.5;

interface Sent {
  readonly measures: readonly MeasureQueryRequest[];
  readonly traces: readonly TraceQueryRequest[];
}

/**
 * What adapter and gateway add to the calls that they make: the same calls sent directly, the adapter, and the gateway
 * over HTTP, against one server of the tests in a process of its own. Medians of samples that take turns.
 */
export async function benchBanyanDB(seconds: number): Promise<void> {
  const end = Math.floor(Date.now() / 60_000) * 60 - 3600;
  const server = fork(join(ROOT, 'dist/bench/support/banyandb-server.js'), [String(end)], {serialization: 'advanced'});
  const folder = await mkdtemp(join(tmpdir(), 'query-gateway-bench-'));
  try {
    const [{endpoints}] = (await once(server, 'message')) as [{endpoints: readonly string[]}];
    const sent = async (): Promise<Sent> => {
      server.send('sent');
      return (await once(server, 'message'))[0] as Sent;
    };
    const client = new DirectClient(endpoints[0] ?? '');
    const http = new HttpClient();
    const {storage, readers} = await openAdapter(endpoints);
    const gateway = await startGateway(folder, {}, {use: 'banyandb', config: {endpoints}});
    try {
      const rows: (string | number)[][] = [];
      for (const one of banyandbCases(end)) {
        rows.push(await measure(one, seconds, {client, http, readers, gateway, sent}));
      }
      printTable(['banyandb (ms, p50)', 'calls', 'direct', 'adapter', 'gateway', 'adds', '%'], rows);
    } finally {
      await http.close();
      await gateway.stop();
      await storage.stop();
      client.close();
    }
  } finally {
    server.disconnect();
    await rm(folder, {recursive: true, force: true});
  }
}

async function openAdapter(
  endpoints: readonly string[],
): Promise<{readonly storage: BanyanDBStorage; readonly readers: Readers}> {
  const context = {environment: {}, folder: '.', problems: new Problems()};
  const config = validate(configSchema, {endpoints}, 'config', context) as BanyanDBConfig;
  const storage = new BanyanDBStorage({config, log: silentLog, meter: silentMeter});
  return {storage, readers: await storage.start(call.signal)};
}

interface Subjects {
  readonly client: DirectClient;
  readonly http: HttpClient;
  readonly readers: Readers;
  readonly gateway: {readonly metrics: string; readonly traces: string};
  readonly sent: () => Promise<Sent>;
}

async function measure(
  {name, direct: ask, gateway: {of, path}}: BanyanDBCase,
  seconds: number,
  {client, http, readers, gateway, sent}: Subjects,
): Promise<(string | number)[]> {
  await ask(readers);
  await sent();
  await ask(readers);
  const {measures, traces} = await sent();
  // The adapter sends its queries of measures together, those of traces one after the other.
  const replay = async (): Promise<void> => {
    await Promise.all(measures.map(request => client.call(QueryMeasure, request)));
    for (const request of traces) await client.call(QueryTrace, request);
  };
  const fetched = () => http.get(`${gateway[of]}${path}`);
  const works = [replay, () => ask(readers), fetched];
  const warm = performance.now() + seconds * WARM_UP_PART * 1000;
  while (performance.now() < warm) for (const work of works) await work();
  const times: number[][] = works.map(() => []);
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    for (const [i, work] of works.entries()) times[i]?.push(await timed(work));
  }
  const [direct = 0, adapter = 0, whole = 0] = times.map(each => percentiles(each).p50);
  return [name, measures.length + traces.length, direct, adapter, whole, whole - direct, (whole / direct - 1) * 100];
}
