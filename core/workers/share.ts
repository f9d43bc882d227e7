import type {JsonSchema} from '../api/json-schema.js';
import type {GatewayConfig, PluginConfig, StorageConfig} from '../config/gateway-config.js';

type Fields = Readonly<Record<string, unknown>>;

/** What one of several processes runs of a configuration. `index` counts from 1; the first runs what only one may. */
export function shareOf(config: GatewayConfig, index: number, count: number): GatewayConfig {
  const storage = config.storage && {...config.storage, config: partOf(config.storage, count)};
  if (index === 1) return {...config, storage};
  const elsewhere = new Set(listenersOfFirst(config));
  return {
    ...config,
    storage,
    listeners: config.listeners.filter(({name}) => !elsewhere.has(name)),
    plugins: config.plugins.map(plugin => (runsOnce(plugin) ? {...plugin, enabled: false} : plugin)),
  };
}

export function runsOnce({definition, enabled}: PluginConfig): boolean {
  return enabled && definition.once === true;
}

/** Those at which something is asked that only the first process runs: by itself, or through a page that shows the others. */
function listenersOfFirst({plugins}: GatewayConfig): readonly string[] {
  const once = plugins.filter(runsOnce);
  if (once.length === 0) return [];
  const mirrors = plugins.filter(({definition, enabled}) => enabled && definition.mirror !== undefined);
  return [...once, ...mirrors].map(({listener}) => listener);
}

/** The settings of a storage, with the part that one process has of what is shared. */
function partOf({definition, config}: StorageConfig, count: number): unknown {
  const properties = (definition.configSchema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const parts = Object.entries(config as Fields).map(([key, value]) => {
    const isShared = properties[key]?.['x-shared'] === true && typeof value === 'number';
    return [key, isShared ? Math.ceil(value / count) : value] as const;
  });
  return Object.fromEntries(parts);
}
