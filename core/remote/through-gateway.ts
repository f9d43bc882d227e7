import type {AdapterContext, StorageAdapter} from '../api/adapter.js';
import type {Readers} from '../api/capabilities.js';
import {GatewayError} from '../api/errors.js';
import type {Health} from '../api/health.js';
import {HEALTHY} from '../api/health.js';
import {ADMIN} from '../config/envelope.js';
import type {GatewayConfig, ListenerConfig, StorageConfig} from '../config/gateway-config.js';
import {nestedStorages} from '../config/nested-storages.js';
import {exclusivesOf} from '../host/held-storage.js';
import {AdminClient} from './admin-client.js';
import {remoteReaders} from './remote-storage.js';

/**
 * The same configuration, for a command: where a running gateway has its storage open, and nobody else can, the command uses
 * it through that gateway, which it finds by the admin listener of the configuration. `token` is of a caller with the right `admin`.
 */
export function throughGateway(config: GatewayConfig, token: string | undefined): GatewayConfig {
  const {storage, listeners} = config;
  const listener = listeners.find(({name}) => name === ADMIN);
  return {...config, storage: storage && wrapped(storage, {listener, token})};
}

/** The storage, and those within it. */
function wrapped(storage: StorageConfig, asked: Asked): StorageConfig {
  const {definition} = storage;
  const within = nestedStorages(storage).map(([key, nested]) => [key, wrapped(nested, asked)] as const);
  const config = within.length === 0 ? storage.config : {...(storage.config as object), ...Object.fromEntries(within)};
  const [held] = exclusivesOf(storage);
  if (held === undefined) return {...storage, config};
  const create = (context: AdapterContext) =>
    new HeldStorageAdapter(definition.create(context), {holds: held.what, ...asked});
  return {...storage, config, definition: {...definition, create}};
}

interface Asked {
  readonly listener: ListenerConfig | undefined;
  readonly token: string | undefined;
}

interface Holder extends Asked {
  /** What can be open once, in the words of `AdapterDefinition.exclusive`. */
  readonly holds: string;
}

/** Opens the storage itself, or asks the gateway that has it open. */
class HeldStorageAdapter implements StorageAdapter {
  readonly #own: StorageAdapter;
  readonly #holder: Holder;
  #client: AdminClient | undefined;

  constructor(own: StorageAdapter, holder: Holder) {
    this.#own = own;
    this.#holder = holder;
  }

  async start(signal: AbortSignal): Promise<Readers> {
    try {
      return await this.#own.start(signal);
    } catch (error) {
      signal.throwIfAborted();
      const {code, message} = GatewayError.from(error);
      if (code !== 'storage_failed') throw error;
      return await this.#ask(signal).catch((cause: Error) => {
        throw new GatewayError(code, `${message}; ${cause.message}`, {cause: error});
      });
    }
  }

  async health(signal: AbortSignal): Promise<Health> {
    return this.#client === undefined ? this.#own.health(signal) : HEALTHY;
  }

  async stop(): Promise<void> {
    this.#client?.close();
    await this.#own.stop();
  }

  async #ask(signal: AbortSignal): Promise<Readers> {
    const {holds, listener, token} = this.#holder;
    if (listener === undefined || listener.port === 0) {
      const lack = listener === undefined ? 'has no "listeners.admin"' : 'gives "listeners.admin.port" as 0';
      throw new Error(
        `a gateway that has ${holds} open would be asked over its admin listener, and the configuration ${lack}`,
      );
    }
    if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
      throw new Error('QUERY_GATEWAY_TOKEN holds a character that no token has, such as a blank or a line break');
    }
    const client = new AdminClient(listener, token);
    this.#client = client;
    try {
      return await remoteReaders(client, holds, signal);
    } catch (error) {
      if (!GatewayError.is(error) || !['unauthenticated', 'forbidden'].includes(error.code)) throw error;
      throw new Error(`${error.message}; expected in QUERY_GATEWAY_TOKEN a token with the right admin`, {cause: error});
    }
  }
}
