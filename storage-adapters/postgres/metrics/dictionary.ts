import {
  type Entity,
  GatewayError,
  impliedEntities,
  namesOf,
  type Scope,
  type Series,
} from '../../../core/api/adapter.js';
import type {Transaction} from '../client/database.js';
import {encodeText} from '../client/text.js';
import {digestOf, encodedNames, plainKey} from '../schema/keys.js';
import {PostgresEntityRecord} from './entity-record.js';

/** More entities and series than this, and the memory of them begins anew. */
const CAPACITY = 500_000;
const ROWS_PER_STATEMENT = 5000;

export class PostgresSeriesRecord {
  readonly metric: number;
  readonly entity: PostgresEntityRecord;
  readonly labels: readonly string[];
  readonly key: string;
  id: number | undefined;

  constructor(metric: number, entity: PostgresEntityRecord, labels: readonly string[]) {
    this.metric = metric;
    this.entity = entity;
    this.labels = labels;
    this.key = digestOf(metric, entity.key, ...labels);
  }
}

/** The ids of one batch, which count from its commit on. */
export interface Resolved {
  readonly entities: ReadonlyMap<PostgresEntityRecord, number>;
  readonly series: ReadonlyMap<PostgresSeriesRecord, number>;
}

/** The id of a row that is known, or was resolved in this transaction. */
export function idIn<Record extends {readonly id: number | undefined}>(
  resolved: ReadonlyMap<Record, number>,
  record: Record,
): number {
  const id = record.id ?? resolved.get(record);
  if (id === undefined) throw new GatewayError('internal', 'BUG: a row of the dictionary has no id');
  return id;
}

/**
 * Ids of entities and series. Rows of the dictionary are never changed or removed, so an id that is committed can be
 * remembered; whoever else writes to the database finds the same rows by their keys.
 */
export class PostgresDictionary {
  #entities = new Map<string, PostgresEntityRecord>();
  #series = new Map<string, PostgresSeriesRecord>();
  /** Callers pass the same object batch after batch. */
  #byIdentity = new WeakMap<Series, PostgresSeriesRecord>();
  #epoch = '';

  /** Forgets all ids when they may be those of another database, or of one that was set back. */
  enter(epoch: string): void {
    const isFull = this.#entities.size + this.#series.size > CAPACITY;
    if (epoch === this.#epoch && !isFull) return;
    this.#epoch = epoch;
    this.#entities = new Map();
    this.#series = new Map();
    this.#byIdentity = new WeakMap();
  }

  entity(scope: Scope, entity: Entity): PostgresEntityRecord {
    const key = JSON.stringify([scope, ...namesOf(scope, entity)]);
    const found = this.#entities.get(key);
    if (found !== undefined) return found;
    const ends = impliedEntities(scope, entity).map(([endScope, end]) => this.entity(endScope, end));
    const record = new PostgresEntityRecord(scope, entity, ends);
    this.#entities.set(key, record);
    return record;
  }

  series(
    series: Series,
    metric: {readonly id: number; readonly scope: Scope; readonly valueLabels: readonly string[]},
  ) {
    const known = this.#byIdentity.get(series);
    // A metric whose declaration was rolled back gets another id when it is declared again.
    if (known?.metric === metric.id) return known;
    const labels = metric.valueLabels.map(name => series.labels[name] ?? '');
    const made = new PostgresSeriesRecord(metric.id, this.entity(metric.scope, series.entity), labels);
    const record = this.#series.get(made.key) ?? made;
    this.#series.set(record.key, record);
    this.#byIdentity.set(series, record);
    return record;
  }

  /** Finds or makes the rows of these and of what becomes known by them. */
  async resolve(
    transaction: Transaction,
    entities: Iterable<PostgresEntityRecord>,
    series: Iterable<PostgresSeriesRecord>,
  ): Promise<Resolved> {
    const unknown = new Set<PostgresEntityRecord>();
    const add = (entity: PostgresEntityRecord): void => {
      for (const one of [entity, ...entity.seenWith]) if (one.id === undefined) unknown.add(one);
    };
    const newSeries = new Set<PostgresSeriesRecord>();
    for (const entity of entities) add(entity);
    for (const one of series) {
      add(one.entity);
      if (one.id === undefined) newSeries.add(one);
    }
    const entityIds = await resolveRows(transaction, 'entities', [...unknown], insertEntities);
    const idOf = (entity: PostgresEntityRecord): number => idIn(entityIds, entity);
    const seriesIds = await resolveRows(transaction, 'series', [...newSeries], (tx, rows) =>
      insertSeries(tx, rows, idOf),
    );
    return {entities: entityIds, series: seriesIds};
  }

  /** The transaction that has resolved these was committed. */
  confirm({entities, series}: Resolved): void {
    for (const [record, id] of entities) record.id = id;
    for (const [record, id] of series) record.id = id;
  }
}

type IdRows = Promise<[string, number][]>;

async function resolveRows<Record extends {readonly key: string}>(
  transaction: Transaction,
  table: 'entities' | 'series',
  records: readonly Record[],
  insert: (transaction: Transaction, records: readonly Record[]) => IdRows,
): Promise<Map<Record, number>> {
  const ids = new Map<Record, number>();
  for (let from = 0; from < records.length; from += ROWS_PER_STATEMENT) {
    const byKey = new Map(records.slice(from, from + ROWS_PER_STATEMENT).map(record => [record.key, record]));
    const take = (rows: readonly [string, number][]): void => {
      for (const [uuid, id] of rows) {
        const record = byKey.get(plainKey(uuid));
        if (record !== undefined) ids.set(record, id);
        byKey.delete(plainKey(uuid));
      }
    };
    take(await transaction.query(`SELECT key, id FROM ${table} WHERE key = ANY($1::uuid[])`, [[...byKey.keys()]]));
    if (byKey.size > 0) take(await insert(transaction, [...byKey.values()]));
  }
  return ids;
}

function insertEntities(transaction: Transaction, records: readonly PostgresEntityRecord[]): IdRows {
  const rows = records.map(({key, parent, scope, name, names}) => ({
    key,
    parent,
    scope,
    name: encodeText(name),
    names: encodedNames(names),
  }));
  return transaction.query(
    `INSERT INTO entities (key, parent, scope, name, names)
     SELECT key, parent, scope, name, names
     FROM json_to_recordset($1) AS row(key uuid, parent uuid, scope text, name text, names text[])
     RETURNING key, id`,
    [JSON.stringify(rows)],
  );
}

function insertSeries(
  transaction: Transaction,
  records: readonly PostgresSeriesRecord[],
  idOf: (entity: PostgresEntityRecord) => number,
): IdRows {
  const rows = records.map(({key, metric, entity, labels}) => ({
    key,
    metric,
    entity: idOf(entity),
    labels: labels.map(encodeText),
  }));
  return transaction.query(
    `INSERT INTO series (key, metric, entity, labels)
     SELECT key, metric, entity, labels
     FROM json_to_recordset($1) AS row(key uuid, metric int, entity int, labels text[])
     RETURNING key, id`,
    [JSON.stringify(rows)],
  );
}
