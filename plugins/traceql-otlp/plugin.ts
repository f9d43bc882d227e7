import {
  config,
  type GatewayPlugin,
  injectable,
  LIMITS,
  type OtlpTraceReader,
  type PluginDefinition,
  type QueryLimits,
  type Routes,
  reader,
  use,
} from '../../core/api/plugin.js';
import {configSchema, type TraceqlConfig, traceListener} from '../traceql/config.js';
import {renderError} from '../traceql/http/errors.js';
import {tempoRoutes} from '../traceql/http/routes.js';
import {rehearsal} from '../traceql/rehearsal.js';
import {OtlpSource} from './source.js';

@injectable()
class TraceqlOtlp implements GatewayPlugin {
  readonly #source: OtlpSource;
  readonly #settings: TraceqlConfig;
  readonly #limits: QueryLimits;

  constructor(
    @use(reader('traces.otlp.v1')) traces: OtlpTraceReader,
    @use(config<TraceqlConfig>()) settings: TraceqlConfig,
    @use(LIMITS) limits: QueryLimits,
  ) {
    this.#source = new OtlpSource(traces);
    this.#settings = settings;
    this.#limits = limits;
  }

  routes(routes: Routes): void {
    tempoRoutes(routes, this.#source, this.#settings, this.#limits);
  }
}

/** Answers the Tempo API from traces of OTLP as they came, in a subset of its query language. */
export default {
  kind: 'plugin',
  apiVersion: 1,
  name: 'traceql-otlp',
  requires: ['traces.otlp.v1'],
  configSchema: configSchema(
    ['http.request.method', 'http.response.status_code'],
    'SVC_TRACEQL_OTLP_TRACES_LIST_RESULT_TAGS',
  ),
  listener: traceListener('/otlp', 'SVC_TRACEQL_REST_CONTEXT_PATH_OTLP'),
  enabled: {default: false, env: 'SVC_TRACEQL_ENABLE_DATASOURCE_OTLP'},
  renderError,
  rehearsal,
  main: TraceqlOtlp,
} satisfies PluginDefinition;
