import type {Call} from './call.js';
import type {Readers} from './capabilities.js';
import type {Health} from './health.js';
import type {ConfigMistake, JsonSchema} from './json-schema.js';
import type {StorageDifference} from './status.js';
import type {Logger, Meter} from './telemetry.js';

/**
 * THE CONTRACT of a storage adapter. This module is the package entry `query-gateway/adapter`: it brings everything an
 * author needs and loads neither an HTTP library nor a container.
 *
 * An adapter is a package (or a file) whose default export is an `AdapterDefinition`. The host loads it, validates
 * `config` against its schema, calls `create` once and then `start`. `docs/writing-an-adapter.md` walks through one.
 */

export interface AdapterContext<Config = unknown> {
  /** Validated, completed with defaults and frozen; durations, sizes and paths are normalised (see `JsonSchema`). */
  readonly config: Config;
  readonly log: Logger;
  readonly meter: Meter;
  /** What the host has made of the keys of `config` that the schema marks with `x-storage`, by those keys. Not started. */
  readonly storages?: Readonly<Record<string, StorageAdapter>>;
}

/** A storage within the configuration of another: what stands in `config` under a key that is marked with `x-storage`. */
export interface NestedStorage {
  /** What the configuration calls the adapter: a built-in name, a path or a package. */
  readonly use?: string;
  readonly definition: AdapterDefinition;
  /** As the adapter's `create` is given it. */
  readonly config: unknown;
}

export interface AdapterDefinition<Config = unknown> {
  readonly kind: 'storage-adapter';
  /** The version of this contract that the adapter was written for. The host accepts its own and the one before. */
  readonly apiVersion: 1;
  /** Shown in messages, on `/-/plugins` and in `check`. */
  readonly name: string;
  /** The adapter's own version, shown beside the name. */
  readonly version?: string;
  readonly configSchema: JsonSchema;
  /**
   * What is wrong with a configuration that its schema accepts: where keys contradict each other, and whatever else the
   * start would refuse without asking anybody. Reads nothing but files that the configuration names.
   */
  readonly checkConfig?: (config: never) => readonly ConfigMistake[];
  /**
   * What is wrong with a configuration for a command that only reads: where nothing was ever stored, as in a folder that is not
   * there and that `start` would make. Asked without `create`. Reads nothing but files, and makes none.
   */
  readonly checkStored?: (config: never) => readonly ConfigMistake[];
  /**
   * What only one instance can have open at a time, in this process too, with the key of `config` that names it: `what` is
   * the same text for the same thing, as "the folder /data". Pure. A reload that changes other keys is refused at them; one
   * that changes none of them hands the instance over as it is, started, to the configuration that follows.
   */
  readonly exclusive?: (config: never) => readonly {readonly key: string; readonly what: string}[];
  /**
   * Where the data lies beyond what `exclusive` names, with the key of `config` that says so: `what` is the same text for the
   * same data, as "the database gateway at http://db:8123", as far as a configuration tells. Pure. An adapter that
   * writes to two storages refuses those that have a place in common.
   */
  readonly places?: (config: never) => readonly {readonly key: string; readonly what: string}[];
  /**
   * Whether several processes may each have a storage over one configuration open: what one of them has acknowledged, all of
   * them answer from then on. The host starts the storage in one of them before the others, so only that one finds a
   * layout to make or to bring up to date. Left out, a configuration with several `workers` is refused.
   */
  readonly severalProcesses?: true;
  /**
   * Copies all that a storage in files holds into the new folder `target`, over which a gateway can be started in place of
   * the original. Called without `create`, by a process of its own, also while a gateway writes: whatever had been
   * acknowledged before the call is in the copy, and nothing in part. Rejects without leaving anything under the name of
   * `target`, also when `call.signal` aborts.
   */
  readonly backup?: (config: never, target: string, call: Call) => Promise<BackupReport>;
  /** Of an adapter without `backup`: the tools of the database that make one, as words for a message. */
  readonly backupTools?: string;
  /** Must not do I/O and must not throw for a config that its schema accepts. */
  create(context: AdapterContext<Config>): StorageAdapter;
}

/** What a backup has copied. */
export interface BackupReport {
  readonly bytes: number;
}

/** The host calls `start` at most once per instance at a time, and again only after it has rejected. */
export interface StorageAdapter {
  /**
   * Connects, prepares, and answers with what this backend can serve: one reader per capability. A remote backend
   * probes first. Rejects when it cannot tell; never resolves with less than the truth, because a plugin whose need is
   * missing here stays off until the next start. After a rejection with `storage_unavailable` the host tries again
   * with back-off until its deadline; any other rejection ends the start.
   *
   * The readers stay valid until `stop`. A backend that goes away later makes their calls reject with
   * `storage_unavailable` and shows in `health`; it does not take a reader away.
   */
  start(signal: AbortSignal): Promise<Readers>;

  /** Answers within a second or when `signal` aborts; never rejects for a storage that is down, but says so. */
  health(signal: AbortSignal): Promise<Health>;

  /** Of an adapter that compares two storages: the last answers in which they differ, the newest first. */
  differences?(): readonly StorageDifference[];

  /** Ends everything that `start` began, waiting for writes in progress. Safe without `start`, and twice. */
  stop(): Promise<void>;
}

export type {Call} from './call.js';
export * from './capabilities.js';
export * from './declarations.js';
export * from './entities.js';
export * from './errors.js';
export type * from './export.js';
export * from './health.js';
export * from './ingest.js';
export {type ConfigMistake, type JsonSchema, LONGEST_WAIT} from './json-schema.js';
export type * from './metadata.js';
export * from './metrics.js';
export {compareNameLists, compareNames} from './names.js';
export * from './otlp-matching.js';
export * from './otlp-span.js';
export type * from './otlp-traces.js';
export * from './otlp-values.js';
export * from './span-matching.js';
export type {StorageDifference} from './status.js';
export type * from './telemetry.js';
export * from './topology.js';
export {canonicalOtlpTraceId, canonicalTraceId} from './trace-id.js';
export * from './trace-order.js';
export * from './trace-root.js';
export type * from './traces.js';
