import type {StorageConfig} from '../config/gateway-config.js';
import {placedStorages} from '../config/nested-storages.js';
import {redact} from '../config/redact.js';

/** Where a storage keeps its data, as far as its configuration tells, in the words of `exclusive` and `places`. */
export function placesOf(storage: StorageConfig): readonly string[] {
  const all = placedStorages(storage).flatMap(({storage: {definition, config}}) => [
    ...(definition.exclusive?.(config as never) ?? []),
    ...(definition.places?.(config as never) ?? []),
  ]);
  return [...new Set(all.map(({what}) => what))];
}

/** Tells a storage from others: `the folder /data (embedded)`. */
export function storageName(storage: StorageConfig): string {
  const {definition, config} = storage;
  const places = placesOf(storage);
  const where = places.length > 0 ? places.join(', ') : JSON.stringify(redact(definition.configSchema, config));
  return `${where} (${definition.name})`;
}
