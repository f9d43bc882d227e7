import {GatewayError} from '../api/errors.js';
import type {Reply} from '../api/http.js';
import type {Logger} from '../api/telemetry.js';
import type {GatewayConfig, PluginConfig} from '../config/gateway-config.js';
import {Generation} from '../host/generation.js';
import {within} from '../host/lifecycle.js';
import {Instruments} from '../host/meter.js';
import {Storages} from '../host/storages.js';
import {collectRoutes, isQuery, type Mount, type MountedRoute, partsOf} from '../http/mount.js';
import {parameterReader} from '../http/parameters.js';
import {PluginPorts} from '../http/plugin-ports.js';
import {renderError} from '../http/render-error.js';
import {quote} from '../toolkit/messages.js';
import {VERSION} from '../version.js';
import type {AskedAnswer, AskedQuestion} from './asked-question.js';
import {askingOnly} from './asking-only.js';

/** A route of a plugin that answers queries, with the paths that it has without the plugin's prefix. */
export interface QueryRoute extends MountedRoute {
  readonly plugin: PluginConfig;
}

/**
 * The plugins of a configuration over its storage, asked in this process: no address is opened, nobody is asked who they
 * are, and nothing can be written.
 *
 *     const stage = await Stage.open(config, loggerOf, signal);
 *     const {status, body} = await stage.ask(question, signal);
 *     await stage.stop();
 */
export class Stage {
  /** Of all plugins that run. */
  readonly routes: readonly QueryRoute[];
  readonly #generation: Generation;
  readonly #loggerOf: (component: string) => Logger;

  private constructor(generation: Generation, loggerOf: (component: string) => Logger) {
    this.#generation = generation;
    this.#loggerOf = loggerOf;
    this.routes = generation.plugins.flatMap(runtime => {
      const {config: plugin} = runtime;
      if (!plugin.enabled || runtime.refusal !== undefined) return [];
      const mount = mountOf(plugin);
      const mounted = collectRoutes({...mount, routes: to => runtime.routes(to)});
      return mounted.filter(({route}) => isQuery(mount, route)).map(each => ({...each, plugin}));
    });
  }

  /** Starts the storage and the plugins. What fails is stopped again, and told as by a gateway that starts. */
  static async open(
    config: GatewayConfig,
    loggerOf: (component: string) => Logger,
    signal: AbortSignal,
  ): Promise<Stage> {
    const instruments = new Instruments();
    const meterOf = (component: string) => instruments.meter(component);
    const ports = new PluginPorts();
    const generation: Generation = new Generation(askingOnly(config), {
      loggerOf,
      meterOf,
      storages: new Storages(loggerOf, meterOf),
      access: {check: () => undefined, onChange: () => () => undefined},
      portsOf: plugin => ports.of(plugin),
      status: async () => ({
        gateway: {version: VERSION, state: 'ok'},
        storage: (await generation.storage?.status()) ?? null,
        plugins: generation.plugins.map(plugin => plugin.status()),
        reload: null,
      }),
    });
    try {
      await generation.start(signal);
    } catch (error) {
      await generation.rollBack();
      throw error;
    }
    return new Stage(generation, loggerOf);
  }

  /** Rejects as `signal`; whatever else goes wrong is an answer, as a gateway would give it. */
  async ask(question: AskedQuestion, signal: AbortSignal): Promise<AskedAnswer> {
    const begun = performance.now();
    const [reply, body] = await this.#reply(question, signal);
    const contentType = reply.headers?.['content-type'] ?? 'application/json; charset=utf-8';
    return {status: reply.status, contentType: contentType.toLowerCase(), body, ms: performance.now() - begun};
  }

  async stop(): Promise<void> {
    await this.#generation.rollBack();
  }

  async #reply(question: AskedQuestion, signal: AbortSignal): Promise<readonly [reply: Reply, body: Uint8Array]> {
    const runtime = this.#generation.plugins.find(({config}) => config.id === question.plugin);
    const asked = this.routes.find(
      ({plugin, route, pattern}) =>
        plugin.id === question.plugin && route.path === question.route.path && pattern.test(question.path),
    );
    const headers = question.accept === undefined ? {} : {accept: question.accept};
    const mount = mountOf(runtime?.config ?? question.owner);
    try {
      if (asked === undefined)
        throw (
          runtime?.refusal ??
          new GatewayError(
            'not_found',
            `the plugin ${question.plugin} is not on, or has no path ${quote(question.path)}`,
          )
        );
      return await this.#handle(asked, question, headers, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (GatewayError.from(error).code === 'internal')
        this.#loggerOf(question.plugin).error('a query failed', {err: error});
      const reply = renderError(mount, GatewayError.from(error), {headers});
      return [reply, await bytesOf(reply.body)];
    }
  }

  #handle(
    {route, handler, ...mounted}: QueryRoute,
    {plugin, method, path, parameters}: AskedQuestion,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<readonly [Reply, Uint8Array]> {
    const isForm = method === 'POST';
    const [queryString, form] = isForm ? ['', parameters] : [parameters, ''];
    const {queryTimeout: milliseconds} = this.#generation.config.limits;
    return within(
      'the query',
      {milliseconds, option: 'limits.queryTimeout'},
      async inner => {
        const reply = await handler({
          method,
          target: queryString === '' ? path : `${path}?${queryString}`,
          path: partsOf({route, handler, ...mounted}, path) ?? {},
          parameters: parameterReader(route)(queryString, form),
          queryString,
          headers: isForm ? {...headers, 'content-type': 'application/x-www-form-urlencoded'} : headers,
          body: new Uint8Array(),
          writeTimeout: 0,
          signal: inner,
          log: this.#loggerOf(plugin),
          heavySlot: async () => undefined,
        });
        return [reply, await bytesOf(reply.body)] as const;
      },
      signal,
    );
  }
}

const mountOf = ({id, definition: {right, renderError}}: PluginConfig): Mount => ({
  id,
  prefix: '/',
  right,
  renderError,
});

async function bytesOf(body: Reply['body']): Promise<Uint8Array> {
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return body;
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
  return Buffer.concat(pieces);
}
