import {
  type CompatTraceReader,
  config,
  type GatewayPlugin,
  injectable,
  LIMITS,
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
import {CompatSource} from './source.js';

@injectable()
class TraceqlCompat implements GatewayPlugin {
  readonly #source: CompatSource;
  readonly #settings: TraceqlConfig;
  readonly #limits: QueryLimits;

  constructor(
    @use(reader('traces.compat.v1')) traces: CompatTraceReader,
    @use(config<TraceqlConfig>()) settings: TraceqlConfig,
    @use(LIMITS) limits: QueryLimits,
  ) {
    this.#source = new CompatSource(traces);
    this.#settings = settings;
    this.#limits = limits;
  }

  routes(routes: Routes): void {
    tempoRoutes(routes, this.#source, this.#settings, this.#limits);
  }
}

/** Answers the Tempo API from compat traces, in a subset of its query language. */
export default {
  kind: 'plugin',
  apiVersion: 1,
  name: 'traceql-compat',
  requires: ['traces.compat.v1'],
  configSchema: configSchema(['http.method', 'error'], 'SVC_TRACEQL_COMPAT_TRACES_LIST_RESULT_TAGS'),
  listener: traceListener('/compat', 'SVC_TRACEQL_REST_CONTEXT_PATH_COMPAT'),
  enabled: {default: false, env: 'SVC_TRACEQL_ENABLE_DATASOURCE_COMPAT'},
  renderError,
  rehearsal,
  main: TraceqlCompat,
} satisfies PluginDefinition;
