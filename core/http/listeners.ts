import {setTimeout as sleep} from 'node:timers/promises';
import type {Limits, ListenerConfig} from '../config/gateway-config.js';
import {keyPath} from '../config/key-path.js';
import {FailedPart, ofPart} from '../host/failed-part.js';
import {letIn} from './drain.js';
import type {HttpServer} from './http-server.js';
import {Listener} from './listener.js';
import type {Mount} from './mount.js';
import {ListenError, type Port} from './port.js';
import type {HttpServices} from './services.js';
import type {Site} from './site.js';

/** What listeners are going to serve. */
export interface Plan {
  readonly listeners: readonly ListenerConfig[];
  readonly limits: Limits;
  readonly mountsOf: (listener: string) => readonly Mount[];
}

/** Everything is open and ready; one call puts it in the place of what was there. */
export interface ListenerExchange {
  /** In one turn of the event loop. Gives what is left. */
  commit(): Left;
  /** In place of `commit`: closes what was opened. */
  abandon(): Promise<void>;
}

/** What an exchange has left without use. */
export interface Left {
  /** Ports that no listener is at any more, once they are closed. */
  readonly ports: Promise<void>;
  /** Ends when the last request is answered that came to a listener which is no more. */
  readonly listeners: Promise<void>;
}

/** For how long clients of a listener that is no more are waited for, in milliseconds. */
export interface Patience {
  /** So long those may send another request that have sent none when it ended: they may be about to. */
  readonly idle: number;
  /** Requests in progress have so long. */
  readonly busy: number;
}

interface Place {
  readonly config: ListenerConfig;
  readonly listener: Listener;
  readonly site: Site;
  readonly server: HttpServer;
  readonly port: Port;
}

/** The listeners of a gateway, which a new configuration replaces without refusing anybody. */
export class Listeners {
  readonly #services: HttpServices;
  readonly #leaving = new Set<Listener>();
  #open: ReadonlyMap<string, Listener> = new Map();

  constructor(services: HttpServices) {
    this.#services = services;
  }

  /** By name, where they are reached. */
  get addresses(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#open].map(([name, {url}]) => [name, url]));
  }

  /** Those that are open, and those that still have clients. */
  get all(): readonly Listener[] {
    return [...this.#open.values(), ...this.#leaving];
  }

  /** Opens what has to be opened. Nothing changes for anybody but those who come to an address that was not open before. */
  async prepare({listeners, limits, mountsOf}: Plan, patience: Patience): Promise<ListenerExchange> {
    const kept = this.#keptPorts(listeners);
    const places: Place[] = [];
    const abandon = async (): Promise<void> => {
      for (const {port, config} of places) if (!kept.has(config.name)) void port.close();
      const fresh = places.filter(({listener, server}) => server !== listener.parts?.server);
      await Promise.all(fresh.map(({server}) => server.close()));
    };
    try {
      for (const config of listeners) {
        const {name} = config;
        const listener = this.#open.get(name) ?? new Listener(name, this.#services);
        const before = kept.get(name);
        const isSame = before !== undefined && before === listener.parts?.port;
        const path = keyPath('listeners', name);
        const made = await ofPart(path, () => listener.prepare(mountsOf(name), config, limits, isSame));
        const port = before ?? this.#services.ports(made.server);
        places.push({config, listener, port, ...made});
        if (before === undefined) await this.#openPort(port, config);
      }
    } catch (error) {
      await abandon();
      throw error;
    }
    return {abandon, commit: () => this.#put(places, limits, patience)};
  }

  async #openPort(port: Port, config: ListenerConfig): Promise<void> {
    const {name, host, port: number} = config;
    try {
      await port.open(name, config);
    } catch (error) {
      if (!(error instanceof ListenError)) throw error;
      const path = (key: string): string => keyPath(keyPath('listeners', name), key);
      const present = [...this.#open.values()].find(({parts}) => parts?.port.number === number)?.parts?.port;
      if (present === undefined || present.isAt(config)) throw new FailedPart(path(error.key), error);
      const why = `while the gateway has that port open at ${present.host}; restart it, or choose another port`;
      throw new FailedPart(
        path('host'),
        new ListenError(name, `cannot open ${host}:${number} ${why}`, 'host', {cause: error}),
      );
    }
  }

  #put(places: readonly Place[], limits: Limits, patience: Patience): Left {
    const before = this.#open;
    const ports = [...before.values()].flatMap(({parts}) => (parts === undefined ? [] : [parts.port]));
    const used = new Set(places.map(({port}) => port));
    const unused = ports.filter(port => !used.has(port));
    this.#open = new Map(places.map(({config, listener}) => [config.name, listener]));
    for (const {listener, config, port, server, site} of places) listener.put({config, limits, port, server}, site);
    const gone = [...before].flatMap(([name, listener]) => (this.#open.has(name) ? [] : [listener]));
    for (const listener of gone) listener.endConnections();
    const closed = closePorts(unused, patience);
    return {ports: closed, listeners: closed.then(() => this.#leave(gone, patience))};
  }

  /** The ports that go on: of a listener that takes any port the one it has, then those whose address is asked for. */
  #keptPorts(configs: readonly ListenerConfig[]): ReadonlyMap<string, Port> {
    const open = [...this.#open.values()].flatMap(({name, parts}) => (parts === undefined ? [] : [{name, ...parts}]));
    const isFree = ({name, config}: (typeof open)[number], {host, ...next}: ListenerConfig): boolean =>
      next.port === 0 && name === next.name && config.port === 0 && config.host === host;
    const kept = new Map<string, Port>();
    const keep = (suits: (other: (typeof open)[number], config: ListenerConfig) => boolean): void => {
      const taken = new Set(kept.values());
      for (const config of configs) {
        const same = open.find(other => suits(other, config));
        if (same !== undefined && !taken.has(same.port)) kept.set(config.name, same.port);
      }
    };
    keep(isFree);
    keep(({port}, config) => port.isAt(config));
    return kept;
  }

  /** Clients of a listener that is no more are answered as before, and each answer ends its connection. */
  async #leave(gone: readonly Listener[], {idle, busy}: Patience): Promise<void> {
    for (const listener of gone) this.#leaving.add(listener);
    await Promise.all(
      gone.map(async listener => {
        await Promise.race([listener.empty(), sleep(idle, undefined, {ref: false})]);
        const cut = setTimeout(() => listener.cut(), busy).unref();
        await listener.close();
        clearTimeout(cut);
        this.#leaving.delete(listener);
      }),
    );
  }
}

/** Closes ports, when what the system holds for them has been let in. */
async function closePorts(ports: readonly Port[], {idle}: Patience): Promise<void> {
  if (ports.length === 0) return;
  await letIn(ports, idle);
  await Promise.all(ports.map(port => port.close()));
}
