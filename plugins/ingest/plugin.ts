import {
  type CompatSpanWriter,
  type GatewayPlugin,
  type IngestLimits,
  injectable,
  LIMITS,
  METER,
  type Meter,
  type MetricWriter,
  type PluginDefinition,
  type Readers,
  type Routes,
  reader,
  type SegmentWriter,
  use,
} from '../../core/api/plugin.js';
import {ingestFormats} from './formats/all-formats.js';
import {renderError} from './http/errors.js';
import {ingestRoutes} from './http/routes.js';

@injectable()
class Ingest implements GatewayPlugin {
  readonly #writers: Readers;
  readonly #meter: Meter;
  readonly #limits: IngestLimits;

  constructor(
    @use(reader('ingest.metrics.v1')) metrics: MetricWriter | undefined,
    @use(reader('ingest.compat.v1')) compat: CompatSpanWriter | undefined,
    @use(reader('ingest.native.v1')) native: SegmentWriter | undefined,
    @use(METER) meter: Meter,
    @use(LIMITS) limits: IngestLimits,
  ) {
    this.#writers = {
      ...(metrics && {'ingest.metrics.v1': metrics}),
      ...(compat && {'ingest.compat.v1': compat}),
      ...(native && {'ingest.native.v1': native}),
    };
    this.#meter = meter;
    this.#limits = limits;
  }

  routes(routes: Routes): void {
    ingestRoutes(routes, ingestFormats(this.#limits), this.#writers, this.#meter);
  }
}

/** Takes metrics and both kinds of traces over HTTP, and writes them into the storage. */
export default {
  kind: 'plugin',
  apiVersion: 1,
  name: 'ingest',
  requires: [],
  optional: ['ingest.metrics.v1', 'ingest.compat.v1', 'ingest.native.v1'],
  configSchema: {type: 'object', properties: {}, additionalProperties: false},
  listener: {name: 'ingest', host: '127.0.0.1', port: 9411, prefix: '/'},
  right: 'write',
  renderError,
  main: Ingest,
} satisfies PluginDefinition;
