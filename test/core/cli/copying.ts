import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {CLI, type Owner, type Run, type RunningGateway, runNode, startGateway} from '../../support/gateway.js';
import {ask} from '../../support/http.js';

const ADDRESS = {host: '127.0.0.1', port: 0};

export const PLUGINS = [
  {use: 'promql-subset', listener: 'metrics'},
  {use: 'traceql-compat', listener: 'traces', enabled: true},
  {use: 'traceql-native', listener: 'traces', enabled: true},
  {use: 'traceql-otlp', listener: 'traces', enabled: true},
  {use: 'ingest', listener: 'ingest'},
  {use: 'ingest-otlp', listener: 'otlp', config: {grpcListenAddr: '127.0.0.1:0'}},
];

export const embedded = (folder: string, name: string): object => ({
  use: 'embedded',
  config: {path: join(folder, name)},
});

export function gatewayOver(t: Owner, storage: object, extra: object = {}): Promise<RunningGateway> {
  const listeners = {metrics: ADDRESS, traces: ADDRESS, ingest: ADDRESS, otlp: ADDRESS};
  return startGateway(t, {config: {listeners, storage, plugins: PLUGINS, ...extra}});
}

/** Writes a configuration and gives its path. */
export function configFile(folder: string, name: string, storage: object, extra: object = {}): string {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({storage, plugins: [], ...extra}));
  return file;
}

export interface Copied {
  readonly code: number | null;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

export function beginCopy(t: Owner, folder: string, words: readonly string[], environment = {}): Run {
  return runNode(t, [CLI, 'copy', ...words], folder, environment);
}

/** Runs the command to its end. */
export async function copy(t: Owner, folder: string, words: readonly string[], environment = {}): Promise<Copied> {
  const run = beginCopy(t, folder, words, environment);
  const code = await run.exit;
  return {code, stdout: run.stdout, stderr: run.stderr};
}

export async function sendTo({urls}: RunningGateway, path: string, body: string): Promise<void> {
  const listener = path === '/v1/traces' ? 'otlp' : 'ingest';
  const headers = {'content-type': 'application/json'};
  const {status, text} = await ask(`${urls[listener]}${path}`, {method: 'POST', body, headers});
  if (status >= 300) throw new Error(`${path} answered ${status}: ${text}`);
}
