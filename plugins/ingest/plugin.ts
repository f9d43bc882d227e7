import {
  type BadRecord,
  type CompatSpanWriter,
  type Counter,
  GatewayError,
  type GatewayPlugin,
  type HttpRequest,
  type IngestFormat,
  type IngestLimits,
  injectable,
  LIMITS,
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
import {ingestFormats} from './formats/all-formats.js';
import {renderError} from './http/errors.js';
import {refuseBinary, refuseOtlp} from './http/other-protocols.js';

@injectable()
class Ingest implements GatewayPlugin {
  readonly #writers: Readers;
  readonly #meter: Meter;
  readonly #limits: IngestLimits;
  #hasWarned = false;

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
    const records = this.#meter.counter('query_gateway_ingest_records_total', 'Records stored.', ['format']);
    const cuts = this.#meter.counter(
      'query_gateway_ingest_cut_values_total',
      'Values and lists too long, stored in part.',
      ['format'],
    );
    for (const format of ingestFormats(this.#limits)) {
      const labels = {format: format.name};
      const counters = {stored: records.with(labels), cut: cuts.with(labels)};
      for (const {path, status} of format.routes) {
        routes.add({methods: ['POST'], path, body: 'bytes', work: 'write'}, request =>
          this.#take(format, status, counters, request),
        );
      }
    }
  }

  /** Stores a body whole or not at all. */
  async #take(format: IngestFormat, status: number, counters: Counters, request: HttpRequest): Promise<Reply> {
    const refusal = refuseBinary(format, request);
    if (refusal !== undefined) return refusal;
    refuseOtlp(format, request.body);
    const intake = await format.begin(this.#writers, request);
    await intake.decode(request.body, refuseBody);
    await intake.finish(refuseBody);
    const records = intake.pending;
    if (records > 0) await intake.write();
    counters.stored.add(records);
    if (intake.cut > 0) {
      counters.cut.add(intake.cut);
      this.#warnOfCuts(format, request);
    }
    return {status, body: ''};
  }

  /** Once: a sender that writes such values writes many. */
  #warnOfCuts({name}: IngestFormat, {log}: HttpRequest): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    log.warn('Values, or lists of tags, that are too long are cut; query_gateway_ingest_cut_values_total counts them', {
      format: name,
    });
  }
}

interface Counters {
  readonly stored: Counter;
  readonly cut: Counter;
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
