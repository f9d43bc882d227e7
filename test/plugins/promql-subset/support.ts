import {fileURLToPath} from 'node:url';
import type {TestFn} from 'ava';
import {type Answer, ask, type Fields, get} from '../../support/http.js';
import {serveHere} from '../../support/library.js';
import {M0, SCENE} from './scene.js';

/** Keeps everything in arrays: what the answers of the real one are compared with. */
export const MEMORY_ADAPTER = fileURLToPath(new URL('../../fixtures/memory-adapter.js', import.meta.url));

/** A gateway with the scene, shared by the tests of one file. */
export interface Scene {
  readonly url: (path: string) => string;
  readonly get: (path: string, parameters?: Fields) => Promise<Answer>;
  /** The result of an instant query as text, or the error. */
  readonly instant: (query: string, time?: number | string) => Promise<string>;
  /** The same over a range. */
  readonly range: (query: string, start: number, end: number) => Promise<string>;
  /** `data` of any endpoint, or the error as text. */
  readonly data: (path: string, parameters?: Fields) => Promise<unknown>;
  readonly ingest: (records: string) => Promise<void>;
}

export function withScene(test: TestFn, use = 'embedded'): Scene {
  const teardowns: (() => unknown)[] = [];
  let urls: Readonly<Record<string, string>> = {};
  const url = (path: string): string => `${urls.metrics}${path}`;
  const scene: Scene = {
    url,
    get: (path, parameters) => get(url(path), parameters),
    instant: async (query, time) =>
      textOf(await scene.get('/api/v1/query', time === undefined ? {query} : {query, time: String(time)})),
    range: async (query, start, end) =>
      textOf(await scene.get('/api/v1/query_range', {query, start: String(start), end: String(end), step: '15'})),
    data: async (path, parameters) => {
      const answer = await scene.get(path, parameters);
      return answer.status === 200 ? answer.json<{data: unknown}>().data : textOf(answer);
    },
    ingest: async records => {
      const {status, text} = await ask(`${urls.ingest}/ingest/v1/metrics`, {method: 'POST', body: records});
      if (status !== 202) throw new Error(`the scene was refused: ${status} ${text}`);
    },
  };
  test.before(async () => {
    const owner = {teardown: (end: () => unknown) => void teardowns.push(end)};
    const gateway = await serveHere(owner, {
      config: {
        listeners: {metrics: {port: 0}, ingest: {port: 0}},
        storage: {use, config: use === 'embedded' ? {path: './data'} : {}},
        plugins: [{use: 'promql-subset'}, {use: 'ingest', enabled: true}],
      },
    });
    urls = gateway.urls;
    await scene.ingest(SCENE);
  });
  test.after.always(async () => {
    for (const end of teardowns.reverse()) await end();
  });
  return scene;
}

interface ResultSeries {
  readonly metric: Readonly<Record<string, string>>;
  readonly value?: readonly [number, string];
  readonly values?: readonly (readonly [number, string])[];
}

/**
 * One line a series: `name{labels} value@seconds …`, the seconds from the first minute of the scene. Before them the
 * type of the result. An error is `status errorType: message`.
 */
export function textOf(answer: Answer): string {
  const {data, errorType, error} = answer.json<{
    data?: {resultType: string; result: readonly ResultSeries[] | readonly [number, string]};
    errorType?: string;
    error?: string;
  }>();
  if (data === undefined) return `${answer.status} ${errorType}: ${error}`;
  if (data.resultType === 'scalar') {
    const [time, value] = data.result as readonly [number, string];
    return `scalar ${value}@${time}`;
  }
  const lines = (data.result as readonly ResultSeries[]).map(({metric, value, values}) => {
    const samples = values ?? (value === undefined ? [] : [value]);
    return `${labelsText(metric)} ${samples.map(([time, text]) => `${text}@${time - M0}`).join(' ')}`;
  });
  return [data.resultType, ...lines].join('\n');
}

function labelsText({__name__: name = '', ...labels}: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return `${name}{${pairs.join(',')}}`;
}
