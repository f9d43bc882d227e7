import {hash} from 'node:crypto';
import {type Entity, entityOf, type Scope} from '../../../core/api/adapter.js';
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

/** From names as the database has them. */
export function decodedEntity(scope: Scope, names: readonly string[]): Entity {
  return entityOf(scope, names.map(decodeText));
}

export function encodedNames(names: readonly string[]): string[] {
  return names.map(encodeText);
}
