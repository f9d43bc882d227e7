import {GatewayError} from '../../core/api/errors.js';
import type {Logger} from '../../core/api/telemetry.js';
import type {Recorder} from '../recorder/recorder.js';
import {retry} from '../retry.js';
import type {AgentMetrics} from '../telemetry/agent-metrics.js';
import type {PageFetcher} from './fetch-page.js';
import {readPage} from './read-page.js';

const FIRST_WAIT_MS = 200;

/** One local metrics endpoint. */
export class Endpoint {
  readonly containerName: string;
  readonly #index: number;
  readonly #url: string;
  readonly #labels: {readonly port: string; readonly container_name: string};
  readonly #fetcher: PageFetcher;
  readonly #recorder: Recorder;
  readonly #metrics: AgentMetrics;
  readonly #log: Logger;
  /** What was wrong at the last scrape: a state that lasts is logged once. */
  #trouble = '';

  constructor(
    {index, port, containerName}: {readonly index: number; readonly port: number; readonly containerName: string},
    {fetcher, recorder, metrics, log}: EndpointServices,
  ) {
    this.#index = index;
    this.containerName = containerName;
    this.#url = `http://localhost:${port}/metrics`;
    this.#labels = {port: String(port), container_name: containerName};
    this.#fetcher = fetcher;
    this.#recorder = recorder;
    this.#metrics = metrics;
    this.#log = log;
    metrics.scrapeUp.set(this.#labels, 0);
  }

  /** Scrapes once. Without `identity` nothing is kept. Never rejects: a failure shows in the log and the metrics. */
  async scrape(identity: ReadonlyMap<string, string> | undefined, signal: AbortSignal): Promise<void> {
    const begun = performance.now();
    const time = Date.now();
    try {
      const text = await retry(() => this.#fetcher.fetch(this.#url, signal), {wait: FIRST_WAIT_MS, mayPass, signal});
      if (identity !== undefined) this.#record(text, identity, time);
      this.#metrics.scrapeUp.set(this.#labels, 1);
    } catch (error) {
      if (signal.aborted) return;
      this.#recorder.fail(this.#index);
      this.#metrics.scrapeUp.set(this.#labels, 0);
      this.#metrics.scrapeFailures.inc(this.#labels);
      this.#report('an endpoint could not be scraped', GatewayError.from(error).message);
    } finally {
      this.#metrics.scrapeSeconds.set(this.#labels, (performance.now() - begun) / 1000);
    }
  }

  #record(text: string, identity: ReadonlyMap<string, string>, time: number): void {
    const page = readPage(text, identity, () => this.#recorder.begin(this.#index));
    if (page.failure !== undefined) {
      throw new GatewayError('storage_failed', `line ${page.failure.line}: ${page.failure.message}`);
    }
    const {samples, repeated} = page.recording.commit(time);
    this.#metrics.scrapedSamples.set(this.#labels, samples);
    this.#metrics.skippedLines.inc(this.#labels, page.skipped);
    this.#metrics.repeatedSamples.inc(this.#labels, repeated);
    const first = page.firstSkipped?.replace(/^line \d+/, 'a line');
    if (first === undefined) this.#trouble = '';
    else this.#report('lines of a metrics page were skipped', first, {lines: page.skipped, first: page.firstSkipped});
  }

  #report(message: string, reason: string, fields: Readonly<Record<string, unknown>> = {reason}): void {
    const isNew = this.#trouble !== reason;
    this.#trouble = reason;
    this.#log[isNew ? 'warn' : 'debug'](message, {url: this.#url, ...fields});
  }
}

export interface EndpointServices {
  readonly fetcher: PageFetcher;
  readonly recorder: Recorder;
  readonly metrics: AgentMetrics;
  readonly log: Logger;
}

function mayPass(error: unknown): boolean {
  const {code} = GatewayError.from(error);
  return code === 'timeout' || code === 'storage_unavailable';
}
