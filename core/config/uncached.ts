import type {JsonSchema} from '../api/json-schema.js';
import type {StorageConfig} from './gateway-config.js';
import {nestedStorages} from './nested-storages.js';

type Fields = Readonly<Record<string, unknown>>;

/** The same storage for whoever reads or writes all of it once: what it keeps in memory for queries (`x-cache`) is the least. */
export function uncached(storage: StorageConfig): StorageConfig {
  const {definition, config} = storage;
  const properties = (definition.configSchema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const within = nestedStorages(storage).map(([key, nested]) => [key, uncached(nested)] as const);
  const caches = Object.entries(properties).flatMap(([key, {minimum = 0, 'x-cache': isCache}]) =>
    isCache === true ? [[key, minimum] as const] : [],
  );
  return {...storage, config: {...(config as Fields), ...Object.fromEntries([...within, ...caches])}};
}
