import {setTimeout as sleep} from 'node:timers/promises';
import {Pool} from 'undici';
import {encode, type Fields} from '../../support/http.js';

export const METRIC = 'recipe_cpm';
/** When the history begins; of what is sent meanwhile, when that begins. Whole hours, in seconds since 1970. */
export const HISTORY = 1_700_002_800;
export const HOURS = 3;
export const LIVE = HISTORY + 24 * 3600;

/** Bodies a second. */
const BODIES = 10;
/** Bodies that are waited for at once: senders are many. */
const UNDER_WAY = 32;

/** Values of a minute, of as many services: those of one minute are one body, which is there whole or not at all. */
export function bodyOf(minute: number, services: number, start: number): string {
  const time = start + minute * 60;
  const lines = Array.from({length: services}, (_, i) =>
    JSON.stringify({record: 'sample', metric: METRIC, layer: 'GENERAL', service: `s${i}`, time, value: minute + i}),
  );
  return lines.join('\n');
}

/** What clients ask: of the history, which nobody changes any more. */
function questionOf(n: number): readonly [listener: string, path: string, parameters: Fields] {
  const window = {start: `${HISTORY}`, end: `${HISTORY + HOURS * 3600 - 60}`};
  const hour = {start: `${HISTORY + (n % HOURS) * 3600}`, end: `${HISTORY + (n % HOURS) * 3600 + 3540}`, step: '60'};
  const questions = [
    ['metrics', '/api/v1/query_range', {query: `${METRIC}{layer='GENERAL',service='s${n % 10}'}`, ...hour}],
    [
      'metrics',
      '/api/v1/query_range',
      {query: `${METRIC}{layer='GENERAL',top_n='5',order='DES'}`, ...window, step: '3600'},
    ],
    ['metrics', '/api/v1/series', {'match[]': `service_traffic{layer='GENERAL'}`, ...window}],
    ['traces', '/compat/api/search', {q: `{resource.service.name="s${n % 10}"}`, limit: '20', ...window}],
  ] as const;
  return questions[n % questions.length] ?? questions[0];
}

export interface RecipeRate {
  readonly clients: number;
  /** Of each client behind each answer, in milliseconds. */
  readonly pause: number;
  /** A second. */
  readonly samples: number;
}

/** Clients that ask, with pauses, on connections that they keep, and a sender of so many samples a second. */
export class RecipeLoad {
  readonly failures: string[] = [];
  answered = 0;
  /** Minutes of `LIVE` whose body was acknowledged. */
  readonly acknowledged: number[] = [];
  /** How many samples a second were acknowledged, from the beginning to the end. */
  rate = 0;
  readonly #pools: ReadonlyMap<string, Pool>;
  readonly #services: number;
  readonly #pause: number;
  readonly #work: readonly Promise<void>[];
  #isOver = false;

  constructor(urls: Readonly<Record<string, string>>, {clients, pause, samples}: RecipeRate) {
    const names = ['metrics', 'traces', 'ingest'];
    this.#pools = new Map(names.map(name => [name, new Pool(urls[name] ?? '', {connections: clients})]));
    this.#services = Math.ceil(samples / BODIES);
    this.#pause = pause;
    this.#work = [...Array.from({length: clients}, (_, n) => this.#client(n)), this.#sender()];
  }

  /** Waits until so many more requests have been answered. */
  async more(requests: number): Promise<void> {
    const end = this.answered + requests;
    while (this.answered < end && this.failures.length === 0) await sleep(5);
  }

  async stop(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await Promise.all(this.#work);
    for (const pool of this.#pools.values()) await pool.close();
  }

  async #client(first: number): Promise<void> {
    for (let n = first; !this.#isOver; n += 7) {
      const [listener, path, parameters] = questionOf(n);
      await this.#send(listener, `${path}?${encode(parameters)}`);
      await sleep(this.#pause);
    }
  }

  /** Goes by the clock, and makes up for what waited, as long as not too much waits. */
  async #sender(): Promise<void> {
    const begun = performance.now();
    const underWay = new Set<Promise<void>>();
    for (let minute = 0; !this.#isOver; minute++) {
      await sleep(Math.max(begun + (minute * 1000) / BODIES - performance.now(), 0));
      const one: Promise<void> = this.#sendMinute(minute).finally(() => underWay.delete(one));
      underWay.add(one);
      if (underWay.size === UNDER_WAY) await Promise.race(underWay);
    }
    await Promise.all(underWay);
    this.rate = (this.acknowledged.length * this.#services) / ((performance.now() - begun) / 1000);
  }

  async #sendMinute(minute: number): Promise<void> {
    const isTaken = await this.#send('ingest', '/ingest/v1/metrics', bodyOf(minute, this.#services, LIVE));
    if (isTaken) this.acknowledged.push(minute);
  }

  async #send(listener: string, path: string, body?: string): Promise<boolean> {
    try {
      const answer = await this.#pools
        .get(listener)
        ?.request({method: body === undefined ? 'GET' : 'POST', path, body: body ?? null});
      const text = await answer?.body.text();
      this.answered++;
      const isGood = answer !== undefined && answer.statusCode < 300;
      if (!isGood) this.failures.push(`${path}: ${answer?.statusCode} ${text?.slice(0, 200)}`);
      return isGood;
    } catch (error) {
      this.failures.push(`${path}: ${error}`);
      return false;
    }
  }
}
