import type {AccessConfig} from './access.js';
import type {Problems} from './config-error.js';
import type {PluginConfig} from './gateway-config.js';

/** A plugin that asks who calls at a socket of its own, where the configuration knows nobody: it would ask nobody. */
export function checkSocketAccess(
  entries: readonly {readonly path: string; readonly plugin: PluginConfig}[],
  access: AccessConfig | undefined,
  problems: Problems,
): void {
  if (access !== undefined) return;
  for (const {path, plugin} of entries) {
    const {definition, enabled, config} = plugin;
    if (!enabled || definition.sockets === undefined || problems.hasWithin(`${path}.config`)) continue;
    for (const {accessKey} of definition.sockets(config as never)) {
      if (accessKey === undefined) continue;
      const message = 'found true without the block access, expected it beside: nobody is known';
      problems.add(`${path}.config.${accessKey}`, message);
    }
  }
}
