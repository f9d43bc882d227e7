import type {Need} from '../api/access.js';
import type {Handler, Reply, Routes} from '../api/http.js';
import type {ComponentStatus, GatewayStatus} from '../api/status.js';
import {ConfigError} from '../config/config-error.js';
import {redactText} from '../config/redact.js';
import {componentsOf, isReady} from '../host/status.js';
import {addStorageRoutes, type ReadersOf} from '../remote/storage-routes.js';
import type {Mount} from './mount.js';
import {renderPlainError} from './render-error.js';

const EXPOSITION = 'text/plain; version=0.0.4; charset=utf-8';

/** What the admin listener can ask of the gateway. */
export interface AdminActions {
  readonly status: () => Promise<GatewayStatus>;
  /** Everything that is measured, as text of the exposition format. */
  readonly metrics: () => Promise<string>;
  /** Reads the configuration again; rejects with a `ConfigError` where that changes nothing. */
  readonly reload?: () => Promise<void>;
  /** Of the storage that runs. */
  readonly readersOf: ReadersOf;
}

/** The gateway's own paths: health, readiness, the state of the components, metrics, reload. */
export function adminMount({status, metrics, reload, readersOf}: AdminActions): Mount {
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
    get('/metrics', async () => ({status: 200, headers: {'content-type': EXPOSITION}, body: await metrics()}));
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
