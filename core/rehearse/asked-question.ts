import type {Route} from '../api/http.js';
import type {PluginConfig} from '../config/gateway-config.js';

/** A recorded request as it is asked of both storages. */
export interface AskedQuestion {
  /** The plugin's id, the same in both configurations, and its entry in the old one. */
  readonly plugin: string;
  readonly owner: PluginConfig;
  readonly route: Route;
  readonly method: 'GET' | 'POST';
  /** Without the plugin's prefix. */
  readonly path: string;
  /** As a query string has them. */
  readonly parameters: string;
  readonly accept?: string | undefined;
}

export interface AskedAnswer {
  readonly status: number;
  /** In lower case. */
  readonly contentType: string;
  readonly body: Uint8Array;
  /** From asking to the last byte. */
  readonly ms: number;
}
