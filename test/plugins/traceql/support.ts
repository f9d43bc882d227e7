import {fileURLToPath} from 'node:url';
import type {TestFn} from 'ava';
import {type Answer, ask, type Fields, get} from '../../support/http.js';
import {serveHere} from '../../support/library.js';
import {COMPAT_SPANS, SEGMENTS, T0} from './scene.js';

/** Keeps everything in arrays. */
export const MEMORY_ADAPTER = fileURLToPath(new URL('../../fixtures/memory-adapter.js', import.meta.url));

/** A gateway with the scene under both prefixes, shared by the tests of one file. */
export interface Scene {
  readonly url: (path: string) => string;
  readonly get: (path: string, parameters?: Fields) => Promise<Answer>;
  /** What a search of `/compat` finds as text, or the error. */
  readonly search: (q: string, parameters?: Fields) => Promise<string>;
}

/** A window around the scene. */
export const AROUND = {start: String(T0 - 60), end: String(T0 + 60)};

export function sceneConfig(storage: object = {}, plugin: object = {}): object {
  return {
    listeners: {traces: {host: '127.0.0.1', port: 0}},
    storage: {use: MEMORY_ADAPTER, config: {compatSpans: COMPAT_SPANS, segments: SEGMENTS, ...storage}},
    plugins: [
      {use: 'traceql-compat', enabled: true, config: plugin},
      {use: 'traceql-native', enabled: true, config: plugin},
    ],
  };
}

/** The storages on which the same questions have the same answers. */
export const STORAGES = ['memory', 'embedded'] as const;

export function withScene(test: TestFn, storage: (typeof STORAGES)[number] = 'memory'): Scene {
  const teardowns: (() => unknown)[] = [];
  let base = '';
  const url = (path: string): string => `${base}${path}`;
  const scene: Scene = {
    url,
    get: (path, parameters) => get(url(path), parameters),
    search: async (q, parameters) => textOf(await scene.get('/compat/api/search', {q, ...AROUND, ...parameters})),
  };
  test.before(async () => {
    const owner = {teardown: (end: () => unknown) => void teardowns.push(end)};
    const {urls} = await serveHere(owner, {config: storage === 'memory' ? sceneConfig() : EMBEDDED});
    base = urls.traces ?? '';
    if (storage === 'embedded') await ingestScene(urls.ingest ?? '');
  });
  test.after.always(async () => {
    for (const end of teardowns.reverse()) await end();
  });
  return scene;
}

const EMBEDDED = {
  listeners: {traces: {host: '127.0.0.1', port: 0}, ingest: {port: 0}},
  storage: {use: 'embedded', config: {path: './data'}},
  plugins: [
    {use: 'traceql-compat', enabled: true},
    {use: 'traceql-native', enabled: true},
    {use: 'ingest', enabled: true},
  ],
};

async function ingestScene(url: string): Promise<void> {
  for (const [path, records] of [
    ['/api/v2/spans', COMPAT_SPANS],
    ['/v3/segments', SEGMENTS],
  ] as const) {
    const {status, text} = await ask(`${url}${path}`, {method: 'POST', body: JSON.stringify(records)});
    if (status >= 300) throw new Error(`the scene was refused: ${status} ${text}`);
  }
}

export interface SearchResult {
  readonly traces: readonly {
    readonly traceID: string;
    readonly rootServiceName: string;
    readonly rootTraceName: string;
    readonly startTimeUnixNano: string;
    readonly durationMs: number;
    readonly spanSets: readonly {readonly spans: readonly FoundSpan[]; readonly matched: number}[];
  }[];
}

interface FoundSpan {
  readonly spanID: string;
  readonly attributes: readonly {readonly key: string; readonly value: {readonly stringValue: string}}[];
}

/** The traces in order, each as the name of its root and the last digits of the ids of its matching spans. */
export function textOf(answer: Answer): string {
  if (answer.status !== 200) return `${answer.status} ${answer.json<{error: string}>().error}`;
  const {traces} = answer.json<SearchResult>();
  return traces
    .map(({rootTraceName, spanSets}) => {
      const ids = spanSets.flatMap(({spans}) => spans.map(({spanID}) => spanID.replace(/^0+/, '')));
      return `${rootTraceName}: ${ids.join(' ')}`;
    })
    .join('; ');
}
