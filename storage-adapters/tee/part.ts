import {
  type AdapterContext,
  GatewayError,
  type Health,
  type Readers,
  type StorageAdapter,
} from '../../core/api/adapter.js';
import type {TeeConfig} from './config.js';

/** Milliseconds; the gateway waits for a second. */
const HEALTH_TIME = 900;

/** One of the two storages. */
export class TeePart {
  /** As messages name it: `secondary storage, clickhouse,`. */
  readonly name: string;
  readonly #key: 'primary' | 'secondary';
  readonly #adapter: StorageAdapter;
  #readers: Readers | undefined;

  constructor(key: 'primary' | 'secondary', {config, storages}: AdapterContext<TeeConfig>) {
    const adapter = storages?.[key];
    if (adapter === undefined) throw new GatewayError('internal', `the host has made no storage of "${key}"`);
    this.#key = key;
    this.#adapter = adapter;
    this.name = config[key].definition.name;
  }

  /** Starts it, unless it has been. */
  async start(signal: AbortSignal): Promise<Readers> {
    try {
      this.#readers ??= await this.#adapter.start(signal);
      return this.#readers;
    } catch (error) {
      signal.throwIfAborted();
      throw this.failure('does not start', error);
    }
  }

  /** An error that names it. A storage that names a key of its own takes itself for the only one. */
  failure(what: string, error: unknown): GatewayError {
    const {code, message} = GatewayError.from(error);
    const text = message.replaceAll('storage.config.', `storage.config.${this.#key}.config.`);
    return new GatewayError(code, `the ${this.#key} storage, ${this.name}, ${what}: ${text}`, {cause: error});
  }

  /** In time, also where it does not answer. */
  async health(signal: AbortSignal): Promise<Health> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(HEALTH_TIME)]);
    const late = new Promise<Health>(resolve => {
      const tell = (): void => resolve({status: 'failed', message: 'it does not tell its health in time'});
      if (limit.aborted) tell();
      else limit.addEventListener('abort', tell, {once: true});
    });
    return Promise.race([this.#adapter.health(limit), late]);
  }

  stop(): Promise<void> {
    return this.#adapter.stop();
  }
}
