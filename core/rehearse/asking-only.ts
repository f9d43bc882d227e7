import type {AdapterDefinition} from '../api/adapter.js';
import type {Readers} from '../api/capabilities.js';
import type {GatewayConfig, PluginConfig, StorageConfig} from '../config/gateway-config.js';

/**
 * A configuration for asking alone: no plugin in it has anything to write with, and none opens an address. What a gateway
 * over the same configuration is asked for, but for that, is answered alike.
 */
export function askingOnly(config: GatewayConfig): GatewayConfig {
  const {storage, record: _, ...rest} = config;
  const plugins = config.plugins.filter(plugin => !writes(plugin) && !opensSockets(plugin));
  // A plugin whose need is not met is to answer so, not to end the rehearsal.
  const free = plugins.map(plugin => ({...plugin, required: false}));
  return {...rest, listeners: [], access: undefined, plugins: free, storage: storage && readingOnly(storage)};
}

const isWriter = (capability: string): boolean => capability.startsWith('ingest.');

function writes({definition}: PluginConfig): boolean {
  return definition.requires.some(isWriter);
}

function opensSockets({definition, config}: PluginConfig): boolean {
  return (definition.sockets?.(config as never) ?? []).length > 0;
}

/** Whoever would write with what is left does not get it. */
function readingOnly({definition, ...storage}: StorageConfig): StorageConfig {
  const create: AdapterDefinition['create'] = context => {
    const adapter = definition.create(context);
    const start = async (signal: AbortSignal): Promise<Readers> => {
      const supplied = Object.entries(await adapter.start(signal));
      return Object.fromEntries(supplied.filter(([capability]) => !isWriter(capability)));
    };
    return {start, health: signal => adapter.health(signal), stop: () => adapter.stop()};
  };
  return {...storage, definition: {...definition, create}};
}
