import {
  type Call,
  type HistoryWriter,
  type KeptBucket,
  type MetricExport,
  rollupAt,
  type Series,
  undeclared,
} from '../../../core/api/adapter.js';
import {meanOf} from '../../../core/toolkit/exact-mean.js';
import {ExactSum} from '../../../core/toolkit/exact-sum.js';
import {SECONDS_PER_DAY, SECONDS_PER_HOUR} from '../../../core/toolkit/time.js';
import type {ClickHouseClient} from '../client/client.js';
import {RowWriter} from '../client/row-writer.js';
import {sql} from '../client/sql.js';
import {entityId, serviceId} from '../schema/keys.js';
import type {CatalogEntry, ClickHouseCatalog} from './catalog.js';
import type {ClickHouseMetricWriter} from './writer.js';

/** What else has to be done at the storage. */
export interface HistoryHost {
  /**
   * Makes the hours before `hours` and the days before `days` of the minutes that are here, and has them read from their
   * tables from then on.
   */
  keepBefore(borders: {readonly hours: number; readonly days: number}, signal: AbortSignal): Promise<void>;
}

/** Takes exported pages: what a batch can hold through the writer of batches, then the hours and days. */
export class ClickHouseHistoryWriter implements HistoryWriter {
  readonly #client: ClickHouseClient;
  readonly #catalog: ClickHouseCatalog;
  readonly #writer: ClickHouseMetricWriter;
  readonly #host: HistoryHost;

  constructor(client: ClickHouseClient, catalog: ClickHouseCatalog, writer: ClickHouseMetricWriter, host: HistoryHost) {
    this.#client = client;
    this.#catalog = catalog;
    this.#writer = writer;
    this.#host = host;
  }

  async write({metrics, sightings, samples, kept, records}: MetricExport, call: Call): Promise<void> {
    await this.#writer.adopt(metrics);
    await this.#writer.write({metrics: [], sightings, samples, records}, call);
    if (kept.values.length === 0) return;
    await this.#writer.knowRelations(kept);
    await this.#host.keepBefore(bordersOf(kept.values), call.signal);
    const known = await this.#catalog.readNow();
    const columns = kept.series.map(series => columnsOf(series, entryOf(known, series.metric)));
    for (const step of ['hour', 'day'] as const) {
      const rows = new RowWriter();
      for (const bucket of kept.values) {
        const series = kept.series[bucket.series];
        const whose = columns[bucket.series];
        if (bucket.step !== step || series === undefined || whose === undefined) continue;
        rows.raw(whose);
        write(rows, bucket, entryOf(known, series.metric));
      }
      const into = step === 'hour' ? sql`hours` : sql`days`;
      const time = step === 'hour' ? sql`hour` : sql`day`;
      const names = sql`metric, service, entity, labels, ${time}, value, total, minutes`;
      if (rows.length > 0) await this.#client.insert(sql`${into} (${names})`, rows.finish());
    }
  }
}

/** The end of the latest hour, and that of the latest day whose hours are all of before. */
function bordersOf(values: readonly KeptBucket[]) {
  let [hours, days] = [Number.MIN_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
  for (const {step, time} of values) {
    if (step === 'hour') hours = Math.max(hours, time / SECONDS_PER_HOUR + 1);
    else days = Math.max(days, time / SECONDS_PER_DAY + 1);
  }
  return {hours, days};
}

function entryOf(known: ReadonlyMap<string, CatalogEntry>, name: string): CatalogEntry {
  const entry = known.get(name);
  if (entry === undefined) throw undeclared(name);
  return entry;
}

function columnsOf({metric, entity, labels}: Series, {definition: {scope, valueLabels}}: CatalogEntry): Buffer {
  const row = new RowWriter(128);
  row.string(metric);
  row.raw(serviceId(entity));
  row.raw(entityId(scope, entity));
  row.strings(valueLabels.map(label => labels[label] ?? ''));
  return row.finish();
}

const sum = new ExactSum();

function write(rows: RowWriter, {step, time, minutes, terms}: KeptBucket, {rollups}: CatalogEntry): void {
  const rollup = rollupAt(rollups, Math.floor(time / SECONDS_PER_HOUR));
  sum.reset();
  for (const term of terms) sum.add(term);
  rows.int32(Math.floor(time / (step === 'hour' ? SECONDS_PER_HOUR : SECONDS_PER_DAY)));
  rows.float64(rollup === 'avg' ? meanOf(sum, minutes) : sum.rounded());
  rows.float64(sum.rounded());
  rows.uint64(BigInt(minutes));
}
