import {type Entity, impliedEntities, type Scope} from '../../../core/api/adapter.js';
import {RowWriter} from '../client/row-writer.js';
import {entityId} from '../schema/keys.js';

/** Entities whose sightings are remembered, so that they need not be stored again. */
const REMEMBERED = 500_000;
const HALF = 2 ** 31;

/** Where a scope keeps the name beside its service. */
const MEMBER: Readonly<Record<Scope, 'serviceInstance' | 'endpoint' | undefined>> = {
  Service: undefined,
  ServiceInstance: 'serviceInstance',
  Endpoint: 'endpoint',
  ServiceRelation: undefined,
  ServiceInstanceRelation: 'serviceInstance',
  EndpointRelation: 'endpoint',
};

/** One entity, and what is known to be stored of when it was seen (minutes since the epoch). */
export class KnownEntity {
  /** The columns of the table before the edge, in the format RowBinary. */
  readonly columns: Buffer;
  readonly id: Buffer;
  /** What is seen whenever this entity is: itself and its service, or both ends of a relation with theirs. */
  readonly seenWith: readonly KnownEntity[];
  first = Number.POSITIVE_INFINITY;
  last = Number.NEGATIVE_INFINITY;

  constructor(scope: Scope, entity: Entity, id: Buffer, ends: readonly KnownEntity[]) {
    this.id = id;
    this.seenWith = [...new Set([this, ...ends.flatMap(end => end.seenWith)])];
    const member = MEMBER[scope];
    const isRelation = scope.endsWith('Relation');
    const {layer, service, destLayer = '', destService = ''} = entity;
    const name = member === undefined ? '' : (entity[member] ?? '');
    const destination = member === 'endpoint' ? entity.destEndpoint : entity.destServiceInstance;
    const row = new RowWriter(128);
    for (const text of [scope, layer, service, name]) row.string(text);
    for (const text of isRelation ? [destLayer, destService, destination ?? ''] : ['', '', '']) row.string(text);
    this.columns = row.finish();
  }
}

/** Finds out what has to be stored of entities that were seen. */
export class KnownEntities {
  #byKey = new Map<string, KnownEntity>();

  find(scope: Scope, entity: Entity): KnownEntity {
    const id = entityId(scope, entity);
    const key = id.toString('latin1');
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const created = new KnownEntity(
      scope,
      entity,
      id,
      impliedEntities(scope, entity).map(([endScope, end]) => this.find(endScope, end)),
    );
    if (this.#byKey.size >= REMEMBERED) this.#byKey = new Map();
    this.#byKey.set(key, created);
    return created;
  }
}

/** The sightings of one group of batches. */
export class EntityObservations {
  readonly #spans = new Map<KnownEntity, {first: number; last: number}>();

  add(entity: KnownEntity, first: number, last: number): void {
    for (const seen of entity.seenWith) {
      const span = this.#spans.get(seen);
      if (span === undefined) {
        this.#spans.set(seen, {first, last});
      } else {
        span.first = Math.min(span.first, first);
        span.last = Math.max(span.last, last);
      }
    }
  }

  /** Of a relation whose ends are told by themselves. */
  addAlone(entity: KnownEntity, minute: number): void {
    const {first, last} = this.#spans.get(entity) ?? {first: minute, last: minute};
    this.#spans.set(entity, {first: Math.min(first, minute), last: Math.max(last, minute)});
  }

  /** A row for each edge that lies beyond what is known to be stored. */
  rows(): RowWriter {
    const rows = new RowWriter();
    const put = ({columns, id}: KnownEntity, edge: 0 | 1, minute: number) => {
      rows.raw(columns);
      rows.uint8(edge);
      rows.int32(minute);
      rows.int64(edge === 0 ? HALF - minute : HALF + minute);
      rows.raw(id);
    };
    for (const [entity, {first, last}] of this.#spans) {
      if (first < entity.first) put(entity, 0, first);
      if (last > entity.last) put(entity, 1, last);
    }
    return rows;
  }

  /** The rows were stored. */
  confirm(): void {
    for (const [entity, {first, last}] of this.#spans) {
      entity.first = Math.min(entity.first, first);
      entity.last = Math.max(entity.last, last);
    }
  }
}
