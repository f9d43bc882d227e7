import type {Series} from '../../../core/api/adapter.js';
import type {PostgresDatabase} from '../client/database.js';
import {decodeText} from '../client/text.js';
import type {KnownMetric} from '../metrics/catalog.js';
import {decodedEntity} from '../schema/keys.js';

export interface NamedSeries {
  readonly metric: KnownMetric;
  /** The same object each time: writers remember what they have found out about it. */
  readonly series: Series;
}

/** The names behind the ids of series, for one export. */
export class SeriesNames {
  readonly #database: PostgresDatabase;
  readonly #metrics: ReadonlyMap<number, KnownMetric>;
  readonly #signal: AbortSignal;
  readonly #known = new Map<number, NamedSeries>();

  constructor(database: PostgresDatabase, metrics: ReadonlyMap<number, KnownMetric>, signal: AbortSignal) {
    this.#database = database;
    this.#metrics = metrics;
    this.#signal = signal;
  }

  /** Those of metrics that were declared when the export began. */
  async of(ids: readonly number[]): Promise<ReadonlyMap<number, NamedSeries>> {
    const unknown = [...new Set(ids)].filter(id => !this.#known.has(id));
    if (unknown.length > 0) {
      const rows = await this.#database.query<[number, number, string, string]>(
        `SELECT s.id, s.metric, to_json(e.names)::text, to_json(s.labels)::text
         FROM series s JOIN entities e ON e.id = s.entity WHERE s.id = ANY($1::int[])`,
        [unknown],
        this.#signal,
      );
      for (const [id, metricId, names, labels] of rows) {
        const metric = this.#metrics.get(metricId);
        if (metric === undefined) continue;
        const {name, scope, valueLabels} = metric.definition;
        const values = JSON.parse(labels) as string[];
        const entity = decodedEntity(scope, JSON.parse(names) as string[]);
        const described = Object.fromEntries(valueLabels.map((label, i) => [label, decodeText(values[i] ?? '')]));
        this.#known.set(id, {metric, series: {metric: name, entity, labels: described}});
      }
    }
    return this.#known;
  }
}
