import {rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import type {ExecutionContext} from 'ava';
import {type RunningGateway, scratchFolder, startGateway} from '../../support/gateway.js';
import {type Answer, ask, get} from '../../support/http.js';

export const SHAKY = fileURLToPath(new URL('../../fixtures/shaky-adapter.js', import.meta.url));

const LOOPBACK = {port: 0, host: '127.0.0.1'};

export const MINUTE = 1_700_000_040;

export const embedded = (path: string) => ({use: 'embedded', config: {path}});
/** A storage that `Scene.takes` takes down and up. */
export const shaky = (path: string) => ({use: SHAKY, config: {path, sign: './sign-'}});
export const tee = (primary: object, secondary: object, more: object = {}) => ({
  use: 'tee',
  config: {primary, secondary, ...more},
});
export const BEST_EFFORT = {secondaryWrites: 'best-effort'};

export interface TeeStatus {
  readonly storage: {
    readonly name: string;
    readonly state: string;
    readonly message?: string;
    readonly capabilities: readonly string[];
    readonly differences?: readonly Readonly<Record<string, string>>[];
  };
}

/** A gateway over storages that come and go, in a folder of its own. */
export class TeeScene {
  readonly #t: ExecutionContext;
  readonly folder: string;
  #gateway: RunningGateway | undefined;

  private constructor(t: ExecutionContext, folder: string) {
    this.#t = t;
    this.folder = folder;
  }

  static async in(t: ExecutionContext): Promise<TeeScene> {
    return new TeeScene(t, await scratchFolder(t));
  }

  get gateway(): RunningGateway {
    if (this.#gateway === undefined) throw new Error('the gateway has not started');
    return this.#gateway;
  }

  async start(storage: object, more: object = {}): Promise<void> {
    this.#gateway = await startGateway(this.#t, {config: this.configOf(storage, more), folder: this.folder});
  }

  async stop(): Promise<void> {
    this.#t.is(await this.gateway.stop(), 0);
  }

  configOf(storage: object, more: object = {}): object {
    return {
      listeners: {admin: {port: 0}, metrics: LOOPBACK, ingest: LOOPBACK},
      storage,
      plugins: [
        {use: 'promql-subset', listener: 'metrics'},
        {use: 'ingest', listener: 'ingest', config: {grpcListenAddr: '127.0.0.1:0'}},
        {use: 'traceql-compat', listener: 'metrics', prefix: '/compat', enabled: true},
        {use: 'traceql-native', listener: 'metrics', prefix: '/native', enabled: true},
      ],
      ...more,
    };
  }

  /** Puts another storage in force. */
  async reload(storage: object, more: object = {}): Promise<Answer> {
    await writeFile(join(this.folder, 'gateway.config.json'), JSON.stringify(this.configOf(storage, more)));
    return ask(`${this.gateway.urls.admin}/-/reload`, {method: 'POST'});
  }

  /** Makes the shaky storage `down`, `stuck` or a liar, or ends that. */
  async takes(state: 'down' | 'stuck' | 'lies', is: boolean): Promise<void> {
    const file = join(this.folder, `sign-${state}`);
    await (is ? writeFile(file, '') : rm(file));
  }

  async write(metric: string, value: number, minute = 0): Promise<Answer> {
    const records = [
      {record: 'metric', name: metric, scope: 'Service', kind: 'common'},
      {record: 'sample', metric, layer: 'GENERAL', service: 'a', time: MINUTE + minute * 60, value},
    ];
    const body = records.map(record => JSON.stringify(record)).join('\n');
    return ask(`${this.gateway.urls.ingest}/ingest/v1/metrics`, {method: 'POST', body});
  }

  /** The value in a minute, undefined where there is none. */
  async read(metric: string, minute = 0): Promise<number | undefined> {
    const query = `${metric}{layer='GENERAL',service='a'}`;
    const answer = await get(`${this.gateway.urls.metrics}/api/v1/query`, {query, time: `${MINUTE + minute * 60}`});
    this.#t.is(answer.status, 200, answer.text);
    const {data} = answer.json<{data: {result: {value: [number, string]}[]}}>();
    const [found] = data.result;
    return found && Number(found.value[1]);
  }

  async status(): Promise<TeeStatus['storage']> {
    return (await get(`${this.gateway.urls.admin}/-/plugins`)).json<TeeStatus>().storage;
  }

  /** How many comparisons of metrics ended so. */
  async compared(result: string): Promise<number> {
    return this.#metric(
      `query_gateway_tee_compared_total{component="storage",capability="metrics.query.v1",result="${result}"}`,
    );
  }

  async failedWrites(): Promise<number> {
    return this.#metric('query_gateway_tee_failed_writes_total{component="storage"}');
  }

  async until(isSo: () => Promise<boolean>): Promise<void> {
    // What is asked is a whole page of metrics: more often would take the processor from what is waited for.
    while (!(await isSo())) await sleep(50);
  }

  async #metric(series: string): Promise<number> {
    const {text} = await get(`${this.gateway.urls.admin}/metrics`);
    const line = text.split('\n').find(one => one.startsWith(series));
    return Number(line?.slice(series.length) ?? 0);
  }
}
