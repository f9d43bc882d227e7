import {rmSync} from 'node:fs';
import {mkdtemp, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {loadConfig} from '../gateway.js';
import {builtins} from './builtins.js';
import {showDiagnostics} from './demo/diagnostics.js';
import {Feed, FIRST_MINUTES} from './demo/feed.js';
import {type DemoAddresses, grafanaProvisioning} from './demo/grafana.js';
import {suggestions} from './demo/guide.js';
import {LISTENERS} from './demo/ports.js';
import type {Request} from './demo/requests.js';
import {runGateway} from './run-gateway.js';

/** What is not sent before the ready line follows. */
const HISTORY_MINUTES = 24 * 60;

/** Runs the gateway over a generated scene until SIGTERM or SIGINT. */
export async function demo({portBase}: {readonly portBase?: number}): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'query-gateway-demo-'));
  process.once('exit', () => rmSync(folder, {recursive: true, force: true}));
  const config = await loadConfig({value: demoConfig(folder, portBase), folder}, builtins);
  const running = runGateway(
    config,
    async ({metrics = '', traces = '', diagnostics = '', ingest = '', grpc = ''}, call) => {
      const addresses = {metrics, traces, diagnostics, ingest};
      const feed = new Feed(ingest, call);
      process.stderr.write('query-gateway demo: generating the last day of a small web shop, the last hours first\n');
      await Promise.all([feed.begin(FIRST_MINUTES), showDiagnostics(diagnostics, grpc, join(folder, 'reports'), call)]);
      void feed.follow(HISTORY_MINUTES);
      const provisioning = grafanaProvisioning(addresses);
      const file = join(folder, 'grafana-datasources.yaml');
      await writeFile(file, provisioning);
      process.stderr.write(guide(addresses, feed.example, file, provisioning));
    },
  );
  return running.catch((error: Error) => {
    const taken = (error.cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';
    throw taken ? new Error(`${error.message}; --port-base N moves all ports of the demo`, {cause: error}) : error;
  });
}

function demoConfig(folder: string, portBase: number | undefined): unknown {
  const listeners = Object.entries(LISTENERS).map(([name, {port, offset}]) => {
    const moved = portBase === 0 ? 0 : (portBase ?? 0) + offset;
    return [name, {host: '127.0.0.1', port: portBase === undefined ? port : moved}];
  });
  return {
    listeners: Object.fromEntries(listeners),
    storage: {use: 'embedded', config: {path: join(folder, 'data')}},
    plugins: [
      {use: 'promql-subset'},
      {use: 'traceql-compat', enabled: true, prefix: '/compat'},
      {use: 'traceql-native', enabled: true, prefix: '/native'},
      {use: 'diagnostics-proxy', config: {grpcListenAddr: '127.0.0.1:0'}},
      {use: 'ingest'},
    ],
    logLevel: 'warn',
  };
}

function guide(addresses: DemoAddresses, request: Request, file: string, provisioning: string): string {
  const {metrics, traces, diagnostics, ingest} = addresses;
  const commands = suggestions(addresses, request).map(({title, command}) => `# ${title}\n${command}\n`);
  return [
    `Metrics are served at ${metrics}, traces at ${traces}/compat and ${traces}/native,`,
    `the diagnostics of a database at ${diagnostics}, and new data is taken at ${ingest}.`,
    'Ctrl-C ends the demo and removes its data.\n',
    'Try:\n',
    ...commands,
    `Grafana: copy ${file} to its provisioning/datasources folder. It holds:\n`,
    provisioning,
    '',
  ].join('\n');
}
