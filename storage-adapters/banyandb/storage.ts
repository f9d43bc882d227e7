import {
  type AdapterContext,
  GatewayError,
  HEALTHY,
  type Health,
  type Readers,
  type StorageAdapter,
} from '../../core/api/adapter.js';
import {quote} from '../../core/toolkit/messages.js';
import type {BanyanDBConfig} from './config.js';
import {BanyanDBRuntime} from './runtime.js';
import {layerMistake} from './schema/layers.js';
import {TimeZone} from './schema/time-zone.js';

export class BanyanDBStorage implements StorageAdapter {
  readonly #context: AdapterContext<BanyanDBConfig>;
  #runtime: BanyanDBRuntime | undefined;

  constructor(context: AdapterContext<BanyanDBConfig>) {
    this.#context = context;
  }

  async start(signal: AbortSignal): Promise<Readers> {
    signal.throwIfAborted();
    const {config, log} = this.#context;
    const zone = zoneOf(config.timeZone);
    const mistake = layerMistake(config.layers);
    if (mistake !== undefined) throw new GatewayError('storage_failed', `the option layers calls ${mistake}`);
    if (config.username !== undefined && config.tls === undefined) {
      log.warn('user and password go to the server in plain text, because the option tls is not set');
    }
    this.#runtime = await BanyanDBRuntime.open(this.#context, zone, signal);
    return this.#runtime.readers;
  }

  async health(signal: AbortSignal): Promise<Health> {
    return (await this.#runtime?.health(signal)) ?? HEALTHY;
  }

  async stop(): Promise<void> {
    this.#runtime?.close();
    this.#runtime = undefined;
  }
}

function zoneOf(name: string): TimeZone {
  try {
    return new TimeZone(name);
  } catch (error) {
    const message = `the option timeZone names the zone ${quote(name)}, which is unknown; use a name such as Europe/Berlin`;
    throw new GatewayError('storage_failed', message, {cause: error});
  }
}
