import type {GatewayConfig} from './config/gateway-config.js';
import {createRunningGateway, type Gateway, type GatewayOptions} from './running-gateway.js';

export type {GatewayStatus} from './api/status.js';
export {ConfigError, type Problem} from './config/config-error.js';
export type * from './config/gateway-config.js';
export {type ConfigSource, loadConfig} from './config/load.js';
export type {Builtins, ModuleTable} from './config/load-module.js';
export type {Gateway, GatewayOptions} from './running-gateway.js';

/**
 * A gateway over a configuration that `loadConfig` has read. Nothing happens before `start`. It serves in this process alone,
 * whatever the configuration says of `workers`: processes are the command line's.
 */
export function createGateway(first: GatewayConfig, options: GatewayOptions = {}): Gateway {
  const {start, reload, status, stop} = createRunningGateway(first, options);
  return {start, reload, status, stop};
}
