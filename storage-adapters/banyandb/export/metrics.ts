import type {Call, ExportPage, ExportRequest, MetricExport, MetricExporter} from '../../../core/api/adapter.js';
import {MetricExportPage} from '../../../core/toolkit/metric-export-page.js';
import type {MetricReaderOptions} from '../metrics/reader.js';
import {entityPages} from './entities.js';
import {historyOf} from './histories.js';
import {decodePlace, encodePlace, firstPlace, type MetricPlace, SECTIONS, sectionStart} from './place.js';
import {recordPages} from './records.js';
import {valuePages} from './values.js';

type Pages = AsyncGenerator<ExportPage<MetricExport>>;

/**
 * Goes over all of time in slices that are each answered whole, as the server cuts answers without a word: one that is as
 * long as its limit is asked for again in parts, and a single minute that is still too much is an error that names it.
 */
export class BanyanDBMetricExporter implements MetricExporter {
  readonly #options: MetricReaderOptions;

  constructor(options: MetricReaderOptions) {
    this.#options = options;
  }

  async *pages(request: ExportRequest, call: Call): Pages {
    const {after} = request;
    let place = after === undefined ? firstPlace(Date.now()) : decodePlace(after);
    if (after === undefined) yield await this.#declarations(place, call);
    const first = Math.max(0, SECTIONS.indexOf(place.section));
    for (const [i, section] of SECTIONS.entries()) {
      if (i < first) continue;
      if (i > first) place = {...place, ...sectionStart(section)};
      if (section === 'entities') yield* entityPages(this.#options.traffic, place, call);
      else if (section === 'records') yield* recordPages(this.#options, place, request, call);
      else place = yield* valuePages(this.#options, section, place, request, call);
    }
  }

  async #declarations(place: MetricPlace, {signal}: Call): Promise<ExportPage<MetricExport>> {
    const page = new MetricExportPage<string>();
    for (const definition of (await this.#options.catalog.state(signal)).definitions)
      page.addMetric(historyOf(definition));
    return {content: page.content(), resume: encodePlace(place)};
  }
}
