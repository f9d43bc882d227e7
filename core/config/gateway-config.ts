import type {NestedStorage} from '../api/adapter.js';
import type {PluginLimits} from '../api/limits.js';
import type {PluginDefinition} from '../api/plugin.js';
import type {AccessConfig} from './access.js';
import type {ListenerAccess} from './listener-access.js';
import type {RecordConfig} from './record.js';

/** The configuration after loading: complete, valid and frozen. Times are milliseconds, sizes are bytes. */
export interface GatewayConfig {
  /** Every listener to open, the admin listener included. */
  readonly listeners: readonly ListenerConfig[];
  /** Undefined: nobody is asked who they are. */
  readonly access: AccessConfig | undefined;
  readonly storage: StorageConfig | undefined;
  readonly plugins: readonly PluginConfig[];
  readonly limits: Limits;
  readonly record?: RecordConfig;
  /** How many processes serve, when the command line runs it. */
  readonly workers: number;
  readonly startTimeout: number;
  readonly shutdownTimeout: number;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
}

export interface ListenerConfig extends ListenerAccess {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly idleTimeout: number;
  /** 0: no bound. */
  readonly readTimeout: number;
  /** 0: no bound. */
  readonly writeTimeout: number;
  /** The listen backlog; 0 asks for the system's maximum. */
  readonly acceptQueueSize: number;
  /** Whether large answers are compressed for clients that take gzip, or from how many bytes on. */
  readonly compression: boolean | number;
  readonly accessLog: boolean;
}

export type StorageConfig = NestedStorage;

export interface PluginConfig {
  /** The definition's name, with a number when the plugin occurs more than once. */
  readonly id: string;
  readonly definition: PluginDefinition;
  readonly enabled: boolean;
  readonly required: boolean;
  /** The name of its listener. */
  readonly listener: string;
  /** Begins with a slash and ends with none, but for the root. */
  readonly prefix: string;
  readonly config: unknown;
}

export interface Limits extends PluginLimits {
  readonly formBody: number;
  readonly queryTimeout: number;
  readonly concurrentQueries: number;
  readonly headerBytes: number;
}
