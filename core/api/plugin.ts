import type {Need} from './access.js';
import type {CapabilityName} from './capabilities.js';
import type {GatewayError} from './errors.js';
import type {Health} from './health.js';
import type {RefusedRequest, Reply, Routes} from './http.js';
import type {ConfigMistake, JsonSchema} from './json-schema.js';
import type {Rehearsal} from './rehearsal.js';
import type {PluginSockets} from './sockets.js';

/**
 * THE CONTRACT of a plugin. This module is the package entry `query-gateway/plugin`.
 *
 * A plugin is a package (or a file) whose default export is a `PluginDefinition`. The definition is plain data that can
 * be read without running the plugin: the host checks it, validates `config`, compares `requires` with what the storage
 * adapter supplies, and only then constructs `main`, once, with its dependencies injected by token (`tokens.ts`).
 */

/**
 * The listener on which the plugin is mounted unless the configuration says otherwise, and the values of keys that the
 * configuration of that listener leaves out. `env` names the environment variable of a key; a variable wins over the
 * value here and loses to the configuration.
 */
export interface ListenerDefaults {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** Milliseconds, as the other two. */
  readonly idleTimeout?: number;
  /** How long a request may take to arrive whole; 0 for no bound. */
  readonly readTimeout?: number;
  /** How long an answer may take, from the end of the request's headers to its last byte; 0 for no bound. */
  readonly writeTimeout?: number;
  /** The listen backlog; 0 asks for the system's maximum. */
  readonly acceptQueueSize?: number;
  /** Where the plugin is mounted on the listener: begins with a slash. */
  readonly prefix: string;
  readonly env?: Readonly<Partial<Record<'host' | 'port' | 'idleTimeout' | 'acceptQueueSize' | 'prefix', string>>>;
}

/** An address that a plugin opens itself, beside its routes. */
export interface PluginSocket {
  /** As in `PluginStarted.addresses`. */
  readonly name: string;
  /** The key of `config` that it comes from. */
  readonly key: string;
  /** `0.0.0.0` or `::` for every address of the machine. */
  readonly host: string;
  readonly port: number;
  /** Whether it speaks TLS, and whether it asks who its callers are. Without both the host warns where it is open. */
  readonly tls?: boolean;
  readonly access?: boolean;
  /** The key of `config` by which callers are asked for credentials: refused where the configuration knows nobody's. */
  readonly accessKey?: string;
}

export interface PluginDefinition {
  readonly kind: 'plugin';
  /** The version of this contract that the plugin was written for. The host accepts its own and the one before. */
  readonly apiVersion: 1;
  readonly name: string;
  /** The plugin's own version, shown beside the name. */
  readonly version?: string;
  /**
   * Capabilities without which the plugin cannot work. When the adapter lacks one, the plugin is not constructed: every
   * path under its prefix answers `unsupported_backend`, rendered by `renderError`.
   */
  readonly requires: readonly CapabilityName[];
  /** Capabilities that the plugin uses when they are there; their tokens give `undefined` otherwise. */
  readonly optional?: readonly CapabilityName[];
  readonly configSchema: JsonSchema;
  /**
   * What is wrong with a configuration that its schema accepts: where keys contradict each other, and whatever else the
   * start would refuse without asking anybody. Reads nothing but files that the configuration names.
   */
  readonly checkConfig?: (config: never) => readonly ConfigMistake[];
  readonly listener: ListenerDefaults;
  /**
   * A path under the plugin's prefix, begun with a slash, below which the host mounts every other plugin of the gateway
   * a second time, under its id and without its own prefix: for a page that shows what the others answer, from one
   * origin. What is asked there is asked of the other plugin: its rights, limits and form of errors hold, and the rules
   * of the listener at which the request came. An id that is not mounted answers 404. What the admin listener
   * serves and only reads is there as `admin`, also where there is no such listener.
   */
  readonly mirror?: string;
  /**
   * Whether only one process may run the plugin where several `workers` serve, because of what it keeps in memory. Whoever
   * comes to its listener, or to one whose plugin has it in its `mirror`, is then served by that process.
   */
  readonly once?: true;
  /**
   * The sockets that `start` opens. The host refuses a configuration in which two sockets have one address, and warns of
   * those that other machines can reach. Pure; asked only for a config without mistakes.
   */
  readonly sockets?: (config: never) => readonly PluginSocket[];
  /**
   * What callers need for every path under the prefix, where the listener asks who they are; a route may say another. Left
   * out it is `read`, and of routes with `work: 'write'` it is `write`.
   */
  readonly right?: Need;
  /** Whether the plugin is on when its entry does not say: true unless given. `env` names the variable. */
  readonly enabled?: {readonly default: boolean; readonly env?: string};
  /**
   * The protocol's form of an error, for everything under the prefix: pure, total over the error codes, and usable
   * while the plugin is disabled. The host may replace the status and add headers (405 with `Allow`, 401 with its
   * challenges, `Retry-After` for `overloaded`), and has replaced messages that must not leave the process (those of
   * `internal`, credentials). `request` is what was refused, for protocols whose errors have the form of the request.
   */
  readonly renderError: (error: GatewayError, request?: RefusedRequest) => Reply;
  /** How its queries are asked again of another storage, and when two answers say the same. */
  readonly rehearsal?: Rehearsal;
  /** Constructed once. Every parameter carries `@use(TOKEN)`. */
  readonly main: new (
    ...dependencies: never[]
  ) => GatewayPlugin;
}

/** What `start` may answer: addresses of sockets of the plugin's own, by name, for the ready line. */
export interface PluginStarted {
  readonly addresses?: Readonly<Record<string, string>>;
}

export interface GatewayPlugin {
  /** Adds the routes. Called once, after `start` has resolved. */
  routes(routes: Routes): void;
  /**
   * Opens what the plugin needs beside its routes, addresses of its own by `sockets`. Must not outlive `signal`, which aborts
   * at the start deadline. An instance that this one is going to follow may still be working, and does until its last
   * request is answered.
   */
  start?(signal: AbortSignal, sockets: PluginSockets): Promise<PluginStarted | undefined>;
  /**
   * Called when the gateway begins to stop, while requests are still in progress: a handler that waits for something from
   * outside answers with what it has, now and from now on. Returns at once.
   */
  drain?(): void;
  /** Called after the listeners have drained. Safe without `start`, and twice. */
  stop?(): Promise<void>;
  health?(): Health;
}

export * from './access.js';
export type {Call} from './call.js';
export * from './capabilities.js';
export * from './entities.js';
export * from './errors.js';
export * from './health.js';
export type * from './http.js';
export * from './ingest.js';
export type * from './ingest-format.js';
export {type ConfigMistake, type JsonSchema, LONGEST_WAIT} from './json-schema.js';
export type {PluginLimits, QueryLimits} from './limits.js';
export type * from './metadata.js';
export * from './metrics.js';
export {compareNames} from './names.js';
export * from './otlp-matching.js';
export * from './otlp-span.js';
export type * from './otlp-traces.js';
export * from './otlp-values.js';
export * from './rehearsal.js';
export type * from './sockets.js';
export * from './span-matching.js';
export type * from './status.js';
export type * from './telemetry.js';
export * from './tokens.js';
export * from './topology.js';
export {canonicalOtlpTraceId, canonicalTraceId} from './trace-id.js';
export * from './trace-order.js';
export * from './trace-root.js';
export type * from './traces.js';
