import {ENTITY_KEYS, type Entity, entityOf, impliedEntities, namesOf, type Scope} from '../../../core/api/adapter.js';
import {MINUTES_PER_HOUR} from '../../../core/toolkit/time.js';
import type {StoredEntity} from '../threads/writer-protocol.js';
import {NameList} from './name-list.js';

/** One entity. `first` and `last` are the minutes of acknowledged sightings. */
export class EntityRecord {
  readonly id: number;
  readonly scope: Scope;
  readonly entity: Entity;
  /** The name in the lists: that of the service, instance or endpoint. */
  readonly name: string;
  /** What is seen whenever this entity is: itself and its service, or both ends of a relation with theirs. */
  readonly seenWith: readonly EntityRecord[];
  /** The service it belongs to; of a relation, that of its source. */
  readonly service: EntityRecord;
  first = Number.POSITIVE_INFINITY;
  last = Number.NEGATIVE_INFINITY;
  /** The database has it. */
  stored = false;
  /** The batch that last counted it among what is new, and the one that last saw it, with its place there. */
  newIn = 0;
  seenIn = 0;
  seenAt = 0;

  constructor(id: number, scope: Scope, entity: Entity, ends: readonly EntityRecord[]) {
    this.id = id;
    this.scope = scope;
    this.entity = entity;
    this.name = entity.serviceInstance ?? entity.endpoint ?? entity.service;
    this.seenWith = scope.endsWith('Relation') ? [...new Set(ends.flatMap(end => end.seenWith))] : [this, ...ends];
    this.service = ends[0]?.service ?? this;
  }

  get names(): readonly string[] {
    return namesOf(this.scope, this.entity);
  }
}

/** The instances and endpoints of a service that are known to readers. */
class Members {
  readonly ServiceInstance = new NameList<EntityRecord>();
  readonly Endpoint = new NameList<EntityRecord>();
}

class Layer {
  readonly services = new NameList<EntityRecord>();
  constructor(readonly name: string) {}
}

/** Every entity, by its keys, and the lists of those that readers may see. */
export class Entities {
  readonly #byKey: Readonly<Record<Scope, Map<string, EntityRecord>>> = {
    Service: new Map(),
    ServiceInstance: new Map(),
    Endpoint: new Map(),
    ServiceRelation: new Map(),
    ServiceInstanceRelation: new Map(),
    EndpointRelation: new Map(),
  };
  readonly #byId: EntityRecord[] = [];
  readonly #layers = new NameList<Layer>();
  readonly #members = new Map<EntityRecord, Members>();
  #version = 0;
  #versionByHours = 0;

  find(scope: Scope, entity: Entity): EntityRecord | undefined {
    return this.#byKey[scope].get(keyOf(scope, entity));
  }

  /** One more than the largest id. */
  get size(): number {
    return this.#byId.length;
  }

  byId(id: number): EntityRecord | undefined {
    return this.#byId[id];
  }

  /** The entity, made if need be together with those that become known by it. Readers see it once it was `seen`. */
  findOrAdd(scope: Scope, entity: Entity): EntityRecord {
    const key = keyOf(scope, entity);
    const found = this.#byKey[scope].get(key);
    if (found !== undefined) return found;
    const ends = impliedEntities(scope, entity).map(([endScope, end]) => this.findOrAdd(endScope, end));
    return this.#add(new EntityRecord(this.#byId.length, scope, only(scope, entity), ends), key);
  }

  /** Takes over what the database has; ids ascend, and an entity comes after those that become known by it. */
  load({id, scope, names, first, last}: StoredEntity): void {
    const entity = Object.freeze(entityOf(scope, names));
    const ends = impliedEntities(scope, entity).map(([endScope, end]) => this.findOrAdd(endScope, end));
    this.#byId.length = Math.max(this.#byId.length, id);
    const record = this.#add(new EntityRecord(id, scope, entity, ends), keyOf(scope, entity));
    record.stored = true;
    if (first !== null && last !== null) this.seen(record, first, last);
  }

  /** Another number after each change of an entity, or of when it was seen. */
  get version(): number {
    return this.#version;
  }

  /** The same, but for entities seen again in the hour in which they were last seen: what samples do all the time. */
  get versionByHours(): number {
    return this.#versionByHours;
  }

  seen(record: EntityRecord, first: number, last: number): void {
    const isNew = record.last < record.first;
    if (first < record.first || last > record.last) this.#version++;
    if (first < record.first || hourOf(last) > hourOf(record.last)) this.#versionByHours++;
    record.first = Math.min(record.first, first);
    record.last = Math.max(record.last, last);
    if (isNew) this.#list(record);
  }

  layers(): readonly string[] {
    return this.#layers.sorted().map(({name}) => name);
  }

  services(layer: string): NameList<EntityRecord> | undefined {
    return this.#layers.get(layer)?.services;
  }

  members(layer: string, service: string, scope: 'ServiceInstance' | 'Endpoint'): NameList<EntityRecord> | undefined {
    const record = this.find('Service', {layer, service});
    return record === undefined ? undefined : this.#members.get(record)?.[scope];
  }

  #add(record: EntityRecord, key: string): EntityRecord {
    this.#byId[record.id] = record;
    this.#byKey[record.scope].set(key, record);
    return record;
  }

  #list(record: EntityRecord): void {
    const {scope, entity} = record;
    if (scope === 'Service') {
      if (this.#layers.get(entity.layer) === undefined) this.#layers.add(new Layer(entity.layer));
      this.#layers.get(entity.layer)?.services.add(record);
    } else if (scope === 'ServiceInstance' || scope === 'Endpoint') {
      let members = this.#members.get(record.service);
      if (members === undefined) {
        members = new Members();
        this.#members.set(record.service, members);
      }
      members[scope].add(record);
    }
  }
}

function hourOf(minute: number): number {
  return Math.floor(minute / MINUTES_PER_HOUR);
}

/** The names with their lengths before them, so that no two entities share a key whatever their names hold. */
function keyOf(scope: Scope, entity: Entity): string {
  let key = '';
  for (const name of ENTITY_KEYS[scope]) {
    const value = entity[name] ?? '';
    key += `${value.length}:${value}`;
  }
  return key;
}

function only(scope: Scope, entity: Entity): Entity {
  const {layer, service, serviceInstance = '', endpoint = ''} = entity;
  // Of these scopes there are many: a literal costs far less than an object that grows key by key.
  if (scope === 'Service') return Object.freeze({layer, service});
  if (scope === 'ServiceInstance') return Object.freeze({layer, service, serviceInstance});
  if (scope === 'Endpoint') return Object.freeze({layer, service, endpoint});
  return Object.freeze(entityOf(scope, namesOf(scope, entity)));
}
