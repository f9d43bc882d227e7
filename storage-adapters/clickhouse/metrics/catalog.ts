import {
  compareNames,
  type MetricDefinition,
  type MetricKind,
  type Rollup,
  type RollupHistory,
  type Scope,
} from '../../../core/api/adapter.js';
import type {ClickHouseClient} from '../client/client.js';
import type {RowColumns} from '../client/row-reader.js';
import {sql} from '../client/sql.js';

/** How long the catalog is believed without a look at what other gateways have declared, in milliseconds. */
const FRESH = 1000;

export interface CatalogEntry {
  readonly definition: MetricDefinition;
  readonly rollups: RollupHistory;
  readonly version: bigint;
}

/** The metrics, as the server has them. Declarations through this gateway are seen at once, those of others within a second. */
export class ClickHouseCatalog {
  readonly #client: ClickHouseClient;
  readonly #clock: () => number;
  #metrics: ReadonlyMap<string, CatalogEntry> = new Map();
  #list: readonly MetricDefinition[] = Object.freeze([]);
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  /** A reading that begins when the one under way has ended, for those who came after its begin. */
  #next: Promise<void> | undefined;

  constructor(client: ClickHouseClient, clock: () => number) {
    this.#client = client;
    this.#clock = clock;
  }

  /** All definitions by name; the same array until something changes. */
  async list(): Promise<readonly MetricDefinition[]> {
    await this.#refreshed();
    return this.#list;
  }

  /** As `list`, with what other gateways have declared before this call. */
  async listNow(): Promise<readonly MetricDefinition[]> {
    await this.readNow();
    return this.#list;
  }

  async get(name: string): Promise<CatalogEntry | undefined> {
    await this.#refreshed();
    return this.#metrics.get(name);
  }

  /** Every metric by name, with what other gateways have declared before this call. */
  async readNow(): Promise<ReadonlyMap<string, CatalogEntry>> {
    this.#next ??= this.#readAfter(this.#reading);
    await this.#next;
    return this.#metrics;
  }

  /** What this gateway has just stored. */
  put(metrics: readonly CatalogEntry[]): void {
    if (metrics.length === 0) return;
    const all = new Map(this.#metrics);
    for (const metric of metrics) all.set(metric.definition.name, metric);
    this.#take(all);
  }

  async #refreshed(): Promise<void> {
    if (this.#clock() - this.#readAt < FRESH) return;
    await (this.#reading ?? this.#begin());
  }

  #begin(): Promise<void> {
    const reading = this.#read().finally(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
    this.#reading = reading;
    return reading;
  }

  async #readAfter(current: Promise<void> | undefined): Promise<void> {
    // Waits at least once, so that `#next` is there when it is removed.
    await current?.catch(() => undefined);
    this.#next = undefined;
    await this.#begin();
  }

  async #read(): Promise<void> {
    const at = this.#clock();
    const rows = await this.#client.rows(
      sql`SELECT toUInt8(1), name, scope, kind, type, help, unit, value_labels, rollup, rollup_from, rollups, version FROM metrics`,
      decode,
    );
    const found = new Map(this.#metrics);
    let isChanged = false;
    for (const metric of rows) {
      const known = found.get(metric.definition.name);
      if (known !== undefined && known.version >= metric.version) continue;
      found.set(metric.definition.name, metric);
      isChanged = true;
    }
    if (isChanged) this.#take(found);
    this.#readAt = at;
  }

  #take(metrics: ReadonlyMap<string, CatalogEntry>): void {
    this.#metrics = metrics;
    this.#list = Object.freeze(
      [...metrics.values()].map(({definition}) => definition).sort((a, b) => compareNames(a.name, b.name)),
    );
  }
}

function decode(row: RowColumns): CatalogEntry {
  const [name, scope, kind, type, help, unit] = [1, 2, 3, 4, 5, 6].map(() => row.string()) as [
    string,
    Scope,
    MetricKind,
    string,
    string,
    string,
  ];
  const valueLabels = Object.freeze(row.strings());
  const rollup = row.string() as Rollup;
  const from = row.int32s();
  const rollups = row.strings().map((each, i) => ({from: from[i] ?? 0, rollup: each as Rollup}));
  const definition = Object.freeze({name, scope, kind, type, help, unit, rollup, valueLabels});
  return {definition, rollups, version: row.uint64()};
}
