import {
  config,
  type GatewayPlugin,
  injectable,
  LIMITS,
  type NativeTraceReader,
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
import {NativeSource} from './source.js';

@injectable()
class TraceqlNative implements GatewayPlugin {
  readonly #source: NativeSource;
  readonly #settings: TraceqlConfig;
  readonly #limits: QueryLimits;

  constructor(
    @use(reader('traces.native.v2')) traces: NativeTraceReader,
    @use(config<TraceqlConfig>()) settings: TraceqlConfig,
    @use(LIMITS) limits: QueryLimits,
  ) {
    this.#source = new NativeSource(traces);
    this.#settings = settings;
    this.#limits = limits;
  }

  routes(routes: Routes): void {
    tempoRoutes(routes, this.#source, this.#settings, this.#limits);
  }
}

/** Answers the Tempo API from native traces, in a subset of its query language. */
export default {
  kind: 'plugin',
  apiVersion: 1,
  name: 'traceql-native',
  requires: ['traces.native.v2'],
  configSchema: configSchema(
    [
      'http.method',
      'http.status_code',
      'rpc.status_code',
      'db.type',
      'db.instance',
      'mq.queue',
      'mq.topic',
      'mq.broker',
    ],
    'SVC_TRACEQL_NATIVE_TRACES_LIST_RESULT_TAGS',
  ),
  listener: traceListener('/native', 'SVC_TRACEQL_REST_CONTEXT_PATH_NATIVE'),
  enabled: {default: false, env: 'SVC_TRACEQL_ENABLE_DATASOURCE_NATIVE'},
  renderError,
  rehearsal,
  main: TraceqlNative,
} satisfies PluginDefinition;
