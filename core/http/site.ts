import type {IncomingMessage, ServerResponse} from 'node:http';
import Fastify, {type FastifyInstance} from 'fastify';
import {GatewayError} from '../api/errors.js';
import type {Reply} from '../api/http.js';
import type {ListenerConfig} from '../config/gateway-config.js';
import {type AccessLog, accessLogOf} from './access-log.js';
import {thresholdOf} from './encoding.js';
import {Exchange, type RouteContext} from './exchange.js';
import {headProblem} from './head-problem.js';
import {cleanPath, collectRoutes, type Mount, type MountedRoute, ownerOf, partsOf, routerPath} from './mount.js';
import {parameterReader} from './parameters.js';
import {renderError, renderPlainError} from './render-error.js';
import {RouteMetrics} from './request-metrics.js';
import {pathOf, send} from './send.js';
import type {HttpServices} from './services.js';

/** The owner of paths that no mount owns. */
const NOBODY: Mount = {id: 'gateway', prefix: '/', renderError: renderPlainError};

/** What of a listener its routes need. */
export type SiteConfig = Pick<ListenerConfig, 'name' | 'writeTimeout' | 'compression' | 'accessLog'>;

/** What one listener serves: its mounts, and an answer for every other path. It never changes; another takes its place. */
export class Site {
  readonly #config: SiteConfig;
  readonly #services: HttpServices;
  readonly #router: FastifyInstance;
  readonly #accessLog: AccessLog | undefined;
  readonly #mounts = new Map<Mount, readonly MountedRoute[]>();
  readonly #contexts = new Map<MountedRoute, RouteContext>();
  readonly #refusals = new Map<Mount, RouteMetrics>();

  constructor(mounts: readonly Mount[], config: SiteConfig, services: HttpServices) {
    this.#config = config;
    this.#services = services;
    this.#accessLog = accessLogOf(config, services);
    // Of the library only its router: its own server takes no connections.
    this.#router = Fastify({
      logger: false,
      routerOptions: {
        maxParamLength: services.limits.headerBytes,
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
            else new Exchange(context, request.raw, reply.raw, path).run();
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
      body,
      bodyLimit: {key, bytes: services.limits[key]},
      work: route.work ?? 'query',
      readParameters: parameterReader(route),
      writeTimeout: this.#config.writeTimeout,
      services,
      log: services.loggerOf(mount.id),
      metrics: new RouteMetrics(services.meterOf(mount.id), route.path),
      accessLog: this.#accessLog,
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

  #refuseUnknown(request: IncomingMessage, response: ServerResponse): void {
    if (this.#refuseHead(request, response)) return;
    const path = pathOf(request);
    const clean = cleanPath(path);
    const owner = ownerOf([...this.#mounts.keys()], clean) ?? NOBODY;
    if (owner.refusal !== undefined) {
      this.#refuse(request, response, owner.refusal);
      return;
    }
    const routes = (this.#mounts.get(owner) ?? []).filter(({pattern}) => pattern.test(clean));
    if (clean !== path && this.#serveClean(request, response, clean, routes)) return;
    const methods = routes.flatMap(({route}) => route.methods);
    if (methods.length === 0) {
      this.#refuse(request, response, new GatewayError('not_found', `no such path: ${path}`));
      return;
    }
    const allow = [...new Set(methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].join(', ');
    const error = new GatewayError('bad_request', `${request.method} is not allowed on ${path}; expected ${allow}`);
    this.#refuse(request, response, error, reply => ({...reply, status: 405, headers: {...reply.headers, allow}}));
  }

  /** Serves a path that is known but for its slashes. A redirection is not followed by every sender. */
  #serveClean(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    routes: readonly MountedRoute[],
  ): boolean {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const mounted = routes.find(({route}) => route.methods.some(one => one === method));
    const context = mounted && this.#contexts.get(mounted);
    if (mounted === undefined || context === undefined) return false;
    // A path without parts of its own has none to decode.
    new Exchange(context, request, response, partsOf(mounted, path) ?? {}).run();
    return true;
  }

  #refuse(
    request: IncomingMessage,
    response: ServerResponse,
    error: GatewayError,
    change = (reply: Reply) => reply,
    close = this.#services.ending.has(request.socket),
  ): void {
    const owner = ownerOf([...this.#mounts.keys()], cleanPath(pathOf(request))) ?? NOBODY;
    const reply = change(renderError(owner, error, request));
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
