import {createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse} from 'node:http';
import {createServer as createSecureServer} from 'node:https';
import type {Socket} from 'node:net';
import type {Duplex} from 'node:stream';
import {TLSSocket} from 'node:tls';
import {tlsPath} from '../config/credential-files.js';
import type {Limits, ListenerConfig} from '../config/gateway-config.js';
import {Usage} from '../host/usage.js';
import {WatchedServerTls} from '../toolkit/tls/server-tls.js';
import {accessLogOf} from './access-log.js';
import {ClientErrors, refuseConnect} from './client-error.js';
import {isAnswering} from './send.js';
import type {HttpServices} from './services.js';
import type {Site} from './site.js';

const HEADERS_TIMEOUT = 15_000;
/** How often the server looks for requests that are late. */
const CHECK_INTERVAL = 1000;

/**
 * Reads requests from connections, in the time that the listener gives them, and has each answered by the site of that
 * moment. It opens no address: a port hands the connections over.
 */
export class HttpServer {
  readonly #services: HttpServices;
  readonly #server: Server;
  readonly #tls: WatchedServerTls | undefined;
  /** Those that are open. */
  readonly #connections = new Set<Socket>();
  readonly #usage = new Usage();
  #isEnding = false;
  /** What answers. */
  site: Site;

  /** Throws a `GatewayError` where TLS is asked for and its files cannot be used. */
  constructor(site: Site, config: ListenerConfig, limits: Limits, services: HttpServices) {
    const {name, idleTimeout, readTimeout, tls} = config;
    this.site = site;
    this.#services = services;
    const headersTimeout = readTimeout === 0 ? HEADERS_TIMEOUT : Math.min(HEADERS_TIMEOUT, readTimeout);
    const timeouts = {headers: headersTimeout / 1000, all: readTimeout / 1000};
    const errors = new ClientErrors(services, timeouts, accessLogOf(config, services));
    const options = {
      maxHeaderSize: limits.headerBytes,
      headersTimeout,
      requestTimeout: readTimeout,
      keepAliveTimeout: idleTimeout,
      connectionsCheckingInterval: CHECK_INTERVAL,
      // The server's own refusal has no body.
      requireHostHeader: false,
    };
    const telemetry = {log: services.loggerOf('gateway'), meter: services.meterOf('gateway')};
    this.#tls = tls && new WatchedServerTls(tls, {socket: name, key: tlsPath(name), ...telemetry});
    const server = this.#tls === undefined ? createServer(options) : this.#createSecure(this.#tls, options);
    this.#server = server;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      errors.note(request);
      this.site.serve(request, response);
    });
    server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
      this.site.refuseExpectation(request, response),
    );
    // The invitation waits until the body is wanted: a refusal spares the client to send it.
    server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      server.emit('request', request, response);
    });
    server.on('connect', (_request: IncomingMessage, socket: Duplex) => refuseConnect(socket));
    server.on('clientError', (error, socket) => errors.refuse(error, socket));
    server.setTimeout(idleTimeout, socket => this.#endIdle(socket));
    server.on('connection', (socket: Socket) => this.#note(socket));
    // Begins to look for requests that are late, which else the opening of an address does.
    server.emit('listening');
  }

  take(socket: Socket): void {
    this.#server.emit('connection', socket);
  }

  /** Has so many connections end, each with its next answer: whoever comes again may find somebody who has less to do. */
  shed(count: number): void {
    const {ending} = this.#services;
    let left = count;
    for (const socket of this.#connections) {
      // Over TLS, what is below the connection that speaks HTTP is here too.
      const speaks = this.#tls === undefined || socket instanceof TLSSocket;
      if (!speaks || ending.has(socket)) continue;
      if (left-- === 0) return;
      ending.add(socket);
    }
  }

  /** From now on each answer ends its connection. May be called again. */
  endConnections(): void {
    this.#isEnding = true;
    for (const socket of this.#connections) this.#services.ending.add(socket);
  }

  get isEmpty(): boolean {
    return this.#connections.size === 0;
  }

  /** Resolves when no connection is open. */
  async empty(): Promise<void> {
    await this.#usage.idle();
  }

  /** Ends the connections that no request is on, and each other one with its answer. Resolves when all have ended. */
  async close(): Promise<void> {
    this.endConnections();
    this.#tls?.close();
    this.#server.close();
    for (const socket of this.#connections) if (socket.bytesRead === 0) socket.destroy();
    await this.empty();
  }

  /** Ends every connection at once. */
  cut(): void {
    // Those too whose handshake is not over, of which the server knows nothing.
    for (const socket of this.#connections) socket.destroy();
  }

  #createSecure(tls: WatchedServerTls, options: ServerOptions): Server {
    const server = createSecureServer({...options, ...tls.options});
    // What speaks HTTP, over the connection that has come.
    server.on('secureConnection', socket => this.#note(socket));
    server.on('tlsClientError', error =>
      this.#services.loggerOf('gateway').debug('a handshake has failed', {err: error}),
    );
    tls.onChange(context => {
      server.setSecureContext(context);
      // What they have shown is judged by the authorities of before.
      if (tls.asksClients) for (const socket of this.#connections) this.#services.ending.add(socket);
    });
    return server;
  }

  #note(socket: Socket): void {
    this.#connections.add(socket);
    this.#usage.enter();
    socket.once('close', () => {
      this.#connections.delete(socket);
      this.#usage.leave();
    });
    if (this.#isEnding) this.#services.ending.add(socket);
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
}
