import {isDeepStrictEqual} from 'node:util';
import type {Problem} from '../config/config-error.js';
import type {StorageConfig} from '../config/gateway-config.js';
import {keyPath} from '../config/key-path.js';

type Fields = Readonly<Record<string, unknown>>;

/** Whether one serves both configurations. */
export function isSameStorage(a: StorageConfig | undefined, b: StorageConfig | undefined): boolean {
  return a?.definition === b?.definition && isDeepStrictEqual(a?.config, b?.config);
}

/** What keeps a storage from being started beside the one before: both would open what only one can have. */
export function heldProblems(before: StorageConfig | undefined, after: StorageConfig | undefined): readonly Problem[] {
  if (before === undefined || after === undefined || isSameStorage(before, after)) return [];
  const held = exclusivesOf(before);
  const same = exclusivesOf(after).find(({what}) => held.some(other => other.what === what));
  if (same === undefined) return [];
  const keys = before.definition === after.definition ? differing(before.config, after.config) : [same.key];
  const message = `cannot change while the gateway has ${same.what} open; restart it, or give another "${same.key}"`;
  return keys.map(key => ({path: keyPath('storage.config', key), message}));
}

function exclusivesOf({definition, config}: StorageConfig) {
  return definition.exclusive?.(config as never) ?? [];
}

function differing(before: unknown, after: unknown): readonly string[] {
  const [a, b] = [before as Fields, after as Fields];
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].filter(key => !isDeepStrictEqual(a[key], b[key]));
}
