import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import type {Caller} from '../api/access.js';
import {type ErrorCode, GatewayError} from '../api/errors.js';
import type {HttpRequest, Parameters, Reply} from '../api/http.js';
import type {Logger} from '../api/telemetry.js';
import type {Usage} from '../host/usage.js';
import type {AdmissionLimiter, Waiter} from './admission.js';
import {type BodyAccount, hasBody, readBody, textOf} from './body.js';
import {encode} from './encoding.js';
import type {Pending} from './in-flight.js';
import {renderError} from './render-error.js';
import {RequestLog} from './request-log.js';
import type {RouteContext} from './route-context.js';
import {isWhole, lengthOf, pathOf, send} from './send.js';
import {tooManyQueries} from './services.js';

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const EMPTY = new Uint8Array(0);

/** Refusals by a 5xx that are no failure: clients probe for the one, and the other is counted. */
const EXPECTED: readonly ErrorCode[] = ['unsupported_backend', 'overloaded'];

/**
 * One request on its way to its answer. What a request may not need (signal, log, parameters, deadline) is made when it
 * is asked for, because most requests are answered from memory in a few microseconds.
 */
export class Exchange implements HttpRequest, Pending, Waiter {
  readonly path: Readonly<Record<string, string>>;
  readonly caller: Caller | undefined;
  deadline = 0;
  readonly #context: RouteContext;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #begun = performance.now();
  #account: BodyAccount | undefined;
  #body: Uint8Array = EMPTY;
  #form = '';
  #parameters: Parameters | undefined;
  #controller: AbortController | undefined;
  /** Why the request has ended before its handler did. */
  #reason: GatewayError | undefined;
  #log: Logger | undefined;
  #answered = false;
  #isReading = false;
  /** Whether the connection cannot go on after the answer. */
  #isLast = false;
  /** Where it has a place to give back. */
  #place: AdmissionLimiter | undefined;
  /** Whether it counts as one that is being worked on. */
  #isCounted = false;

  constructor(
    context: RouteContext,
    request: IncomingMessage,
    response: ServerResponse,
    path: Readonly<Record<string, string>>,
    caller: Caller | undefined,
  ) {
    this.#context = context;
    this.#request = request;
    this.#response = response;
    this.path = path;
    this.caller = caller;
  }

  get method(): string {
    return this.#request.method ?? '';
  }

  get target(): string {
    return this.#request.url ?? '';
  }

  get headers(): HttpRequest['headers'] {
    return this.#request.headers;
  }

  get queryString(): string {
    const url = this.#request.url ?? '';
    const mark = url.indexOf('?');
    return mark < 0 ? '' : url.slice(mark + 1);
  }

  get body(): Uint8Array {
    return this.#body;
  }

  get writeTimeout(): number {
    return this.#context.writeTimeout;
  }

  get parameters(): Parameters {
    this.#parameters ??= this.#context.readParameters(this.queryString, this.#form);
    return this.#parameters;
  }

  get log(): Logger {
    this.#log ??= new RequestLog(this.#context.log, {method: this.method, path: pathOf(this.#request)});
    return this.#log;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
      else if (this.#response.destroyed) this.#disconnected();
      else this.#response.once('close', () => this.#disconnected());
    }
    return this.#controller.signal;
  }

  get socket(): Socket {
    return this.#request.socket;
  }

  /** Of what answers it. */
  get usage(): Usage {
    return this.#context.usage;
  }

  /** Whether its body is on the way. */
  get isReading(): boolean {
    return this.#isReading;
  }

  /** From the moment at which this is called the request counts as heavy, and waits where only heavy ones do. */
  async heavySlot(): Promise<void> {
    const {heavyAdmission} = this.#context.services;
    if (this.#place === heavyAdmission) return;
    this.#leave();
    const {signal} = this;
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const own = {admit: resolve};
      const state = heavyAdmission.enter(own);
      if (state === 'in') resolve();
      else if (state === 'full') reject(this.#tooMany());
      else signal.addEventListener('abort', () => heavyAdmission.forget(own) && reject(signal.reason), {once: true});
    });
    this.#place = heavyAdmission;
    signal.throwIfAborted();
  }

  /** Calls back when the answer has left, or cannot any more. */
  whenAnswered(done: () => void): void {
    if (this.#response.closed) done();
    else this.#response.once('close', done);
  }

  run(): void {
    this.#isCounted = true;
    this.usage.enter();
    if (this.#context.writeTimeout > 0) this.#bound(this.#context.writeTimeout);
    if (hasBody(this.#request) && this.#wantsBody()) void this.#readBody();
    else this.#begin();
  }

  /** Ends the request with an error, whatever its handler still does; with a status of its own the connection too. */
  abort(error: GatewayError, status?: number): void {
    if (this.#answered) return;
    this.#reason = error;
    this.#isLast = status !== undefined;
    this.#controller?.abort(error);
    const rendered = this.#render(error);
    const reply = status === undefined ? rendered : {...rendered, status};
    // To a client that has gone nothing is answered.
    this.#answer(error.code === 'cancelled' ? reply : this.#recorded(reply));
    if (this.#context.services.admission.forget(this)) this.#release();
  }

  /** Has its place now, after waiting for it. */
  admit(): void {
    const {admission, inFlight} = this.#context.services;
    this.#place = admission;
    inFlight.delete(this);
    if (this.socket.destroyed) this.#disconnected();
    if (this.#answered) this.#release();
    else this.#invoke();
  }

  /** Ends the request when its answer has not left in time. */
  #bound(milliseconds: number): void {
    const timer = setTimeout(() => {
      if (this.#answered) this.socket.destroy();
      else this.abort(new GatewayError('timeout', `no answer within writeTimeout, ${milliseconds / 1000} s`));
    }, milliseconds);
    this.#response.once('close', () => clearTimeout(timer));
  }

  #wantsBody(): boolean {
    return this.#context.body === 'bytes' || FORM.test(this.#request.headers['content-type'] ?? '');
  }

  async #readBody(): Promise<void> {
    const {body: kind, bodyLimit, services} = this.#context;
    this.#account = services.bodies.open();
    services.inFlight.add(this, 'light');
    this.#isReading = true;
    try {
      const body = await readBody(this.#request, bodyLimit, this.#account, this.#invite);
      services.inFlight.delete(this);
      if (kind === 'bytes') this.#body = body;
      else this.#form = textOf(body);
    } catch (error) {
      this.#fail(error);
      return;
    } finally {
      this.#isReading = false;
    }
    if (this.#answered) this.#release();
    else this.#queue();
  }

  /** Answers `Expect: 100-continue`; the server has refused every other expectation. */
  readonly #invite = (): void => {
    const {headers, httpVersionMinor} = this.#request;
    if (headers.expect !== undefined && httpVersionMinor === 1) this.#response.writeContinue();
  };

  /** A request without a form may be answered by what its route has kept. */
  #begin(): void {
    let kept: Reply | undefined;
    try {
      kept = this.#context.kept?.(this.target);
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (kept === undefined) this.#queue();
    else this.#finish(kept);
  }

  #queue(): void {
    const {work, services} = this.#context;
    const state = work === 'light' ? 'free' : services.admission.enter(this);
    if (state === 'free') {
      this.#invoke();
    } else if (state === 'in') {
      this.#place = services.admission;
      this.#invoke();
    } else if (state === 'waits') {
      services.inFlight.add(this, work);
      // Whoever leaves while waiting takes no place from others: the signal hears of it.
      void this.signal;
    } else {
      this.#fail(this.#tooMany());
    }
  }

  #tooMany(): GatewayError {
    return new GatewayError('overloaded', tooManyQueries(this.#context.services));
  }

  #invoke(): void {
    const {handler, work, services} = this.#context;
    try {
      const result = handler(this);
      if (!(result instanceof Promise)) {
        this.#finish(result);
        return;
      }
      services.inFlight.add(this, work);
      result.then(
        reply => this.#finish(reply),
        (error: unknown) => this.#fail(error),
      );
    } catch (error) {
      this.#fail(error);
    }
  }

  #finish(reply: Reply): void {
    const {compression, services} = this.#context;
    const encoded = encode(this.#recorded(reply), this.#request, compression);
    if (!(encoded instanceof Promise)) {
      this.#answer(encoded);
      this.#release();
      return;
    }
    if (!services.inFlight.has(this)) services.inFlight.add(this, 'light');
    encoded.then(
      whole => {
        this.#answer(whole);
        this.#release();
      },
      (error: unknown) => this.#fail(error),
    );
  }

  #fail(error: unknown): void {
    if (!this.#answered) this.#answer(this.#recorded(this.#render(GatewayError.from(error))));
    this.#release();
  }

  /** Also called after an answer has left, when there is nothing to end: then no error is made, which is what costs. */
  #disconnected(): void {
    if (!this.#answered) this.abort(new GatewayError('cancelled', 'client disconnected'));
  }

  /** The work has ended: gives back what it held. */
  #release(): void {
    const {services} = this.#context;
    services.inFlight.delete(this);
    this.#account?.release();
    this.#leave();
    if (!this.#isCounted) return;
    this.#isCounted = false;
    this.usage.leave();
  }

  #leave(): void {
    this.#place?.leave();
    this.#place = undefined;
  }

  #render(error: GatewayError): Reply {
    const {mount} = this.#context;
    let reply: Reply;
    try {
      reply = renderError(mount, error, this);
    } catch (cause) {
      this.log.error('the error cannot be rendered', {err: cause});
      reply = {status: 500, body: '{"error":"internal error"}'};
    }
    if (reply.status >= 500 && !EXPECTED.includes(error.code)) {
      this.log.error('the request failed', {code: error.code, status: reply.status, err: error});
    } else {
      this.log.debug('the request was refused', {code: error.code, status: reply.status, error: error.message});
    }
    return reply;
  }

  /** The reply, or a refusal where there is no memory for it beside the answers that other clients are slow to take. */
  #fit(reply: Reply): Reply {
    if (this.#context.services.answers.hold(lengthOf(reply.body), this.#response)) return reply;
    const full = 'the gateway holds as many answers as it has memory for; try again';
    return this.#render(new GatewayError('overloaded', full));
  }

  /** The reply, with its line in the access log. */
  #noted(reply: Reply): Reply {
    const {accessLog, mount} = this.#context;
    if (accessLog === undefined) return reply;
    const [request, response, begun, form] = [this.#request, this.#response, this.#begun, this.#form];
    return accessLog.answer({request, response, plugin: mount.id, begun, form, caller: this.caller?.name}, reply);
  }

  /** The pieces of its answer are still to be made, whatever its handler has done. */
  #stream(): void {
    this.usage.enter();
    this.whenAnswered(() => this.usage.leave());
  }

  /** The reply, not compressed yet, with its line in the record of queries. */
  #recorded(reply: Reply): Reply {
    const {recorder, mount} = this.#context;
    if (recorder === undefined || this.#answered) return reply;
    return recorder.answer({request: this.#request, plugin: mount.id, begun: this.#begun, form: this.#form}, reply);
  }

  readonly #brokeOff = (error: unknown): void => {
    this.log.error('the answer broke off', {err: error});
  };

  #answer(reply: Reply): void {
    if (this.#answered) return;
    this.#answered = true;
    const {metrics, services} = this.#context;
    try {
      const fitting = this.#noted(this.#fit(reply));
      if (!isWhole(fitting.body)) this.#stream();
      send(this.#response, fitting, services.ending.has(this.socket) || this.#isLast, this.#brokeOff);
      metrics.observe(fitting.status, performance.now() - this.#begun);
    } catch (error) {
      // A header or a status that the plugin made up wrongly.
      this.log.error('the answer cannot be sent', {err: error});
      this.socket.destroy();
    }
  }
}
