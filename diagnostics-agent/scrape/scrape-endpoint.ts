import {GatewayError} from '../../core/api/errors.js';
import type {Logger} from '../../core/api/telemetry.js';
import type {LineProblem} from '../../plugins/diagnostics/exposition/scan.js';
import type {Recorder} from '../recorder/recorder.js';
import {retry} from '../retry.js';
import type {AgentMetrics} from '../telemetry/agent-metrics.js';
import {type Trouble, TroubleLog} from '../telemetry/trouble-log.js';
import type {PageFetcher} from './fetch-page.js';
import {type PageResult, readPage} from './read-page.js';
import {UpSeries} from './up-series.js';

const FIRST_WAIT_MS = 200;

export interface ScrapeEndpointOptions {
  /** Of the endpoint in the recorder, and of its series that says whether it is up. */
  readonly index: number;
  readonly upIndex: number;
  readonly port: number;
  readonly containerName: string;
}

/** One local metrics endpoint. */
export class ScrapeEndpoint {
  readonly containerName: string;
  readonly #index: number;
  readonly #url: string;
  readonly #labels: {readonly port: string; readonly container_name: string};
  readonly #fetcher: PageFetcher;
  readonly #recorder: Recorder;
  readonly #metrics: AgentMetrics;
  readonly #troubles: TroubleLog;
  readonly #up: UpSeries;

  constructor(
    {index, upIndex, port, containerName}: ScrapeEndpointOptions,
    {fetcher, recorder, metrics, log}: ScrapeServices,
  ) {
    this.#index = index;
    this.containerName = containerName;
    this.#url = `http://localhost:${port}/metrics`;
    this.#labels = {port: String(port), container_name: containerName};
    this.#fetcher = fetcher;
    this.#recorder = recorder;
    this.#metrics = metrics;
    this.#troubles = new TroubleLog(log);
    this.#up = new UpSeries(recorder, upIndex, port);
    metrics.scrapeUp.set(this.#labels, 0);
  }

  /** Scrapes once. Without `identity` nothing is kept. Never rejects: a failure shows in the log and the metrics. */
  async scrape(identity: ReadonlyMap<string, string> | undefined, signal: AbortSignal): Promise<void> {
    const begun = performance.now();
    const time = Date.now();
    try {
      const text = await retry(() => this.#fetcher.fetch(this.#url, signal), {wait: FIRST_WAIT_MS, mayPass, signal});
      const failure = identity === undefined ? undefined : this.#record(text, identity, time);
      if (failure === undefined) this.#metrics.scrapeUp.set(this.#labels, 1);
      // What stands in the line differs from scrape to scrape.
      else this.#failed({reason: place(failure), text: failure.text}, 'a bad page');
      if (identity !== undefined) this.#up.record(failure === undefined, identity, time);
    } catch (error) {
      if (signal.aborted) return;
      const {message} = GatewayError.from(error);
      this.#failed({reason: message}, message);
      if (identity !== undefined) this.#up.record(false, identity, time);
    } finally {
      this.#metrics.scrapeSeconds.set(this.#labels, (performance.now() - begun) / 1000);
    }
  }

  /** Gives the line for which the page cannot be used. */
  #record(text: string, identity: ReadonlyMap<string, string>, time: number): LineProblem | undefined {
    const page = readPage(text, identity, () => this.#recorder.begin(this.#index));
    if (page.failure !== undefined) return page.failure;
    const {samples, repeated} = page.recording.commit(time);
    this.#metrics.scrapedSamples.set(this.#labels, samples);
    this.#metrics.skippedLines.inc(this.#labels, page.skipped);
    this.#metrics.repeatedSamples.inc(this.#labels, repeated);
    // A page of something else than metrics, as a port of the wrong server has.
    if (samples === 0 && page.firstSkipped !== undefined) return page.firstSkipped;
    this.#troubles.report(...this.#skipped(page));
    return undefined;
  }

  #skipped({skipped, firstSkipped: first}: PageResult): readonly Trouble[] {
    if (first === undefined) return [];
    const fields = {url: this.#url, lines: skipped, first: place(first), text: first.text};
    return [{message: 'lines of a metrics page were skipped', fields, key: first.message}];
  }

  #failed(fields: {readonly reason: string; readonly text?: string}, key: string): void {
    this.#recorder.fail(this.#index);
    this.#metrics.scrapeUp.set(this.#labels, 0);
    this.#metrics.scrapeFailures.inc(this.#labels);
    const message = 'an endpoint could not be scraped';
    this.#troubles.report({message, fields: {url: this.#url, ...fields}, key: `failure: ${key}`});
  }
}

const place = ({line, message}: LineProblem): string => `line ${line}: ${message}`;

export interface ScrapeServices {
  readonly fetcher: PageFetcher;
  readonly recorder: Recorder;
  readonly metrics: AgentMetrics;
  readonly log: Logger;
}

function mayPass(error: unknown): boolean {
  const {code} = GatewayError.from(error);
  return code === 'timeout' || code === 'storage_unavailable';
}
