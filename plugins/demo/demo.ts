import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Call} from '../../core/api/plugin.js';
import {MINUTES_PER_DAY} from '../../core/toolkit/time.js';
import {showDiagnostics} from './diagnostics/show-diagnostics.js';
import {Feed, FIRST_MINUTES} from './feed.js';
import {type DemoAddresses, grafanaProvisioning} from './grafana.js';
import {suggestions} from './guide.js';
import {listenersFrom} from './ports.js';
import type {Request} from './shop/requests.js';

export {HIGHEST_PORT_BASE} from './ports.js';

/** The configuration of the gateway that the demo runs on, its data in `folder`. */
export function demoConfig(folder: string, portBase: number | undefined): unknown {
  return {
    listeners: listenersFrom(portBase),
    storage: {use: 'embedded', config: {path: join(folder, 'data')}},
    plugins: [
      {use: 'promql-subset'},
      {use: 'traceql-compat', enabled: true, prefix: '/compat'},
      {use: 'traceql-native', enabled: true, prefix: '/native'},
      {use: 'traceql-otlp', enabled: true, prefix: '/otlp'},
      {use: 'diagnostics-proxy', config: {grpcListenAddr: '127.0.0.1:0'}},
      {use: 'ingest'},
      {use: 'ingest-otlp', config: {grpcListenAddr: '127.0.0.1:0'}},
      {use: 'console'},
    ],
    logLevel: 'warn',
  };
}

/** Where the demo runs. */
export interface DemoPlace {
  /** Those of the running gateway, by name. */
  readonly addresses: Readonly<Record<string, string>>;
  /** For its files. */
  readonly folder: string;
  /** Shows a text to who started it. */
  readonly print: (text: string) => void;
}

/**
 * Fills a gateway that runs with `demoConfig`, and tells what can be asked of it. Resolves when it has enough to show;
 * the rest of the day, and each new minute, follow until the signal of the call aborts.
 */
export async function showDemo({addresses, folder, print}: DemoPlace, call: Call): Promise<void> {
  const {metrics = '', traces = '', diagnostics = '', ingest = '', otlp = '', grpc = '', console = ''} = addresses;
  const shown = {metrics, traces, diagnostics, ingest, console};
  const feed = new Feed({ingest, otlp}, call);
  print(`query-gateway demo: the console is at ${console}/\n`);
  print('Generating the last day of a small web shop, the last hours first\n');
  await Promise.all([feed.begin(FIRST_MINUTES), showDiagnostics(diagnostics, grpc, join(folder, 'reports'), call)]);
  // What is not sent before the demo is ready follows.
  void feed.follow(MINUTES_PER_DAY);
  const provisioning = grafanaProvisioning(shown);
  const file = join(folder, 'grafana-datasources.yaml');
  await writeFile(file, provisioning);
  print(guide(shown, feed.example, file, provisioning));
}

function guide(addresses: DemoAddresses, request: Request, file: string, provisioning: string): string {
  const {metrics, traces, diagnostics, ingest, console} = addresses;
  const commands = suggestions(addresses, request).map(({title, command}) => `# ${title}\n${command}\n`);
  return [
    `Look at it in a browser: ${console}/`,
    `Metrics are served at ${metrics}, traces at ${traces}/compat, ${traces}/native and ${traces}/otlp,`,
    `the diagnostics of a database at ${diagnostics}, and new data is taken at ${ingest}.`,
    'Ctrl-C ends the demo and removes its data.\n',
    'Try:\n',
    ...commands,
    `Grafana: copy ${file} to its provisioning/datasources folder. It holds:\n`,
    provisioning,
    '',
  ].join('\n');
}
