import type {CapabilityName} from './capabilities.js';

/**
 * THE STATE OF A GATEWAY, as a plugin that shows it may have it injected (`STATUS` in `tokens.ts`), and as the admin
 * listener answers it on `/-/plugins`.
 */

/** `starting → ok ⇄ degraded → stopping → stopped`; `failed` after a start that did not succeed, or by its own word. */
export type State = 'starting' | 'ok' | 'degraded' | 'failed' | 'stopping' | 'stopped' | 'disabled';

export interface ComponentStatus {
  /** Of a plugin its id: its name, and a number where the configuration has several of that name. */
  readonly name: string;
  readonly version?: string | undefined;
  readonly state: State;
  /** Why it is in this state. May cite a client library: for operators, unless the state is `disabled`. */
  readonly message?: string | undefined;
}

export interface StorageStatus extends ComponentStatus {
  readonly capabilities: readonly CapabilityName[];
  /** Of a storage that compares two, the last answers in which they differ, the newest first. */
  readonly differences?: readonly StorageDifference[] | undefined;
}

/** A question that two storages have answered differently. Texts that are long are cut, and end in `…`. */
export interface StorageDifference {
  /** When it was found, in RFC 3339. */
  readonly time: string;
  readonly capability: CapabilityName;
  readonly method: string;
  /** What was asked, as JSON. */
  readonly request: string;
  /** The path in the answers to the first place where they differ; empty for the answers as a whole. */
  readonly at: string;
  /** What the first storage, whose answers clients get, has there, as JSON, and what the other has; `nothing` where there is nothing. */
  readonly primary: string;
  readonly secondary: string;
}

export interface PluginStatus extends ComponentStatus {
  readonly listener: string;
  readonly prefix: string;
  readonly requires: readonly CapabilityName[];
}

/** How the latest reload of the configuration went. */
export interface ReloadStatus {
  /** When it ended, in RFC 3339. */
  readonly time: string;
  readonly success: boolean;
  /** Without success: why nothing has changed, and what is wrong with each key. */
  readonly error?: string;
  readonly problems?: readonly {readonly key: string; readonly message: string}[];
}

/** One of several processes that serve as one gateway. */
export interface WorkerStatus extends ComponentStatus {
  /** Its process; null while there is none. */
  readonly pid: number | null;
  /** How often one has ended and was replaced. */
  readonly restarts: number;
}

export interface GatewayStatus {
  readonly gateway: {readonly version: string; readonly state: State};
  /** Null where the configuration names none, and until it is created. */
  readonly storage: StorageStatus | null;
  /** In the order of the configuration. */
  readonly plugins: readonly PluginStatus[];
  /** Null before the first reload. */
  readonly reload: ReloadStatus | null;
  /** Where several processes serve: what stands above is of all of them together, each component as it is where it is worst. */
  readonly workers?: readonly WorkerStatus[];
}
