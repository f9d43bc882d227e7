import type {ExecutionContext} from 'ava';
import {type Owner, type RunningGateway, startGateway} from '../../support/gateway.js';
import {type Answer, ask, get} from '../../support/http.js';
import {
  ALL_SERVICES,
  ALL_WRITES,
  contentOf,
  END,
  largeBody,
  METRIC,
  metricsBody,
  RECORDS,
  START,
  spansBody,
  timeOf,
  traceOf,
  valueIn,
  WRITES,
} from './writes.js';

export interface Refusal {
  readonly status: number;
  readonly error: string;
}

const WRITERS = 4;

/** A gateway over a storage that is going to be broken. */
export class Scene {
  readonly gateway: RunningGateway;

  constructor(gateway: RunningGateway) {
    this.gateway = gateway;
  }

  static async start(t: Owner, storage: object): Promise<Scene> {
    const address = {host: '127.0.0.1', port: 0};
    const gateway = await startGateway(t, {
      config: {
        listeners: {metrics: address, traces: address, ingest: address, admin: address},
        limits: {queryTimeout: '4s'},
        storage,
        plugins: [
          {use: 'promql-subset', listener: 'metrics'},
          {use: 'traceql-compat', listener: 'traces', enabled: true},
          {use: 'ingest', listener: 'ingest'},
        ],
      },
    });
    return new Scene(gateway);
  }

  /** The values of a service over the hour. */
  range(service: string): Promise<Answer> {
    const query = `${METRIC}{layer='GENERAL',service='${service}'}`;
    return get(`${this.gateway.urls.metrics}/api/v1/query_range`, {
      query,
      start: `${START}`,
      end: `${END}`,
      step: '60',
    });
  }

  trace(write: number): Promise<Answer> {
    return get(`${this.gateway.urls.traces}/compat/api/traces/${traceOf(write)}`);
  }

  /** One write: both its bodies. The refusal, or undefined when both were acknowledged. */
  async write(write: number): Promise<Refusal | undefined> {
    const refusal = await this.#post('/ingest/v1/metrics', metricsBody(write));
    return refusal ?? this.#post('/api/v2/spans', spansBody(write));
  }

  /** Writes something that only takes space. */
  writeLarge(number: number): Promise<Refusal | undefined> {
    return this.#post('/api/v2/spans', largeBody(number));
  }

  /** All of these, some at the same time: where writes take turns, the last of many would wait for longer than it may. */
  async writeAll(writes: readonly number[] = ALL_WRITES): Promise<void> {
    const queue = [...writes];
    const writer = async (): Promise<void> => {
      for (let write = queue.shift(); write !== undefined; write = queue.shift()) {
        const refusal = await this.write(write);
        if (refusal !== undefined) throw new Error(`a write was refused: ${refusal.status} ${refusal.error}`);
      }
    };
    await Promise.all(Array.from({length: WRITERS}, writer));
  }

  async #post(path: string, body: string): Promise<Refusal | undefined> {
    const {status, text} = await ask(`${this.gateway.urls.ingest}${path}`, {method: 'POST', body});
    return status === 202 ? undefined : {status, error: text};
  }

  async isReady(): Promise<boolean> {
    return (await get(`${this.gateway.urls.admin}/-/ready`)).status === 200;
  }

  /** Waits until readiness is this. */
  async becomesReady(expected: boolean): Promise<void> {
    while ((await this.isReady()) !== expected) await new Promise(resolve => setTimeout(resolve, 50));
  }

  /** Everything that was written is there, once, with its value; and nothing else. */
  async verify(t: ExecutionContext): Promise<void> {
    for (const service of ALL_SERVICES) t.deepEqual(valuesIn(await this.range(service)), expectedOf(service), service);
    const query = `${RECORDS}{layer='GENERAL',parent_service='${ALL_SERVICES[0]}',top_n='1000',order='ASC'}`;
    const records = await get(`${this.gateway.urls.metrics}/api/v1/query_range`, {
      query,
      start: `${START}`,
      end: `${END}`,
      step: '60',
    });
    const {data} = records.json<{data: {result: {metric: {record: string}}[]}}>();
    t.deepEqual(
      data.result.map(({metric}) => metric.record),
      ALL_WRITES.map(contentOf),
    );
    const search = await get(`${this.gateway.urls.traces}/compat/api/search`, {
      q: '{resource.service.name="shop"}',
      limit: `${WRITES + 1}`,
      start: `${START}`,
      end: `${END}`,
    });
    const found = search.json<{traces: {rootTraceName: string; durationMs: number; spanSets: {matched: number}[]}[]}>();
    t.deepEqual(
      found.traces.map(({rootTraceName, spanSets}) => [rootTraceName, spanSets.map(({matched}) => matched)]),
      ALL_WRITES.toReversed().map(write => [contentOf(write), [1]]),
    );
  }
}

export function expectedOf(service: string): readonly (readonly [number, string])[] {
  return ALL_WRITES.map(write => [timeOf(write), String(valueIn(write, service))]);
}

export function valuesIn(answer: Answer): unknown {
  if (answer.status !== 200) return `${answer.status} ${answer.text}`;
  return answer.json<{data: {result: {values: unknown}[]}}>().data.result[0]?.values;
}
