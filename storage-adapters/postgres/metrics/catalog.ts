import {
  compareNames,
  type MetricDefinition,
  type Rollup,
  type RollupHistory,
  type Scope,
} from '../../../core/api/adapter.js';
import type {PostgresDatabase, ResultRow} from '../client/database.js';
import {decodeText} from '../client/text.js';
import {CATALOG_TOKEN} from '../schema/store.js';

/** How long, in milliseconds, the catalog is believed to be current without asking. */
const FRESH = 1000;

export interface KnownMetric {
  readonly id: number;
  readonly definition: MetricDefinition;
  readonly rollups: RollupHistory;
}

/** All metrics at one moment. */
export interface PostgresCatalogState {
  /** Tells apart states, and databases. */
  readonly token: string;
  readonly definitions: readonly MetricDefinition[];
  readonly byName: ReadonlyMap<string, KnownMetric>;
}

/** Runs a statement, inside a transaction or outside. */
export type RunQuery = <R extends ResultRow>(text: string) => Promise<R[]>;

const NOTHING: PostgresCatalogState = {token: '', definitions: [], byName: new Map()};
const TOKEN = `SELECT ${CATALOG_TOKEN} FROM store s`;

/**
 * The metrics, in memory. What this gateway has declared is there at once; what another one has declared is seen within
 * a second. While nothing changes, the list stays the same array.
 */
export class PostgresCatalog {
  readonly #database: PostgresDatabase;
  #state = NOTHING;
  #checked = Number.NEGATIVE_INFINITY;
  /** States are numbered by the order in which they were asked for; an older one never replaces a newer one. */
  #asked = 0;
  #adopted = 0;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  /** The state of now, or of so many milliseconds ago. */
  async current(signal: AbortSignal, ago = FRESH): Promise<PostgresCatalogState> {
    if (performance.now() - this.#checked < ago) return this.#state;
    const number = ++this.#asked;
    const begun = performance.now();
    const query: RunQuery = text => this.#database.query(text, [], signal);
    const [[token = ''] = []] = await query<[string]>(TOKEN);
    if (token === this.#state.token) {
      this.#checked = Math.max(this.#checked, begun);
      return this.#state;
    }
    this.#adopt(await readCatalog(query), number, begun);
    return this.#state;
  }

  /** The state as a transaction sees it that holds the writers' lock. */
  async within(query: RunQuery, token: string): Promise<PostgresCatalogState> {
    return token === this.#state.token ? this.#state : readCatalog(query);
  }

  /** A transaction that has made this state was committed. */
  committed(state: PostgresCatalogState): void {
    if (state.token !== this.#state.token) this.#adopt(state, ++this.#asked, performance.now());
  }

  #adopt(state: PostgresCatalogState, number: number, time: number): void {
    if (number <= this.#adopted) return;
    this.#adopted = number;
    this.#state = state;
    this.#checked = time;
  }
}

type MetricRow = [
  token: string,
  id: number | null,
  name: string,
  scope: Scope,
  kind: MetricDefinition['kind'],
  type: string,
  help: string,
  unit: string,
  rollup: Rollup,
  valueLabels: string[],
  rollups: RollupHistory,
];

export async function readCatalog(query: RunQuery): Promise<PostgresCatalogState> {
  const rows = await query<MetricRow>(
    `SELECT ${CATALOG_TOKEN}, m.id, name, scope, kind, type, help, unit, rollup, value_labels, rollups
     FROM store s LEFT JOIN metrics m ON true`,
  );
  const metrics = rows.flatMap(([, id, name, scope, kind, type, help, unit, rollup, valueLabels, rollups]) => {
    if (id === null) return [];
    const texts = {type: decodeText(type), help: decodeText(help), unit: decodeText(unit)};
    const definition = Object.freeze({name, scope, kind, ...texts, rollup, valueLabels: Object.freeze(valueLabels)});
    return [{id, definition, rollups}];
  });
  metrics.sort((a, b) => compareNames(a.definition.name, b.definition.name));
  return {
    token: rows[0]?.[0] ?? '',
    definitions: Object.freeze(metrics.map(({definition}) => definition)),
    byName: new Map(metrics.map(metric => [metric.definition.name, metric])),
  };
}
