import {credentials, type ServiceError} from '@grpc/grpc-js';
import {GatewayError, HEALTHY, type Health, type Logger, type Meter} from '../../../core/api/adapter.js';
import type {WatchedFiles} from '../../../core/toolkit/files/watched-files.js';
import {WatchedChannelCredentials} from '../../../core/toolkit/grpc/channel-credentials.js';
import {MS_PER_SECOND} from '../../../core/toolkit/time.js';
import type {TlsMaterial} from '../../../core/toolkit/tls/tls-files.js';
import {tlsOptionTerms, watchTlsOption} from '../../../core/toolkit/tls/tls-option.js';
import type {BanyanDBConfig} from '../config.js';
import type {GrpcMethod, OutgoingMessage} from '../proto/methods.js';
import {BanyanDBEndpoint} from './endpoint.js';
import {isLate, isRefusal, isWorthAnotherEndpoint, toGatewayError} from './grpc-error.js';

/** How long an endpoint that failed is asked only when there is no other. */
const AVOID_TIME = 30 * MS_PER_SECOND;
/** The gateway waits for a second. */
const HEALTH_TIME = 800;
/** An endpoint that answered something so short a time ago is slow, and not down, when it does not tell its health in time. */
const RECENT = 10 * MS_PER_SECOND;

interface EndpointFailure {
  readonly isDown: boolean;
  readonly text: string;
}

/** All endpoints: every one answers everything, so one is used until it fails. */
export class BanyanDBConnection {
  readonly #endpoints: readonly BanyanDBEndpoint[];
  readonly #config: BanyanDBConfig;
  readonly #log: Logger;
  readonly #files: WatchedFiles<TlsMaterial> | undefined;
  #current: number;

  /** Does not connect yet. Fails where a file of the option tls cannot be used. */
  constructor(config: BanyanDBConfig, log: Logger, meter: Meter) {
    this.#config = config;
    this.#log = log;
    this.#files = config.tls === undefined ? undefined : watchTlsOption(config.tls, log, meter);
    const options = {
      credentials:
        this.#files === undefined
          ? credentials.createInsecure()
          : new WatchedChannelCredentials(this.#files, config.tls?.serverName),
      username: config.username,
      password: config.password,
      maxMessageSize: config.maxMessageSize,
    };
    this.#endpoints = config.endpoints.map(address => new BanyanDBEndpoint(address, options));
    // Gateways that start together are not to ask the same node.
    this.#current = Math.floor(Math.random() * this.#endpoints.length);
  }

  get description(): string {
    return this.#config.endpoints.join(', ');
  }

  /** Asks one endpoint, and others when it fails for a reason of its own. Rejects with a `GatewayError`. */
  async call<Request, Response>(
    method: GrpcMethod<Request, Response>,
    request: NoInfer<OutgoingMessage<Request>>,
    signal: AbortSignal,
  ): Promise<Response> {
    const {timeout, username, tls} = this.#config;
    let failure: GatewayError | undefined;
    for (const endpoint of this.#inOrder()) {
      try {
        const response = await endpoint.call(method, request as OutgoingMessage<Request>, timeout, signal);
        this.#answered(endpoint);
        return response;
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        const failed = error as ServiceError;
        const site = {endpoint: endpoint.address, path: method.path, username, timeout, tls: tlsOptionTerms(tls)};
        // The first failure tells most, unless it was only that nobody was there.
        if (failure === undefined || failure.code === 'storage_unavailable') failure = toGatewayError(failed, site);
        if (!isWorthAnotherEndpoint(failed)) throw failure;
        this.#failed(endpoint, failure.message);
      }
    }
    throw failure ?? new GatewayError('internal', 'BUG: no endpoint is configured');
  }

  /** `degraded` while some endpoints are down, or slow because they have much to do; `failed` when all are down. */
  async health(signal: AbortSignal): Promise<Health> {
    const all = await Promise.all(this.#endpoints.map(endpoint => this.#failureOf(endpoint, signal)));
    const failures = all.filter(failure => failure !== undefined);
    if (failures.length === 0) return HEALTHY;
    const isAllDown = failures.filter(({isDown}) => isDown).length === this.#endpoints.length;
    const message = `BanyanDB: ${failures.map(({text}) => text).join('; ')}`;
    return {status: isAllDown ? 'failed' : 'degraded', message};
  }

  close(): void {
    this.#files?.close();
    for (const endpoint of this.#endpoints) endpoint.close();
  }

  async #failureOf(endpoint: BanyanDBEndpoint, signal: AbortSignal): Promise<EndpointFailure | undefined> {
    const {address} = endpoint;
    try {
      if (await endpoint.isServing(HEALTH_TIME, signal)) return undefined;
      return {isDown: true, text: `${address} says that it is not serving`};
    } catch (error) {
      if (isRefusal(error)) return {isDown: true, text: `${address} refuses the user`};
      const isSlow = isLate(error) && performance.now() - endpoint.answeredAt < RECENT;
      if (isSlow) return {isDown: false, text: `${address} is slow: it answers, but its health not within a second`};
      return {isDown: true, text: `${address} does not answer`};
    }
  }

  /** The one in use first, those that failed lately last. */
  #inOrder(): readonly BanyanDBEndpoint[] {
    const now = performance.now();
    const rotated = [...this.#endpoints.slice(this.#current), ...this.#endpoints.slice(0, this.#current)];
    return [
      ...rotated.filter(({avoidedUntil}) => avoidedUntil <= now),
      ...rotated.filter(({avoidedUntil}) => avoidedUntil > now),
    ];
  }

  #answered(endpoint: BanyanDBEndpoint): void {
    endpoint.avoidedUntil = 0;
    this.#current = this.#endpoints.indexOf(endpoint);
  }

  #failed(endpoint: BanyanDBEndpoint, reason: string): void {
    if (this.#endpoints.length === 1) return;
    endpoint.avoidedUntil = performance.now() + AVOID_TIME;
    this.#log.warn('an endpoint of the storage has failed, another one is asked', {
      endpoint: endpoint.address,
      reason,
    });
  }
}
