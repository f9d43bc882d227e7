import {createHash} from 'node:crypto';
import {ENTITY_KEYS, type Entity, type Scope} from '../../../core/api/adapter.js';

/**
 * The id of an entity: 16 bytes of a digest over its scope and names, each with its length before it. So every gateway
 * knows every id without asking, and two entities never share one.
 */
export function entityId(scope: Scope, entity: Entity): Buffer {
  return digest([scope, ...namesOf(scope, entity)]);
}

/** The id of the service of an entity; of a relation, that of its source. */
export function serviceId({layer, service}: Entity): Buffer {
  return digest(['Service', layer, service]);
}

/** The values of the keys of an entity, in their order. */
export function namesOf(scope: Scope, entity: Entity): readonly string[] {
  return ENTITY_KEYS[scope].map(key => entity[key] ?? '');
}

export function digest(texts: readonly (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256');
  for (const text of texts) {
    const bytes = typeof text === 'string' ? Buffer.from(text, 'utf8') : text;
    hash.update(`${bytes.length}:`).update(bytes);
  }
  return hash.digest().subarray(0, 16);
}
