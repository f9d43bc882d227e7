import {setTimeout as sleep} from 'node:timers/promises';
import type {Call} from '../../api/call.js';
import {declarationLines, minuteLines} from './records.js';

const MINUTE_MS = 60_000;

/** Minutes in one body: an hour, some 35,000 records. */
const BODY_MINUTES = 60;

export const currentMinute = (): number => Math.floor(Date.now() / MINUTE_MS);

/** Sends the scene to the ingest path as any sender would: what happened so far, then each minute as it comes. */
export class Feed {
  readonly #url: string;
  readonly #call: Call;
  /** The first minute that has not been sent. */
  #next = 0;

  /** `ingest`: the address of the listener. */
  constructor(ingest: string, call: Call) {
    this.#url = `${ingest}/ingest/v1/metrics`;
    this.#call = call;
  }

  /** Declares the metrics and sends the last `minutes` minutes, the current one included. */
  async begin(minutes: number): Promise<void> {
    await this.#post(declarationLines());
    this.#next = currentMinute() - minutes + 1;
    await this.#catchUp();
  }

  /** Goes on with each new minute until the signal aborts. A minute that cannot be sent is sent with the next. */
  async follow(): Promise<void> {
    const {signal, log} = this.#call;
    while (!signal.aborted) {
      try {
        await sleep(MINUTE_MS - (Date.now() % MINUTE_MS), undefined, {signal});
        await this.#catchUp();
      } catch (error) {
        if (!signal.aborted) log.warn('the demo could not send a minute', {err: error});
      }
    }
  }

  async #catchUp(): Promise<void> {
    while (this.#next <= currentMinute()) {
      const end = Math.min(this.#next + BODY_MINUTES, currentMinute() + 1);
      const lines: string[] = [];
      for (let minute = this.#next; minute < end; minute++) lines.push(...minuteLines(minute));
      await this.#post(lines);
      this.#next = end;
    }
  }

  async #post(lines: readonly string[]): Promise<void> {
    const response = await fetch(this.#url, {method: 'POST', body: lines.join('\n'), signal: this.#call.signal});
    const answer = await response.text();
    if (!response.ok) throw new Error(`${this.#url} answered ${response.status}: ${answer}`);
  }
}
