import {
  type GatewayPlugin,
  type GatewayStatus,
  injectable,
  type MetadataReader,
  type MetricReader,
  type PluginDefinition,
  type Routes,
  reader,
  STATUS,
  type TopologyReader,
  use,
} from '../../core/api/plugin.js';
import {type Bundle, readBundle} from './http/bundle.js';
import {renderError} from './http/errors.js';
import {consoleRoutes} from './http/routes.js';
import type {TopologyReaders} from './http/topology.js';
import {rehearsal} from './rehearsal.js';

@injectable()
class Console implements GatewayPlugin {
  readonly #status: () => Promise<GatewayStatus>;
  readonly #readers: TopologyReaders;
  #bundle: Bundle | undefined;

  constructor(
    @use(STATUS) status: () => Promise<GatewayStatus>,
    @use(reader('topology.query.v1')) topology: TopologyReader | undefined,
    @use(reader('metrics.query.v1')) metrics: MetricReader | undefined,
    @use(reader('metadata.query.v1')) metadata: MetadataReader | undefined,
  ) {
    this.#status = status;
    this.#readers = {topology, metrics, metadata};
  }

  async start(): Promise<undefined> {
    this.#bundle = await readBundle();
  }

  routes(routes: Routes): void {
    if (this.#bundle !== undefined) consoleRoutes(routes, this.#bundle, this.#status, this.#readers);
  }
}

/** Pages in a browser that show what the gateway's other plugins answer. */
export default {
  kind: 'plugin',
  apiVersion: 1,
  name: 'console',
  requires: [],
  optional: ['topology.query.v1', 'metrics.query.v1', 'metadata.query.v1'],
  configSchema: {type: 'object', properties: {}, additionalProperties: false},
  listener: {name: 'console', host: '127.0.0.1', port: 9470, prefix: '/'},
  mirror: '/api',
  renderError,
  rehearsal,
  main: Console,
} satisfies PluginDefinition;
