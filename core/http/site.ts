import type {IncomingMessage, ServerResponse} from 'node:http';
import Fastify, {type FastifyInstance} from 'fastify';
import type {Caller} from '../api/access.js';
import {GatewayError} from '../api/errors.js';
import type {Reply, Route} from '../api/http.js';
import type {Limits, ListenerConfig} from '../config/gateway-config.js';
import {Usage} from '../host/usage.js';
import {type AccessLog, accessLogOf} from './access-log.js';
import {thresholdOf} from './encoding.js';
import {Exchange} from './exchange.js';
import {type Door, Guard, type Passage, Refusal} from './guard.js';
import {headProblem} from './head-problem.js';
import {
  cleanPath,
  collectRoutes,
  isQuery,
  type Mount,
  type MountedRoute,
  needOf,
  ownerOf,
  partsOf,
  routerPath,
} from './mount.js';
import {parameterReader} from './parameters.js';
import {renderError, renderPlainError} from './render-error.js';
import {RouteMetrics} from './request-metrics.js';
import type {RouteContext} from './route-context.js';
import {pathOf, send} from './send.js';
import type {HttpServices} from './services.js';

/** The owner of paths that no mount owns. */
const NOBODY: Mount = {id: 'gateway', prefix: '/', renderError: renderPlainError};

/** Of answers that nothing but the site makes. */
const NO_USAGE = new Usage();

const noSchemas = (): never => {
  throw new Error('the routes of a site have no schemas');
};

/** In place of the library's compilers of schemas, which take as long to load as all the rest of it. */
const NO_SCHEMAS = {compilersFactory: {buildValidator: noSchemas, buildSerializer: noSchemas}};

/** What one listener serves: its mounts, and an answer for every other path. It never changes; another takes its place. */
export class Site {
  readonly #config: ListenerConfig;
  readonly #limits: Limits;
  readonly #services: HttpServices;
  readonly #guard: Guard;
  readonly #router: FastifyInstance;
  readonly #accessLog: AccessLog | undefined;
  readonly #mounts = new Map<Mount, readonly MountedRoute[]>();
  readonly #contexts = new Map<MountedRoute, RouteContext>();
  readonly #refusals = new Map<Mount, RouteMetrics>();

  constructor(mounts: readonly Mount[], config: ListenerConfig, limits: Limits, services: HttpServices) {
    this.#config = config;
    this.#limits = limits;
    this.#services = services;
    this.#accessLog = accessLogOf(config, services);
    this.#guard = new Guard(config, services.access, services.meterOf('gateway'));
    // Of the library only its router: its own server takes no connections.
    this.#router = Fastify({
      logger: false,
      schemaController: NO_SCHEMAS,
      routerOptions: {
        maxParamLength: limits.headerBytes,
        // Parameters are read by our own code, when a handler asks for them.
        querystringParser: () => ({}),
      },
      frameworkErrors: (_error, request, reply) => {
        reply.hijack();
        const problem = new GatewayError('bad_request', 'the path holds a percent sign that begins no UTF-8 escape');
        this.#refuse(request.raw, reply.raw, problem);
      },
    });
    // Bodies are read by our own code too, on every method alike.
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      this.#router.addHttpMethod(method, {hasBody: false, overrideExisting: true});
    }
    this.#router.setNotFoundHandler((request, reply) => {
      reply.hijack();
      this.#refuseUnknown(request.raw, reply.raw);
    });
    for (const mount of mounts) this.#mount(mount);
  }

  /** To be awaited before it serves. */
  async ready(): Promise<void> {
    await this.#router.ready();
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    this.#router.routing(request, response);
  }

  refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
    const message = `found "Expect: ${request.headers.expect}", expected 100-continue or none`;
    this.#refuse(request, response, new GatewayError('bad_request', message), reply => ({...reply, status: 417}));
  }

  #mount(mount: Mount): void {
    const routes = collectRoutes(mount);
    this.#mounts.set(mount, routes);
    const scope = async (app: FastifyInstance): Promise<void> => {
      for (const mounted of routes) {
        const context = this.#contextOf(mount, mounted);
        this.#contexts.set(mounted, context);
        const url = routerPath(mounted.route.path);
        const isWhole = url === mounted.route.path;
        app.route({
          method: [...mounted.route.methods],
          url,
          handler: (request, reply) => {
            reply.hijack();
            if (this.#refuseHead(request.raw, reply.raw)) return;
            const path = isWhole ? (request.params as Record<string, string>) : partsOf(mounted, pathOf(request.raw));
            if (path === undefined) this.#refuseUnknown(request.raw, reply.raw);
            else this.#enter(context, request.raw, reply.raw, path);
          },
        });
      }
    };
    this.#router.register(scope, {prefix: mount.prefix === '/' ? '' : mount.prefix});
  }

  #contextOf(mount: Mount, {route, handler}: MountedRoute): RouteContext {
    const services = this.#services;
    const body = route.body ?? 'form';
    const key = body === 'form' ? 'formBody' : 'ingestBody';
    return {
      mount,
      handler,
      door: doorOf(mount, route),
      usage: mount.usage ?? NO_USAGE,
      body,
      bodyLimit: {key, bytes: this.#limits[key]},
      work: route.work ?? 'query',
      kept: route.kept,
      readParameters: parameterReader(route),
      writeTimeout: this.#config.writeTimeout,
      services,
      log: services.loggerOf(mount.id),
      metrics: new RouteMetrics(services.meterOf(mount.id), route.path),
      accessLog: this.#accessLog,
      recorder: isQuery(mount, route) ? services.recorder : undefined,
      compression: thresholdOf(this.#config.compression),
    };
  }

  /** Refuses what is wrong on every path, and ends its connection: what follows may be no request. */
  #refuseHead(request: IncomingMessage, response: ServerResponse): boolean {
    const problem = headProblem(request);
    if (problem === undefined) return false;
    const {status, message} = problem;
    const change = (reply: Reply): Reply => ({...reply, status});
    this.#refuse(request, response, new GatewayError('bad_request', message), change, true);
    return true;
  }

  /** A request for a route, from the guard on. */
  #enter(context: RouteContext, request: IncomingMessage, response: ServerResponse, path: Exchange['path']): void {
    const go = (caller: Caller | undefined): void => new Exchange(context, request, response, path, caller).run();
    this.#pass(request, response, context.door, go, context.usage);
  }

  /** Goes on with those whom the guard lets pass, in this very turn unless a password has to be checked. */
  #pass(
    request: IncomingMessage,
    response: ServerResponse,
    door: Door,
    go: (caller: Caller | undefined) => void,
    usage = NO_USAGE,
  ): void {
    const settle = (passage: Passage): void => {
      if (passage instanceof Refusal) this.#refuse(request, response, passage.error, passage.change);
      else if ('reply' in passage)
        this.#answer(
          request,
          response,
          this.#ownerOf(pathOf(request)),
          passage.reply,
          this.#services.ending.has(request.socket),
        );
      else go(passage.caller);
    };
    const passage = this.#guard.judge(request, response, door);
    if (!(passage instanceof Promise)) {
      settle(passage);
      return;
    }
    // What answers must not end meanwhile.
    usage.enter();
    void passage.then(settled => {
      settle(settled);
      usage.leave();
    });
  }

  #refuseUnknown(request: IncomingMessage, response: ServerResponse): void {
    if (this.#refuseHead(request, response)) return;
    const path = pathOf(request);
    const clean = cleanPath(path);
    const owner = this.#ownerOf(clean);
    const routes = (this.#mounts.get(owner) ?? []).filter(({pattern}) => pattern.test(clean));
    const context = clean === path ? undefined : this.#contextAt(request, routes);
    // A path without parts of its own has none to decode.
    if (context !== undefined) this.#enter(context.context, request, response, partsOf(context.mounted, clean) ?? {});
    else this.#pass(request, response, doorOf(owner), () => this.#explain(request, response, owner, routes));
  }

  /** The route of a path that is known but for its slashes. A redirection is not followed by every sender. */
  #contextAt(request: IncomingMessage, routes: readonly MountedRoute[]) {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const mounted = routes.find(({route}) => route.methods.some(one => one === method));
    const context = mounted && this.#contexts.get(mounted);
    return mounted && context && {mounted, context};
  }

  /** Why there is no answer. `routes` are those of other methods. */
  #explain(request: IncomingMessage, response: ServerResponse, owner: Mount, routes: readonly MountedRoute[]): void {
    const path = pathOf(request);
    const methods = routes.flatMap(({route}) => route.methods);
    if (owner.refusal !== undefined || methods.length === 0) {
      this.#refuse(request, response, owner.refusal ?? new GatewayError('not_found', `no such path: ${path}`));
      return;
    }
    const allow = [...new Set(methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].join(', ');
    const error = new GatewayError('bad_request', `${request.method} is not allowed on ${path}; expected ${allow}`);
    this.#refuse(request, response, error, reply => ({...reply, status: 405, headers: {...reply.headers, allow}}));
  }

  #ownerOf(path: string): Mount {
    return ownerOf([...this.#mounts.keys()], path) ?? NOBODY;
  }

  #refuse(
    request: IncomingMessage,
    response: ServerResponse,
    error: GatewayError,
    change = (reply: Reply) => reply,
    close = this.#services.ending.has(request.socket),
  ): void {
    const owner = this.#ownerOf(cleanPath(pathOf(request)));
    this.#answer(request, response, owner, change(renderError(owner, error, request)), close);
  }

  /** Sends what no handler has made. */
  #answer(request: IncomingMessage, response: ServerResponse, owner: Mount, reply: Reply, close: boolean): void {
    let metrics = this.#refusals.get(owner);
    if (metrics === undefined) {
      metrics = new RouteMetrics(this.#services.meterOf(owner.id), '(none)');
      this.#refusals.set(owner, metrics);
    }
    metrics.observe(reply.status, 0);
    const logged = {request, response, plugin: owner.id, begun: performance.now()};
    send(response, this.#accessLog?.answer(logged, reply) ?? reply, close);
  }
}

/** What the guard stands before: a route of a mount, or every other path under its prefix. */
function doorOf(mount: Mount, route?: Route): Door {
  if (mount === NOBODY) return {need: 'known', isQuery: true};
  const need = needOf(mount, route);
  return {need, isQuery: route === undefined || (need === 'read' && route.work !== 'write')};
}
