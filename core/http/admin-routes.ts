import {collectDefaultMetrics, Registry} from 'prom-client';
import type {Need} from '../api/access.js';
import type {Handler, Reply, Routes} from '../api/http.js';
import type {ComponentStatus, GatewayStatus} from '../api/status.js';
import {ConfigError} from '../config/config-error.js';
import {redactText} from '../config/redact.js';
import type {Instruments} from '../host/meter.js';
import {isReady} from '../host/status.js';
import {addStorageRoutes, type ReadersOf} from '../remote/storage-routes.js';
import {VERSION} from '../version.js';
import type {Mount} from './mount.js';
import {renderPlainError} from './render-error.js';
import type {HttpServices} from './services.js';

/** Gauges of the library that have the suffix of a counter; the same numbers stand under other names by type. */
const MISNAMED = ['handles', 'requests', 'resources'].map(what => `nodejs_active_${what}_total`);

/** What the admin listener can ask of the gateway. */
export interface AdminActions {
  readonly status: () => Promise<GatewayStatus>;
  /** Reads the configuration again; rejects with a `ConfigError` where that changes nothing. */
  readonly reload?: () => Promise<void>;
  /** Of the storage that runs. */
  readonly readersOf: ReadersOf;
}

/** The gateway's own paths: health, readiness, the state of the components, metrics, reload. */
export function adminMount(
  {status, reload, readersOf}: AdminActions,
  instruments: Instruments,
  http: HttpServices,
): Mount {
  const runtime = new Registry();
  collectDefaultMetrics({register: runtime});
  for (const name of MISNAMED) runtime.removeSingleMetric(name);
  const meter = http.meterOf('gateway');
  const running = meter.gauge('query_gateway_queries_running', 'Queries that run now.').with({});
  const waiting = meter.gauge('query_gateway_queries_waiting', 'Queries that wait for their turn.').with({});
  meter.gauge('query_gateway_info', 'The version of the gateway.', ['version']).with({version: VERSION}).set(1);
  const isReadyNow = meter.gauge('query_gateway_ready', 'Whether /-/ready answers 200: 1 or 0.').with({});
  const degraded = meter.gauge(
    'query_gateway_component_degraded',
    'Whether a component serves less than usual: 1 or 0.',
    ['name'],
  );
  const known = new Set<string>();
  const tell = (now: GatewayStatus): void => {
    isReadyNow.set(isReady(now) ? 1 : 0);
    const states = new Map(componentsOf(now).map(({name, state}) => [name, state]));
    for (const name of states.keys()) known.add(name);
    // What a reload has taken away is degraded no more.
    for (const name of known) degraded.with({name}).set(states.get(name) === 'degraded' ? 1 : 0);
  };
  const json = (code: number, value: unknown): Reply => ({
    status: code,
    body: `${JSON.stringify(value, redacted, 2)}\n`,
  });
  const routes = (to: Routes): void => {
    const get = (path: string, handler: Handler, right: Need = 'admin') =>
      to.add({methods: ['GET'], path, work: 'light', right}, handler);
    get('/-/healthy', () => json(200, {status: 'ok'}), 'open');
    const isItReady: Handler = async () => {
      const now = await status();
      return isReady(now) ? json(200, ready(now)) : json(503, {error: notReady(now)});
    };
    get('/-/ready', isItReady, 'open');
    get('/-/plugins', async () => json(200, await status()));
    if (reload !== undefined) {
      to.add({methods: ['POST'], path: '/-/reload', work: 'light'}, async () => {
        try {
          await reload();
          return json(200, {status: 'ok'});
        } catch (error) {
          if (error instanceof ConfigError) return json(400, refusedReload(error));
          throw error;
        }
      });
    }
    addStorageRoutes(to, readersOf);
    get('/metrics', async () => {
      tell(await status());
      running.set(http.admission.running + http.heavyAdmission.running);
      waiting.set(http.admission.waiting + http.heavyAdmission.waiting);
      const body = (await runtime.metrics()) + instruments.expose();
      return {status: 200, headers: {'content-type': runtime.contentType}, body};
    });
  };
  return {id: 'admin', prefix: '/', right: 'admin', renderError: renderPlainError, routes};
}

/** Every mistake of a configuration that was not put in force, by its key. */
function refusedReload({problems}: ConfigError): object {
  const count = problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`;
  return {
    error: `nothing has changed: the configuration has ${count}`,
    problems: problems.map(({path, message}) => ({key: path, message})),
  };
}

/** Components tell their state in words of client libraries, which may cite a URL. */
function redacted(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? redactText(value) : value;
}

/** Ready, and with what it serves less than usual. */
function ready(status: GatewayStatus): object {
  const degraded = componentsOf(status).filter(({state}) => state === 'degraded');
  if (degraded.length === 0) return {status: 'ok'};
  return {status: 'degraded', message: degraded.map(reasonOf).join('; ')};
}

function componentsOf({storage, plugins}: GatewayStatus): readonly ComponentStatus[] {
  return storage === null ? plugins : [storage, ...plugins];
}

function reasonOf({name, state, message}: ComponentStatus): string {
  return `${name}: ${message ?? state}`;
}

function notReady(status: GatewayStatus): string {
  const {gateway, storage} = status;
  const failed = componentsOf(status).filter(({state}) => state === 'failed');
  const waiting =
    storage !== null && storage.state === 'starting' && storage.message !== undefined ? [storage] : failed;
  return [`the gateway is ${gateway.state}`, ...waiting.map(reasonOf)].join('; ');
}
