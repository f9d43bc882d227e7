import {join} from 'node:path';
import {type Owner, scratchFolder} from '../../support/gateway.js';
import {ask} from '../../support/http.js';
import {type ServedHere, serveHere} from '../../support/library.js';

/** Names that senders could choose, as a page must show them: as they are. */
export const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '</script><script>alert(1)</script>',
  '"quotes" & \'apostrophes\' {braces}',
  'left \u202eright to left\u202c',
  'a/b?c#d%2F',
  'x'.repeat(1024),
];

export interface ConsoleOptions {
  readonly prefix?: string;
  readonly config?: object;
}

/** A gateway with every plugin that the console shows, over storage in a temporary folder. */
export async function startConsole(t: Owner, {prefix = '/', config = {}}: ConsoleOptions = {}): Promise<ServedHere> {
  const folder = await scratchFolder(t);
  const names = ['metrics', 'traces', 'diagnostics', 'ingest', 'otlp', 'admin', 'console'];
  return serveHere(t, {
    folder,
    config: {
      listeners: Object.fromEntries(names.map(name => [name, {host: '127.0.0.1', port: 0}])),
      storage: {use: 'embedded', config: {path: join(folder, 'data')}},
      plugins: [
        {use: 'promql-subset'},
        {use: 'traceql-compat', enabled: true},
        {use: 'traceql-native', enabled: true},
        {use: 'traceql-otlp', enabled: true},
        {use: 'diagnostics-proxy', config: {grpcListenAddr: '127.0.0.1:0'}},
        {use: 'ingest'},
        {use: 'ingest-otlp', config: {grpcListenAddr: '127.0.0.1:0'}},
        {use: 'console', prefix},
      ],
      ...config,
    },
  });
}

/** The minute before the current one, in Unix seconds: whole, whenever a test runs. */
export const lastMinute = (): number => Math.floor(Date.now() / 60_000) * 60 - 60;

/** Writes records through the gateway's own ingest. */
export async function writeMetrics(url: string, records: readonly object[]): Promise<void> {
  const body = records.map(record => JSON.stringify(record)).join('\n');
  const {status, text} = await ask(`${url}/ingest/v1/metrics`, {method: 'POST', body});
  if (status !== 202) throw new Error(`the records were answered ${status}: ${text}`);
}

/** Calls per minute of services, for some minutes up to the last whole one, or another. */
export function callsOf(services: readonly string[], minutes: number, last = lastMinute()): readonly object[] {
  const samples = services.flatMap((service, index) =>
    Array.from({length: minutes}, (_, i) => ({
      record: 'sample',
      metric: 'service_cpm',
      layer: 'GENERAL',
      service,
      time: last - i * 60,
      value: 10 * (index + 1) + i,
    })),
  );
  return [
    {record: 'metric', name: 'service_cpm', scope: 'Service', kind: 'common', help: 'calls per minute'},
    ...samples,
  ];
}
