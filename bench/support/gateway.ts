import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {ROOT, type RunningProcess, readyLine, start} from './processes.js';

export interface RunningGateway extends RunningProcess {
  readonly metrics: string;
  readonly traces: string;
  readonly ingest: string;
  readonly admin: string;
  /** Of a gateway that was started with agents. */
  readonly diagnostics?: string;
  readonly grpc?: string;
}

/** Starts the real program over the embedded storage in `folder`, or over another one, on free ports. */
export async function startGateway(
  folder: string,
  embedded: Record<string, unknown> = {},
  storage: object = {use: 'embedded', config: {path: join(folder, 'embedded'), ...embedded}},
  diagnostics?: object,
): Promise<RunningGateway> {
  const config = {
    listeners: Object.fromEntries(
      ['metrics', 'traces', 'ingest', 'admin', ...(diagnostics === undefined ? [] : ['diagnostics'])].map(
        name => [name, {host: '127.0.0.1', port: 0}] as const,
      ),
    ),
    storage,
    plugins: [
      {use: 'promql-subset', listener: 'metrics'},
      {use: 'traceql-compat', listener: 'traces', enabled: true},
      {use: 'traceql-native', listener: 'traces', enabled: true},
      {use: 'ingest', listener: 'ingest'},
      ...(diagnostics === undefined ? [] : [{use: 'diagnostics-proxy', listener: 'diagnostics', config: diagnostics}]),
    ],
  };
  const file = join(folder, 'gateway.config.json');
  await writeFile(file, JSON.stringify(config));
  const child = start(process.execPath, [join(ROOT, 'dist/core/cli/main.js'), 'serve', '--config', file], folder);
  const ready = await readyLine<{listeners: Omit<RunningGateway, keyof RunningProcess>}>(child);
  return Object.assign(child, ready.listeners);
}
