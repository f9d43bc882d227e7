import {
  type CompatSpanWriter,
  type Counter,
  GatewayError,
  type GatewayPlugin,
  type HttpRequest,
  injectable,
  METER,
  type Meter,
  type MetricWriter,
  type PluginDefinition,
  type Readers,
  type Reply,
  type Routes,
  reader,
  type SegmentWriter,
  use,
} from '../../core/api/plugin.js';
import {renderError} from './errors.js';
import type {BadRecord, IngestFormat} from './formats/format.js';
import {ingestFormats} from './formats/formats.js';

@injectable()
class Ingest implements GatewayPlugin {
  readonly #writers: Readers;
  readonly #meter: Meter;

  constructor(
    @use(reader('ingest.metrics.v1')) metrics: MetricWriter | undefined,
    @use(reader('ingest.compat.v1')) compat: CompatSpanWriter | undefined,
    @use(reader('ingest.native.v1')) native: SegmentWriter | undefined,
    @use(METER) meter: Meter,
  ) {
    this.#writers = {'ingest.metrics.v1': metrics, 'ingest.compat.v1': compat, 'ingest.native.v1': native};
    this.#meter = meter;
  }

  routes(routes: Routes): void {
    const records = this.#meter.counter('query_gateway_ingest_records_total', 'Records stored.', ['format']);
    for (const format of ingestFormats()) {
      const stored = records.with({format: format.name});
      for (const {path, status} of format.routes) {
        routes.add({methods: ['POST'], path, body: 'bytes', work: 'write'}, request =>
          this.#take(format, status, stored, request),
        );
      }
    }
  }

  /** Stores a body whole or not at all. */
  async #take(format: IngestFormat, status: number, stored: Counter, request: HttpRequest): Promise<Reply> {
    const intake = await format.begin(this.#writers, request);
    await intake.decode(request.body, refuseBody);
    await intake.finish(refuseBody);
    const records = intake.pending;
    if (records > 0) await intake.write();
    stored.add(records);
    return {status, body: ''};
  }
}

function refuseBody({index, line, reason}: BadRecord): never {
  const place = line === undefined ? '' : ` (line ${line})`;
  throw new GatewayError('bad_request', `record ${index}${place}: ${reason}`);
}

const definition: PluginDefinition = {
  kind: 'plugin',
  apiVersion: 1,
  name: 'ingest',
  requires: [],
  optional: ['ingest.metrics.v1', 'ingest.compat.v1', 'ingest.native.v1'],
  configSchema: {type: 'object', properties: {}, additionalProperties: false},
  listener: {name: 'ingest', host: '127.0.0.1', port: 9411, prefix: '/'},
  renderError,
  main: Ingest,
};

export default definition;
