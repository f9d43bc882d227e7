import {type Call, type HistoryWriter, type MetricExport, STEP_SECONDS} from '../../../core/api/adapter.js';
import {SECONDS_PER_HOUR} from '../../../core/toolkit/time.js';
import type {KeptColumns} from '../threads/writer-protocol.js';
import type {EmbeddedCatalog} from './catalog.js';
import type {EmbeddedMetricWriter} from './writer.js';

/** Takes exported pages: what a batch can hold through the writer of batches, then the hours and days. */
export class EmbeddedHistoryWriter implements HistoryWriter {
  readonly #catalog: EmbeddedCatalog;
  readonly #writer: EmbeddedMetricWriter;
  readonly #keep: (columns: KeptColumns) => Promise<void>;

  /** `keep` has hours and days stored. */
  constructor(catalog: EmbeddedCatalog, writer: EmbeddedMetricWriter, keep: (columns: KeptColumns) => Promise<void>) {
    this.#catalog = catalog;
    this.#writer = writer;
    this.#keep = keep;
  }

  async write({metrics, sightings, samples, kept, records}: MetricExport, call: Call): Promise<void> {
    const batch = {metrics: metrics.map(({definition}) => definition), sightings, samples, records};
    const newest = kept.series.map(() => Number.NEGATIVE_INFINITY);
    for (const {series, time, step} of kept.values) {
      const hour = Math.floor((time + STEP_SECONDS[step]) / SECONDS_PER_HOUR) - 1;
      newest[series] = Math.max(newest[series] ?? hour, hour);
    }
    const described = kept.series.map((series, i) => ({series, hour: newest[i] ?? 0}));
    await this.#writer.write(batch, call, {histories: metrics, kept: described});
    if (kept.values.length === 0) return;
    const ids = kept.series.map(series => this.#catalog.seriesOf(series).id);
    await this.#keep({
      isDay: Uint8Array.from(kept.values, ({step}) => Number(step === 'day')),
      series: Int32Array.from(kept.values, ({series}) => ids[series] ?? -1),
      bucket: Int32Array.from(kept.values, ({step, time}) => Math.floor(time / STEP_SECONDS[step])),
      minutes: Int32Array.from(kept.values, ({minutes}) => minutes),
      terms: kept.values.map(({terms}) => terms),
    });
  }
}
