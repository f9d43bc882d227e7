import {fileURLToPath} from 'node:url';
import type {CapabilityName} from '../../core/api/adapter.js';
import {type Owner, type RunningGateway, startGateway} from '../support/gateway.js';
import {type Answer, ask, get} from '../support/http.js';
import type {Program} from '../support/programs.js';
import {startChdb} from '../support/servers/chdb.js';
import {startClickHouse} from '../support/servers/clickhouse.js';
import {startPostgres} from '../support/servers/postgres.js';
import {compatSpans} from './compat-spans.js';
import {metricRecords} from './metric-records.js';
import {nativeSegments} from './native-segments.js';
import {otlpResourceSpans} from './otlp-spans.js';
import type {SwapRequest} from './request.js';

export interface Backend {
  readonly name: string;
  readonly needs: readonly Program[];
  /** `storage` of the configuration, after the start of what it needs. */
  readonly storage: (t: Owner) => Promise<object>;
  /** What this backend cannot do: requests that need it answer 501. */
  readonly without: readonly CapabilityName[];
}

const MEMORY_ADAPTER = fileURLToPath(new URL('../fixtures/memory-adapter.js', import.meta.url));

export const EMBEDDED: Backend = {
  name: 'embedded',
  needs: [],
  storage: async () => ({use: 'embedded', config: {path: './data'}}),
  without: [],
};

export const OTHERS: readonly Backend[] = [
  {name: 'memory', needs: [], storage: async () => ({use: MEMORY_ADAPTER}), without: []},
  {
    name: 'ClickHouse',
    needs: ['clickhouse-server'],
    storage: async t => clickhouse((await startClickHouse(t)).url),
    without: [],
  },
  {
    name: "ClickHouse's current engine",
    needs: ['chdb'],
    storage: async t => clickhouse((await startChdb(t)).url),
    without: [],
  },
  {
    name: 'PostgreSQL',
    needs: ['postgres'],
    storage: async t => ({use: 'postgres', config: {url: (await startPostgres(t)).url()}}),
    without: ['traces.native.v2', 'ingest.native.v1'],
  },
];

function clickhouse(url: string): object {
  return {use: 'clickhouse', config: {urls: [url], database: 'gateway'}};
}

/** A gateway with all plugins over the backend. */
export async function startOver(t: Owner, backend: Backend): Promise<RunningGateway> {
  const address = {host: '127.0.0.1', port: 0};
  return startGateway(t, {
    config: {
      listeners: {admin: address, metrics: address, traces: address, ingest: address, otlp: address},
      storage: await backend.storage(t),
      plugins: [
        {use: 'promql-subset', listener: 'metrics'},
        {use: 'traceql-compat', listener: 'traces', enabled: true},
        {use: 'traceql-native', listener: 'traces', enabled: true},
        {use: 'traceql-otlp', listener: 'traces', enabled: true},
        {use: 'ingest', listener: 'ingest'},
        {use: 'ingest-otlp', listener: 'otlp', config: {grpcListenAddr: '127.0.0.1:0'}},
      ],
    },
  });
}

/** Sends the data set in bodies of so many records, spans and segments; spans of OTLP where there is a listener for them. */
export async function loadInto(gateway: RunningGateway, {without}: Backend, size: number): Promise<void> {
  const send = async (path: string, body: string, listener: 'ingest' | 'otlp' = 'ingest'): Promise<void> => {
    const headers = {'content-type': 'application/json'};
    const {status, text} = await ask(`${gateway.urls[listener]}${path}`, {method: 'POST', body, headers});
    if (status >= 300 || text.includes('partialSuccess')) throw new Error(`${path} answered ${status}: ${text}`);
  };
  for (const lines of chunks(metricRecords(), size)) await send('/ingest/v1/metrics', lines.join('\n'));
  for (const spans of chunks(compatSpans(), size)) await send('/api/v2/spans', JSON.stringify(spans));
  const otlp = gateway.urls.otlp === undefined ? [] : otlpResourceSpans();
  for (const resourceSpans of chunks(otlp, size)) await send('/v1/traces', JSON.stringify({resourceSpans}), 'otlp');
  if (without.includes('ingest.native.v1')) return;
  for (const segments of chunks(nativeSegments(), size)) await send('/v3/segments', JSON.stringify(segments));
}

function chunks<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({length: Math.ceil(all.length / size)}, (_, i) => all.slice(i * size, (i + 1) * size));
}

export async function send(gateway: RunningGateway, request: SwapRequest): Promise<Answer> {
  const {listener, path, parameters = {}, headers} = request;
  const url = `${gateway.urls[listener]}${path}`;
  return headers === undefined ? get(url, parameters) : ask(url, {headers});
}
