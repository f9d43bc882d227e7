import type {CapabilityName} from '../api/capabilities.js';
import type {Health} from '../api/health.js';
import type {ComponentStatus, GatewayStatus} from '../api/status.js';
import type {PluginConfig} from '../config/gateway-config.js';

/** Whether the gateway should get requests: it runs, and no component has failed. */
export function isReady(status: GatewayStatus): boolean {
  return status.gateway.state === 'ok' && componentsOf(status).every(({state}) => state !== 'failed');
}

export function componentsOf({storage, plugins, workers = []}: GatewayStatus): readonly ComponentStatus[] {
  return [...(storage === null ? [] : [storage]), ...plugins, ...workers];
}

/** Why a plugin is not mounted, as `check` and the admin listener say it. */
export function missingMessage(missing: readonly CapabilityName[]): string {
  return `disabled: missing ${missing.join(', ')}`;
}

/** What the paths of a plugin that is switched off answer. `path` is that of its entry. */
export function disabledMessage({id, definition}: PluginConfig, path: string): string {
  const variable = definition.enabled?.env;
  const orVariable = variable === undefined ? '' : `, or ${variable}=true where the file leaves it to that variable`;
  return `the plugin ${id} is disabled; "enabled": true at ${path} of the configuration enables it${orVariable}`;
}

/** What a plugin lacks. `adapter` is the name of the storage adapter, undefined without a storage. */
export function lackMessage(plugin: string, missing: readonly CapabilityName[], adapter: string | undefined): string {
  const storage = adapter === undefined ? 'a gateway without storage' : `the storage adapter ${adapter}`;
  return `the plugin ${plugin} needs ${missing.join(', ')}, which ${storage} does not supply`;
}

/** The same of a plugin that the configuration requires: it ends the start. */
export function requiredMessage(...lack: Parameters<typeof lackMessage>): string {
  return `${lackMessage(...lack)}; it has "required": true`;
}

/** The state of a component that runs, by its own word. */
export function byHealth({status, message}: Health): Pick<ComponentStatus, 'state' | 'message'> {
  return {state: status, message};
}
