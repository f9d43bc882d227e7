import {type buildConnector, Pool} from 'undici';
import type {Logger} from '../../../core/api/adapter.js';

const CHECK_EVERY = 1000;
const CHECK_TIME = 5000;

/** One HTTP interface of the server. */
export class ClickHouseEndpoint {
  readonly url: string;
  readonly pool: Pool;
  readonly isLocal: boolean;
  /** A connection for questions about its health, which do not wait until one of the others is free. */
  readonly probes: Pool;
  /** Why it is passed over; undefined while it answers. */
  problem: string | undefined;
  /** When it last carried out a statement; milliseconds of the monotonic clock. */
  answeredAt = Number.NEGATIVE_INFINITY;

  constructor(url: string, connect: buildConnector.connector, connections: number, answerTime: number) {
    this.url = url.replace(/\/$/, '');
    const options = {connect, headersTimeout: answerTime, bodyTimeout: answerTime};
    this.pool = new Pool(this.url, {...options, connections});
    this.probes = new Pool(this.url, {...options, connections: 1});
    this.isLocal = /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname);
  }

  async isAnswering(): Promise<boolean> {
    try {
      const answer = await this.probes.request({path: '/ping', method: 'GET', signal: AbortSignal.timeout(CHECK_TIME)});
      await answer.body.dump();
      return answer.statusCode === 200;
    } catch {
      return false;
    }
  }
}

/**
 * The endpoints in the order of the configuration. The first that answers is used for everything, so that a gateway
 * reads from where it has written; one that failed is passed over until it answers again.
 */
export class ClickHouseEndpoints {
  readonly all: readonly ClickHouseEndpoint[];
  readonly #log: Logger;
  #check: NodeJS.Timeout | undefined;

  constructor(
    urls: readonly string[],
    connect: buildConnector.connector,
    connections: number,
    answerTime: number,
    log: Logger,
  ) {
    this.all = urls.map(url => new ClickHouseEndpoint(url, connect, connections, answerTime));
    this.#log = log;
  }

  /** Where to ask next. When all have failed, those that were not `tried` are, for lack of better ones. */
  pick(tried: ReadonlySet<ClickHouseEndpoint>): ClickHouseEndpoint {
    const [first] = this.all;
    const fresh = this.all.filter(endpoint => !tried.has(endpoint));
    const chosen = fresh.find(({problem}) => problem === undefined) ?? fresh[0] ?? first;
    if (chosen === undefined) throw new RangeError('BUG: no URL is configured.');
    return chosen;
  }

  answered(endpoint: ClickHouseEndpoint): void {
    endpoint.answeredAt = performance.now();
    if (endpoint.problem === undefined) return;
    endpoint.problem = undefined;
    this.#log.info('an endpoint of the storage answers again', {url: endpoint.url});
  }

  failed(endpoint: ClickHouseEndpoint, problem: string): void {
    if (endpoint.problem === undefined) {
      this.#log.warn('an endpoint of the storage does not answer', {url: endpoint.url, problem});
    }
    endpoint.problem = problem;
    this.#check ??= setInterval(() => void this.#recheck(), CHECK_EVERY).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#check);
    await Promise.all(this.all.flatMap(({pool, probes}) => [pool.destroy(), probes.destroy()]));
  }

  async #recheck(): Promise<void> {
    const failed = this.all.filter(({problem}) => problem !== undefined);
    if (failed.length === 0) {
      clearInterval(this.#check);
      this.#check = undefined;
      return;
    }
    await Promise.all(failed.map(async endpoint => (await endpoint.isAnswering()) && this.answered(endpoint)));
  }
}
