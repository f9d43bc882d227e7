import {
  adoptedHistory,
  conflictBetween,
  GatewayError,
  isSameDeclaration,
  type MetricDefinition,
  type MetricHistory,
  type RollupHistory,
  withRollup,
} from '../../../core/api/adapter.js';
import type {ClickHouseClient} from '../client/client.js';
import {RowWriter} from '../client/row-writer.js';
import {sql} from '../client/sql.js';
import type {VersionClock} from '../client/version-clock.js';
import type {CatalogEntry, ClickHouseCatalog} from './catalog.js';

/** Stores declarations of metrics, against those that stand at the server just then. */
export class Declarations {
  readonly #client: ClickHouseClient;
  readonly #catalog: ClickHouseCatalog;
  readonly #clock: VersionClock;

  constructor(client: ClickHouseClient, catalog: ClickHouseCatalog, clock: VersionClock) {
    this.#client = client;
    this.#catalog = catalog;
    this.#clock = clock;
  }

  /** Stores what is new. Refuses all when one contradicts another or one that stands. */
  async store(definitions: readonly MetricDefinition[]): Promise<void> {
    const standing = await this.#catalog.readNow();
    const latest = new Map<string, MetricDefinition>();
    for (const definition of definitions) {
      const earlier = latest.get(definition.name) ?? standing.get(definition.name)?.definition;
      const conflict = earlier && conflictBetween(earlier, definition);
      if (conflict !== undefined) throw new GatewayError('bad_request', conflict);
      latest.set(definition.name, freeze(definition));
    }
    const changed: CatalogEntry[] = [];
    for (const definition of latest.values()) {
      const stored = standing.get(definition.name);
      if (stored !== undefined && isSameDeclaration(stored.definition, definition)) continue;
      changed.push({definition, rollups: await this.#history(definition, stored), version: this.#clock.next()});
    }
    await this.#put(changed);
  }

  /** Declares the metrics of exported pages, with the rollups that they have had. */
  async adopt(histories: readonly MetricHistory[]): Promise<void> {
    await this.store(histories.map(({definition}) => definition));
    const standing = await this.#catalog.readNow();
    const changed = histories.flatMap(({definition, rollups}): readonly CatalogEntry[] => {
      const own = standing.get(definition.name);
      const adopted = own === undefined ? undefined : adoptedHistory(own.rollups, rollups);
      if (own === undefined || adopted === undefined || adopted === own.rollups) return [];
      return [{definition: own.definition, rollups: adopted, version: this.#clock.next()}];
    });
    await this.#put(changed);
  }

  async #put(changed: readonly CatalogEntry[]): Promise<void> {
    if (changed.length === 0) return;
    const rows = new RowWriter();
    for (const metric of changed) write(rows, metric);
    const columns = sql`name, scope, kind, type, help, unit, value_labels, rollup, rollup_from, rollups, version`;
    await this.#client.insert(sql`metrics (${columns})`, rows.finish());
    this.#catalog.put(changed);
  }

  async #history({name, rollup}: MetricDefinition, stored: CatalogEntry | undefined): Promise<RollupHistory> {
    if (stored === undefined) return [{from: 0, rollup}];
    if (stored.definition.rollup === rollup) return stored.rollups;
    const newest = await this.#client.rows(
      sql`SELECT toUInt8(1), max(newest) FROM (
        SELECT max(hour) AS newest FROM minutes WHERE metric = ${name} HAVING count() > 0
        UNION ALL SELECT max(hour) AS newest FROM hours WHERE metric = ${name} HAVING count() > 0
      ) HAVING count() > 0`,
      row => row.int32(),
    );
    return withRollup(stored.rollups, rollup, newest[0]);
  }
}

function write(row: RowWriter, {definition, rollups, version}: CatalogEntry): void {
  const {name, scope, kind, type, help, unit, valueLabels, rollup} = definition;
  for (const text of [name, scope, kind, type, help, unit]) row.string(text);
  row.strings(valueLabels);
  row.string(rollup);
  row.size(rollups.length);
  for (const {from} of rollups) row.int32(from);
  row.strings(rollups.map(entry => entry.rollup));
  row.uint64(version);
}

function freeze({name, scope, kind, type, help, unit, rollup, valueLabels}: MetricDefinition): MetricDefinition {
  return Object.freeze({name, scope, kind, type, help, unit, rollup, valueLabels: Object.freeze([...valueLabels])});
}
