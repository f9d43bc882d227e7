import type {JsonSchema} from '../api/json-schema.js';
import {ACCESS} from './access.js';
import type {GatewayConfig, StorageConfig} from './gateway-config.js';
import {nestedStorages} from './nested-storages.js';
import {redact} from './redact.js';

/** The configuration as it may be printed. */
export function printable({storage, plugins, access, ...rest}: GatewayConfig): object {
  const component = ({definition, ...entry}: {readonly definition: Named; readonly config: unknown}) => ({
    ...entry,
    use: definition.name,
    config: redact(definition.configSchema, entry.config),
  });
  const storageOf = (one: StorageConfig): object => {
    const nested = nestedStorages(one).map(([key, within]) => [key, storageOf(within)] as const);
    const {config, ...entry} = component({...one, config: without(one.config, nested)});
    return {...entry, config: {...(config as object), ...Object.fromEntries(nested)}};
  };
  return {
    ...rest,
    access: access && redact(ACCESS, access),
    storage: storage && storageOf(storage),
    plugins: plugins.map(component),
  };
}

/** What is left has nothing within that belongs to another schema. */
function without(config: unknown, nested: readonly (readonly [key: string, value: object])[]): object {
  const keys = new Set(nested.map(([key]) => key));
  return Object.fromEntries(Object.entries(config as object).filter(([key]) => !keys.has(key)));
}

interface Named {
  readonly name: string;
  readonly configSchema: JsonSchema;
}
