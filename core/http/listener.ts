import type {IncomingMessage, ServerResponse} from 'node:http';
import type {AddressInfo, Socket} from 'node:net';
import type {Duplex} from 'node:stream';
import Fastify, {type FastifyInstance} from 'fastify';
import {GatewayError} from '../api/errors.js';
import type {Reply} from '../api/http.js';
import type {ListenerConfig} from '../config/gateway-config.js';
import {ClientErrors, refuseConnect} from './client-error.js';
import {thresholdOf} from './encoding.js';
import {Exchange, type RouteContext} from './exchange.js';
import {headProblem} from './head-problem.js';
import {cleanPath, collectRoutes, type Mount, type MountedRoute, ownerOf, partsOf, routerPath} from './mount.js';
import {parameterReader} from './parameters.js';
import {renderError, renderPlainError} from './render-error.js';
import {RouteMetrics} from './request-metrics.js';
import {isAnswering, pathOf, send} from './send.js';
import type {HttpServices} from './services.js';

const HEADERS_TIMEOUT = 15_000;
/** How often the server looks for requests that are late. */
const CHECK_INTERVAL = 1000;
/** The system cuts a backlog to its own maximum. */
const MAXIMUM_BACKLOG = 2 ** 31 - 1;

/** The owner of paths that no mount owns. */
const NOBODY: Mount = {id: 'gateway', prefix: '/', renderError: renderPlainError};

/** An address cannot be opened: a matter of the configuration or the machine, not a defect. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  /** What is wrong with the address, without the listener: a program of one listener names the flag instead. */
  readonly problem: string;

  constructor(listener: string, problem: string, options: ErrorOptions) {
    super(`the listener "${listener}" ${problem}`, options);
    this.problem = problem;
  }
}

/** One address, and the plugins that are mounted there. */
export class Listener {
  readonly #config: ListenerConfig;
  readonly #services: HttpServices;
  readonly #app: FastifyInstance;
  readonly #mounts = new Map<Mount, readonly MountedRoute[]>();
  /** Those that are open. */
  readonly #connections = new Set<Socket>();
  readonly #contexts = new Map<MountedRoute, RouteContext>();
  readonly #refusals = new Map<Mount, RouteMetrics>();
  #accepted = 0;
  #closing = false;

  constructor(config: ListenerConfig, services: HttpServices) {
    this.#config = config;
    this.#services = services;
    const {readTimeout} = config;
    const headersTimeout = readTimeout === 0 ? HEADERS_TIMEOUT : Math.min(HEADERS_TIMEOUT, readTimeout);
    const errors = new ClientErrors(services, {headers: headersTimeout / 1000, all: readTimeout / 1000});
    this.#app = Fastify({
      logger: false,
      keepAliveTimeout: config.idleTimeout,
      requestTimeout: readTimeout,
      return503OnClosing: false,
      http: {
        maxHeaderSize: services.limits.headerBytes,
        headersTimeout,
        connectionsCheckingInterval: CHECK_INTERVAL,
        // The server's own refusal has no body.
        requireHostHeader: false,
      },
      routerOptions: {
        maxParamLength: services.limits.headerBytes,
        // Parameters are read by our own code, when a handler asks for them.
        querystringParser: () => ({}),
      },
      clientErrorHandler: (error, socket) => errors.refuse(error, socket),
      frameworkErrors: (_error, request, reply) => {
        reply.hijack();
        const problem = new GatewayError('bad_request', 'the path holds a percent sign that begins no UTF-8 escape');
        this.#refuse(request.raw, reply.raw, problem);
      },
    });
    const {server} = this.#app;
    server.on('request', (request: IncomingMessage) => errors.note(request));
    server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      const problem = new GatewayError(
        'bad_request',
        `found "Expect: ${request.headers.expect}", expected 100-continue or none`,
      );
      this.#refuse(request, response, problem, reply => ({...reply, status: 417}));
    });
    // The invitation waits until the body is wanted: a refusal spares the client to send it.
    server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      server.emit('request', request, response);
    });
    server.on('connect', (_request: IncomingMessage, socket: Duplex) => refuseConnect(socket));
    // Bodies are read by our own code too, on every method alike.
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      this.#app.addHttpMethod(method, {hasBody: false, overrideExisting: true});
    }
    this.#app.setNotFoundHandler((request, reply) => {
      reply.hijack();
      this.#refuseUnknown(request.raw, reply.raw);
    });
    server.setTimeout(config.idleTimeout, socket => this.#endIdle(socket));
    server.on('connection', (socket: Socket) => {
      this.#accepted++;
      this.#connections.add(socket.once('close', () => this.#connections.delete(socket)));
    });
  }

  get name(): string {
    return this.#config.name;
  }

  /** Adds a mount; before `listen`. */
  mount(mount: Mount): void {
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
    this.#app.register(scope, {prefix: mount.prefix === '/' ? '' : mount.prefix});
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
      compression: thresholdOf(this.#config.compression),
      isClosing: () => this.#closing,
    };
  }

  /** Opens the address and gives its URL, with the real port. */
  async listen(): Promise<string> {
    const {name, host, port, acceptQueueSize} = this.#config;
    try {
      // The library would bind "localhost" twice, to two ports when any free one is asked for.
      await this.#app.listen({
        host: host === 'localhost' ? '127.0.0.1' : host,
        port,
        backlog: acceptQueueSize === 0 ? MAXIMUM_BACKLOG : acceptQueueSize,
      });
    } catch (error) {
      const {code, message} = error as NodeJS.ErrnoException;
      const why = LISTEN_ERRORS[code ?? ''] ?? message;
      throw new ListenError(name, `cannot open ${host}:${port}: ${why}`, {cause: error});
    }
    const address = this.#app.server.address() as AddressInfo;
    return `http://${reachable(host)}:${address.port}`;
  }

  /** How many connections have come so far. */
  get accepted(): number {
    return this.#accepted;
  }

  /** From now on each answer ends its connection. May be called again. */
  endConnections(): void {
    this.#closing = true;
  }

  /** Accepts no more connections and ends once every request in progress is answered. */
  async drain(): Promise<void> {
    this.endConnections();
    const closed = this.#app.close();
    for (const socket of this.#connections) if (socket.bytesRead === 0) socket.destroy();
    await closed;
  }

  /** Ends every connection at once. */
  cut(): void {
    this.#app.server.closeAllConnections();
  }

  /**
   * Ends a connection on which nothing has happened for long, unless its request is being worked on, is answered in this
   * very turn by a deadline that is as far away, or has come meanwhile and was not read yet.
   */
  #endIdle(socket: Socket): void {
    const isBusy = (): boolean => this.#services.inFlight.on(socket) !== undefined || isAnswering(socket);
    if (isBusy()) return;
    const {bytesRead} = socket;
    setImmediate(() => {
      if (socket.bytesRead === bytesRead && !isBusy()) socket.destroy();
    });
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
    if (clean !== path && this.#serve(request, response, clean, routes)) return;
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
  #serve(request: IncomingMessage, response: ServerResponse, path: string, routes: readonly MountedRoute[]): boolean {
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
    close = this.#closing,
  ): void {
    const owner = ownerOf([...this.#mounts.keys()], cleanPath(pathOf(request))) ?? NOBODY;
    const reply = change(renderError(owner, error));
    let metrics = this.#refusals.get(owner);
    if (metrics === undefined) {
      metrics = new RouteMetrics(this.#services.meterOf(owner.id), '(none)');
      this.#refusals.set(owner, metrics);
    }
    metrics.observe(reply.status, 0);
    send(response, reply, close);
  }
}

const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process or listener has that address (EADDRINUSE); choose another port, or 0 for any free one',
  EACCES: 'this user may not use that port (EACCES); choose one above 1023',
  EADDRNOTAVAIL: 'this machine has no such address (EADDRNOTAVAIL)',
  ENOTFOUND: 'no address is known by that host name (ENOTFOUND)',
};

/** The host of a URL by which this machine reaches the listener. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
