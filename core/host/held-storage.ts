import {isDeepStrictEqual} from 'node:util';
import type {Problem} from '../config/config-error.js';
import type {StorageConfig} from '../config/gateway-config.js';
import {keyPath} from '../config/key-path.js';
import {type PlacedStorage, placedStorages} from '../config/nested-storages.js';

type Fields = Readonly<Record<string, unknown>>;

/** Whether one serves both configurations. */
export function isSameStorage(a: StorageConfig | undefined, b: StorageConfig | undefined): boolean {
  return a?.definition === b?.definition && isDeepStrictEqual(a?.config, b?.config);
}

/**
 * What keeps a storage from being started beside the one before: both would open what only one can have. One that is the same,
 * alone or within another, is handed over (`Storages`).
 */
export function heldProblems(before: StorageConfig | undefined, after: StorageConfig | undefined): readonly Problem[] {
  if (before === undefined || after === undefined || isSameStorage(before, after)) return [];
  const held = placedStorages(before).map(({storage}) => storage);
  return placedStorages(after).flatMap(placed => held.flatMap(other => problemsBetween(other, placed)));
}

function problemsBetween(held: StorageConfig, {storage, path}: PlacedStorage): readonly Problem[] {
  if (isSameStorage(held, storage)) return [];
  const open = exclusivesOf(held);
  const same = exclusivesOf(storage).find(({what}) => open.some(other => other.what === what));
  if (same === undefined) return [];
  const keys = held.definition === storage.definition ? differing(held.config, storage.config) : [same.key];
  const message = `cannot change while the gateway has ${same.what} open; restart it, or give another "${same.key}"`;
  return keys.map(key => ({path: keyPath(path, key), message}));
}

/** What only one instance can have open, by the keys that name it. */
export function exclusivesOf({definition, config}: StorageConfig) {
  return definition.exclusive?.(config as never) ?? [];
}

function differing(before: unknown, after: unknown): readonly string[] {
  const [a, b] = [before as Fields, after as Fields];
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].filter(key => !isDeepStrictEqual(a[key], b[key]));
}
