import type {Logger} from '../../api/telemetry.js';
import {declarationLines, minuteLines} from './records.js';

const MINUTE_MS = 60_000;

/** Minutes in one body: an hour, some 35,000 records. */
const BODY_MINUTES = 60;

export const currentMinute = (): number => Math.floor(Date.now() / MINUTE_MS);

/** Sends the scene to the ingest path as any sender would: what happened so far, then each minute as it comes. */
export class Feed {
  readonly #url: string;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;
  /** The first minute that has not been sent. */
  #next = 0;

  /** `ingest`: the address of the listener. */
  constructor(ingest: string, log: Logger) {
    this.#url = `${ingest}/ingest/v1/metrics`;
    this.#log = log;
  }

  /** Declares the metrics and sends the last `minutes` minutes, the current one included. */
  async begin(minutes: number): Promise<void> {
    await this.#post(declarationLines());
    this.#next = currentMinute() - minutes + 1;
    await this.#catchUp();
  }

  /** Goes on with each new minute until stopped. */
  follow(): void {
    const untilNextMinute = MINUTE_MS - (Date.now() % MINUTE_MS);
    this.#timer = setTimeout(async () => {
      try {
        await this.#catchUp();
      } catch (error) {
        this.#log.warn('the demo could not send a minute; it tries again with the next', {err: error});
      }
      if (this.#timer !== undefined) this.follow();
    }, untilNextMinute);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
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
    const response = await fetch(this.#url, {method: 'POST', body: lines.join('\n')});
    const answer = await response.text();
    if (!response.ok) throw new Error(`${this.#url} answered ${response.status}: ${answer}`);
  }
}
