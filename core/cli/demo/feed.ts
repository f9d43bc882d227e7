import {setTimeout as sleep} from 'node:timers/promises';
import type {Call} from '../../api/call.js';
import {declarationLines, minuteLines} from './records.js';

const MINUTE_MS = 60_000;

/** Minutes in one body. More would hold the thread for long: the gateway runs on the same one. */
const BODY_MINUTES = 5;

const currentMinute = (): number => Math.floor(Date.now() / MINUTE_MS);

/** Sends the scene to the ingest path, as any sender would. */
export class Feed {
  readonly #url: string;
  readonly #call: Call;
  /** The minutes that were sent: from `#first` to before `#next`. */
  #first = 0;
  #next = 0;

  /** `ingest`: the address of the listener. */
  constructor(ingest: string, call: Call) {
    this.#url = `${ingest}/ingest/v1/metrics`;
    this.#call = call;
  }

  /** Declares the metrics and sends the last `minutes` minutes, the current one included. */
  async begin(minutes: number): Promise<void> {
    await this.#post(declarationLines());
    this.#next = currentMinute() + 1;
    this.#first = this.#next - minutes;
    await this.#send(this.#first, this.#next);
  }

  /** Goes back in time until `minutes` minutes are there, then on with each new minute until the signal aborts. */
  async follow(minutes: number): Promise<void> {
    const {signal, log} = this.#call;
    const failed = (error: unknown): void => {
      if (!signal.aborted) log.warn('the demo could not send a part of its data', {err: error});
    };
    await this.#fillBack(this.#next - minutes).catch(failed);
    while (!signal.aborted) {
      const untilNext = MINUTE_MS - (Date.now() % MINUTE_MS);
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
      await this.#post(lines);
    }
  }

  async #post(lines: readonly string[]): Promise<void> {
    const response = await fetch(this.#url, {method: 'POST', body: lines.join('\n'), signal: this.#call.signal});
    const answer = await response.text();
    if (!response.ok) throw new Error(`${this.#url} answered ${response.status}: ${answer}`);
  }
}
