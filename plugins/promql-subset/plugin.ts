import {
  type GatewayPlugin,
  injectable,
  LIMITS,
  type MetadataReader,
  type MetricReader,
  type PluginDefinition,
  type PluginLimits,
  type Routes,
  reader,
  use,
} from '../../core/api/plugin.js';
import {renderError} from './http/errors.js';
import {prometheusRoutes} from './http/routes.js';
import type {StorageReaders} from './model/storage-readers.js';
import {rehearsal} from './rehearsal.js';

@injectable()
class PromqlSubset implements GatewayPlugin {
  readonly #storage: StorageReaders;
  readonly #limits: PluginLimits;

  constructor(
    @use(reader('metrics.query.v1')) metrics: MetricReader,
    @use(reader('metadata.query.v1')) metadata: MetadataReader,
    @use(LIMITS) limits: PluginLimits,
  ) {
    this.#storage = {metrics, metadata};
    this.#limits = limits;
  }

  routes(routes: Routes): void {
    prometheusRoutes(routes, this.#storage, this.#limits);
  }
}

/** Answers metric queries over HTTP as Prometheus does, in a subset of its expression language. */
export default {
  kind: 'plugin',
  apiVersion: 1,
  name: 'promql-subset',
  requires: ['metrics.query.v1', 'metadata.query.v1'],
  configSchema: {type: 'object', properties: {}, additionalProperties: false},
  listener: {name: 'metrics', host: '127.0.0.1', port: 9090, prefix: '/'},
  renderError,
  rehearsal,
  main: PromqlSubset,
} satisfies PluginDefinition;
