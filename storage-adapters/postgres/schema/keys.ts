import {hash} from 'node:crypto';
import {ENTITY_KEYS, type Entity, type Scope} from '../../../core/api/adapter.js';
import {decodeText, encodeText} from '../client/text.js';

/**
 * Dictionary rows are found by a digest of what they stand for, because names may be longer than what an index takes.
 * 128 bits of SHA-256, in the form of a UUID.
 */
export function digestOf(...parts: readonly (string | number | null)[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32);
}

/** The server writes UUIDs with hyphens. */
export function plainKey(uuid: string): string {
  return uuid.replaceAll('-', '');
}

export function entityKey(scope: Scope, names: readonly string[]): string {
  return digestOf(scope, ...names);
}

export function layerKey(layer: string): string {
  return digestOf('layer', layer);
}

/** The names of an entity in the order of its scope's keys. */
export function namesOf(scope: Scope, entity: Entity): string[] {
  return ENTITY_KEYS[scope].map(key => entity[key] ?? '');
}

/** From names as the database has them. */
export function entityFrom(scope: Scope, names: readonly string[]): Entity {
  return Object.fromEntries(ENTITY_KEYS[scope].map((key, i) => [key, decodeText(names[i] ?? '')])) as unknown as Entity;
}

export function encodedNames(names: readonly string[]): string[] {
  return names.map(encodeText);
}
