import {createHash} from 'node:crypto';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {ExecutionContext} from 'ava';
import {LOCAL_NAMES, TestAuthority} from '../../support/certificates.js';
import {type RunningGateway, scratchFolder, startGateway} from '../../support/gateway.js';
import {encode} from '../../support/http.js';
import {askSecurely} from '../../support/https.js';
import {ReloadLoad} from './reload-load.js';
import {constantOf, constantsOf, MINUTE, NOISE} from './reload-records.js';

/** What a reload changes beside the storage: each has two states, 0 and 1. */
export const PARTS = ['plugin', 'times', 'limits', 'access', 'certificate'] as const;
export type States = Readonly<Record<(typeof PARTS)[number], number>>;

export const FIRST_STATES: States = {plugin: 0, times: 0, limits: 0, access: 0, certificate: 0};

/** Minutes of one question: over more than an hour the answer is of hours. */
const POINTS = 60;
const ALL = 'all';

const bearer = (token: string) => ({authorization: `Bearer ${token}`});
const accessEntry = (token: string, rights: readonly string[]) => ({
  name: token,
  sha256: createHash('sha256').update(token).digest('hex'),
  rights,
});

/** A gateway with TLS and credentials that goes back and forth between storages, each with constants of its own. */
export class ReloadScene {
  readonly #t: ExecutionContext;
  readonly #folder: string;
  readonly #storages: readonly object[];
  readonly #ca: Buffer;
  #gateway: RunningGateway | undefined;

  private constructor(t: ExecutionContext, folder: string, storages: readonly object[]) {
    this.#t = t;
    this.#folder = folder;
    this.#storages = storages;
    const authority = new TestAuthority(folder);
    this.#ca = readFileSync(authority.ca);
    for (const state of [0, 1]) {
      const tokens = [accessEntry(ALL, ['read', 'write', 'admin']), accessEntry(`only-${state}`, ['read'])];
      writeFileSync(join(folder, `access-${state}.json`), JSON.stringify({tokens}));
      const {certificate, key} = authority.issue({name: `state ${state}`, names: LOCAL_NAMES});
      writeFileSync(join(folder, `tls-${state}.crt`), readFileSync(certificate));
      writeFileSync(join(folder, `tls-${state}.key`), readFileSync(key));
    }
  }

  /** Starts over the first storage, when each has got its constants: those of the number that `of` gives for its own. */
  static async start(
    t: ExecutionContext,
    storages: readonly object[],
    of: (n: number) => number = n => n,
  ): Promise<ReloadScene> {
    const folder = await scratchFolder(t);
    const scene = new ReloadScene(t, folder, storages);
    scene.#gateway = await startGateway(t, {config: scene.#config(0, FIRST_STATES), folder});
    for (const n of storages.keys()) {
      await scene.reload(n);
      const {status, text} = await scene.ask('ingest', '/ingest/v1/metrics', {
        method: 'POST',
        body: constantsOf(of(n)),
      });
      t.is(status, 202, text);
    }
    await scene.reload(0);
    return scene;
  }

  get gateway(): RunningGateway {
    if (this.#gateway === undefined) throw new Error('the gateway has not started');
    return this.#gateway;
  }

  /** Begins to load the gateway; ends with the test at the latest. */
  load(clients: number, constants: readonly string[] = [...this.#storages.keys()].map(constantOf)): ReloadLoad {
    const target = {urls: this.gateway.urls, ca: this.#ca, headers: bearer(ALL), constants};
    const load = new ReloadLoad(target, clients);
    this.#t.teardown(() => load.stop());
    return load;
  }

  /** Asks a listener, by default as who may everything. */
  async ask(listener: string, path: string, options: object = {}) {
    return askSecurely(`${this.gateway.urls[listener]}${path}`, {ca: this.#ca, headers: bearer(ALL), ...options});
  }

  /** Puts a configuration over the n-th storage in force. */
  async reload(n: number, states: States = FIRST_STATES): Promise<void> {
    writeFileSync(join(this.#folder, 'gateway.config.json'), JSON.stringify(this.#config(n, states)));
    const {status, text} = await this.ask('admin', '/-/reload', {method: 'POST'});
    this.#t.is(status, 200, text);
  }

  /** The next requests see these states: the certificate, whose token is good, which plugin serves. */
  async shows({access, certificate, plugin}: States): Promise<void> {
    for (const state of [0, 1]) {
      const answer = await this.ask('metrics', '/api/v1/labels', {headers: bearer(`only-${state}`)});
      this.#t.is(answer.status, state === access ? 200 : 401, answer.text);
      this.#t.is(answer.shown, `state ${certificate}`);
    }
    this.#t.is((await this.ask('metrics', '/traces/api/echo')).status, plugin === 1 ? 200 : 404);
  }

  /** The values that the storage in force has of a service's writes. */
  async kept(service: string, count: number): Promise<ReadonlySet<number>> {
    const values = new Set<number>();
    for (let first = 1; first <= count; first += POINTS) {
      const last = Math.min(count, first + POINTS - 1);
      const query = `${NOISE}{layer='GENERAL',service='${service}'}`;
      const range = {query, start: `${MINUTE + first * 60}`, end: `${MINUTE + last * 60}`, step: '60'};
      const {status, text} = await this.ask('metrics', `/api/v1/query_range?${encode(range)}`);
      this.#t.is(status, 200, text);
      const {data} = JSON.parse(text) as {data: {result: {values: [number, string][]}[]}};
      for (const {values: points} of data.result) for (const [, value] of points) values.add(Number(value));
    }
    return values;
  }

  #config(n: number, states: States): object {
    const tls = {certificate: `./tls-${states.certificate}.crt`, key: `./tls-${states.certificate}.key`};
    const listener = {port: 0, host: '127.0.0.1', tls, idleTimeout: `${30 + states.times}s`};
    return {
      logLevel: 'warn',
      startTimeout: '30s',
      access: {file: `./access-${states.access}.json`},
      listeners: {admin: {port: 0}, metrics: listener, ingest: listener},
      limits: {queryTimeout: `${30 + states.limits}s`},
      storage: this.#storages[n],
      plugins: [
        {use: 'promql-subset', listener: 'metrics'},
        {use: 'ingest', listener: 'ingest', config: {grpcListenAddr: `127.0.0.${1 + states.plugin}:0`}},
        {use: 'traceql-compat', listener: 'metrics', prefix: '/traces', enabled: states.plugin === 1},
      ],
    };
  }
}
