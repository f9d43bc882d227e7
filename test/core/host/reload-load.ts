import {Agent} from 'node:https';
import {encode} from '../../support/http.js';
import {askSecurely, type SecureAnswer} from '../../support/https.js';
import {BOTH, MINUTE, NOISE, sampleOf} from './reload-records.js';

/** Of so many clients one writes; the others query. */
const WRITES = 4;

export interface LoadTarget {
  readonly urls: Readonly<Record<string, string>>;
  /** PEM of the authority of the listeners. */
  readonly ca: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** What each of the storages answers to the query; any other answer is of two of them. */
  readonly constants: readonly string[];
}

/** A time in which one storage alone answers. */
interface Calm {
  readonly constant: string;
}

/** Clients that query or write without a pause, each over a TLS connection that it keeps as long as the gateway does. */
export class ReloadLoad {
  readonly failures: string[] = [];
  /** Answers that hold something of two storages, or come from one that was replaced before the question. */
  readonly wrong: string[] = [];
  /** How many answers came with each constant. */
  readonly answers = new Map<string, number>();
  /** How many writes each service's writer was told are kept: their values are 1 up to this. */
  readonly written = new Map<string, number>();
  readonly #target: LoadTarget;
  readonly #clients: readonly Promise<void>[];
  #calm: Calm | undefined;
  #isOver = false;

  /** Begins at once. */
  constructor(target: LoadTarget, clients: number) {
    this.#target = target;
    this.#clients = Array.from({length: clients}, (_, n) => this.#client(n));
  }

  get requests(): number {
    return [...this.answers.values(), ...this.written.values()].reduce((sum, count) => sum + count, 0);
  }

  /** A change is under way: until `settled` either storage may answer. */
  unsettled(): void {
    this.#calm = undefined;
  }

  /** From now on this is the answer to every new question. */
  settled(constant: string): void {
    this.#calm = {constant};
  }

  /** Waits until so many more requests have been answered. */
  async more(requests: number): Promise<void> {
    const end = this.requests + requests;
    while (this.requests < end && this.failures.length === 0) await new Promise(resolve => setTimeout(resolve, 5));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  async #client(n: number): Promise<void> {
    const agent = new Agent({keepAlive: true, maxSockets: 1, ca: this.#target.ca});
    const isWriter = n % WRITES === 0;
    while (!this.#isOver) await (isWriter ? this.#write(agent, `w${n}`) : this.#query(agent));
    agent.destroy();
  }

  async #query(agent: Agent): Promise<void> {
    const {urls, constants} = this.#target;
    const calm = this.#calm;
    const answer = await this.#ask(agent, `${urls.metrics}/api/v1/query?${encode({query: BOTH, time: `${MINUTE}`})}`);
    if (answer?.status !== 200) return;
    const {data} = JSON.parse(answer.text) as {data: {result: {value: [number, string]}[]}};
    const found = data.result.map(({value: [, value]}) => value).join();
    this.answers.set(found, (this.answers.get(found) ?? 0) + 1);
    const isCalm = calm !== undefined && calm === this.#calm;
    if (!constants.includes(found)) this.wrong.push(`${found} is of no storage alone`);
    else if (isCalm && found !== calm.constant) this.wrong.push(`${found} in place of ${calm.constant}`);
  }

  async #write(agent: Agent, service: string): Promise<void> {
    const next = (this.written.get(service) ?? 0) + 1;
    const body = sampleOf(NOISE, service, next, MINUTE + next * 60);
    const answer = await this.#ask(agent, `${this.#target.urls.ingest}/ingest/v1/metrics`, {method: 'POST', body});
    if (answer?.status === 202) this.written.set(service, next);
  }

  /** Notes what fails: a connection that breaks, and every status that is not a success. */
  async #ask(agent: Agent, url: string, options: object = {}): Promise<SecureAnswer | undefined> {
    try {
      const answer = await askSecurely(url, {agent, headers: this.#target.headers, ...options});
      if (answer.status >= 300) this.failures.push(`${answer.status} ${answer.text.slice(0, 200)}`);
      return answer;
    } catch (error) {
      this.failures.push(`${url.slice(0, 60)}: ${error}`);
      return undefined;
    }
  }
}
