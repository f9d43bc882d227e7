import type {JsonSchema} from '../api/json-schema.js';
import type {StorageConfig} from './gateway-config.js';
import {keyPath} from './key-path.js';

type Fields = Readonly<Record<string, unknown>>;

/** The keys of an adapter's `config` that hold storages of their own. */
export function storageKeys({properties}: JsonSchema): readonly string[] {
  const entries = Object.entries((properties ?? {}) as Readonly<Record<string, JsonSchema>>);
  return entries.flatMap(([key, schema]) => (schema['x-storage'] === true ? [key] : []));
}

/** The storages within a storage, by their keys. */
export function nestedStorages({definition, config}: StorageConfig): readonly (readonly [string, StorageConfig])[] {
  return storageKeys(definition.configSchema).flatMap(key => {
    const nested = (config as Fields)[key] as StorageConfig | undefined;
    return nested === undefined ? [] : [[key, nested] as const];
  });
}

/** A storage with the path of its `config`. */
export interface PlacedStorage {
  readonly path: string;
  readonly storage: StorageConfig;
}

/** A storage and all that are within it. */
export function placedStorages(storage: StorageConfig, path = 'storage.config'): readonly PlacedStorage[] {
  const within = nestedStorages(storage).flatMap(([key, nested]) =>
    placedStorages(nested, keyPath(keyPath(path, key), 'config')),
  );
  return [{path, storage}, ...within];
}
