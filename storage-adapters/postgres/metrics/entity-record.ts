import {type Entity, namesOf, type Scope} from '../../../core/api/adapter.js';
import {entityKey, layerKey} from '../schema/keys.js';

/** One entity of a batch, on its way to its id. */
export class PostgresEntityRecord {
  readonly scope: Scope;
  readonly names: readonly string[];
  readonly key: string;
  /** The key of what it is listed under: of its service, or for a service of its layer. */
  readonly parent: string;
  /** The name under which it is listed. */
  readonly name: string;
  /** The key of its service; of a relation, of the service at its source. */
  readonly service: string;
  /** What is seen whenever this entity is: itself and its service, or both ends of a relation with theirs. */
  readonly seenWith: readonly PostgresEntityRecord[];
  /** Known once a transaction that has it was committed. */
  id: number | undefined;
  /** The minutes of which the database knows, at least. */
  first = Number.POSITIVE_INFINITY;
  last = Number.NEGATIVE_INFINITY;

  constructor(scope: Scope, entity: Entity, ends: readonly PostgresEntityRecord[]) {
    this.scope = scope;
    this.names = namesOf(scope, entity);
    this.key = entityKey(scope, this.names);
    this.service = ends[0]?.service ?? this.key;
    this.parent = scope === 'Service' ? layerKey(entity.layer) : this.service;
    this.name = entity.serviceInstance ?? entity.endpoint ?? entity.service;
    const isRelation = scope.endsWith('Relation');
    this.seenWith = [...new Set([...(isRelation ? [] : [this]), ...ends.flatMap(end => end.seenWith)])];
  }
}
