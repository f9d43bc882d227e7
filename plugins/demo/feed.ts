import {setTimeout as sleep} from 'node:timers/promises';
import type {Call} from '../../core/api/plugin.js';
import {MINUTES_PER_HOUR, MS_PER_MINUTE} from '../../core/toolkit/time.js';
import {compatSpans} from './shop/compat-spans.js';
import {declarationLines, minuteLines} from './shop/metric-records.js';
import {nativeSegments} from './shop/native-segments.js';
import {otlpRequest} from './shop/otlp-spans.js';
import {type Request, requestsOf} from './shop/requests.js';

/** Minutes in one body. More would hold the thread for long: the gateway runs on the same one. */
const BODY_MINUTES = 5;

/** Sent before the ready line, so that the first answer is there soon: so many that a whole incident is among them. */
export const FIRST_MINUTES = 3 * MINUTES_PER_HOUR;

/** How far traces go back. */
const TRACED_MINUTES = 7 * MINUTES_PER_HOUR;

const currentMinute = (): number => Math.floor(Date.now() / MS_PER_MINUTE);

/** Those of the listeners that take data. */
export interface FeedAddresses {
  readonly ingest: string;
  readonly otlp: string;
}

/** Sends the scene to the ingest paths, as any sender would. */
export class Feed {
  readonly #addresses: FeedAddresses;
  readonly #call: Call;
  /** The minutes that were sent: from `#first` to before `#next`. */
  #first = 0;
  #next = 0;

  constructor(addresses: FeedAddresses, call: Call) {
    this.#addresses = addresses;
    this.#call = call;
  }

  /** Declares the metrics and sends the last `minutes` minutes, the current one included. */
  async begin(minutes: number): Promise<void> {
    await this.#postLines(declarationLines());
    this.#next = currentMinute() + 1;
    this.#first = this.#next - minutes;
    await this.#send(this.#first, this.#next);
  }

  /** Of the last minutes whose traces were sent by `begin`, the request that came through most services. */
  get example(): Request {
    const minutes = Array.from({length: BODY_MINUTES}, (_, i) => this.#next - 2 - i);
    const size = (request: Request): number => [...compatSpans(request)].length;
    return minutes.flatMap(requestsOf).reduce((most, request) => (size(request) > size(most) ? request : most));
  }

  /** Goes back in time until `minutes` minutes are there, then on with each new minute until the signal aborts. */
  async follow(minutes: number): Promise<void> {
    const {signal, log} = this.#call;
    const failed = (error: unknown): void => {
      if (!signal.aborted) log.warn('the demo could not send a part of its data', {err: error});
    };
    await this.#fillBack(this.#next - minutes).catch(failed);
    while (!signal.aborted) {
      const untilNext = MS_PER_MINUTE - (Date.now() % MS_PER_MINUTE);
      await sleep(untilNext, undefined, {signal})
        .then(() => this.#catchUp())
        .catch(failed);
    }
  }

  async #fillBack(oldest: number): Promise<void> {
    while (this.#first > oldest) {
      const from = Math.max(oldest, this.#first - 60);
      await this.#send(from, this.#first);
      this.#first = from;
      await this.#catchUp();
    }
  }

  /** What could not be sent before is sent too. */
  async #catchUp(): Promise<void> {
    const end = currentMinute() + 1;
    await this.#send(this.#next, end);
    this.#next = end;
  }

  async #send(from: number, to: number): Promise<void> {
    for (let first = from; first < to; first += BODY_MINUTES) {
      const lines: string[] = [];
      for (let minute = first; minute < Math.min(to, first + BODY_MINUTES); minute++)
        lines.push(...minuteLines(minute));
      await this.#postLines(lines);
      await this.#sendTraces(first, Math.min(to, first + BODY_MINUTES));
    }
  }

  /** The traces of a minute come with the metrics of the next one: only then have its requests begun. */
  async #sendTraces(from: number, to: number): Promise<void> {
    const oldest = currentMinute() - TRACED_MINUTES;
    const minutes = Array.from({length: to - from}, (_, i) => from + i - 1).filter(minute => minute >= oldest);
    const requests = minutes.flatMap(requestsOf);
    if (requests.length === 0) return;
    await this.#post('/api/v2/spans', JSON.stringify(requests.flatMap(request => [...compatSpans(request)])));
    await this.#post('/v3/segments', JSON.stringify(requests.flatMap(request => [...nativeSegments(request)])));
    await this.#postTo(`${this.#addresses.otlp}/v1/traces`, JSON.stringify(otlpRequest(requests)));
  }

  #postLines(lines: readonly string[]): Promise<void> {
    return this.#post('/ingest/v1/metrics', lines.join('\n'));
  }

  #post(path: string, body: string): Promise<void> {
    return this.#postTo(`${this.#addresses.ingest}${path}`, body);
  }

  async #postTo(url: string, body: string): Promise<void> {
    const headers = {'content-type': 'application/json'};
    const response = await fetch(url, {method: 'POST', headers, body, signal: this.#call.signal});
    const answer = await response.text();
    if (!response.ok) throw new Error(`${url} answered ${response.status}: ${answer}`);
  }
}
