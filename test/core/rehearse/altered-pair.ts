import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {TestFn} from 'ava';
import {scratchFolder} from '../../support/gateway.js';
import {ownerOf} from '../../support/owner.js';
import {recorded, store} from './scene.js';
import {BASE, metricLines, range, spans, WINDOW} from './scene-data.js';

export const HOSTILE = '</code><script>alert(1)</script>';
const METRICS = ['same', 'near', 'off', 'lost', 'broken', 'growing'];

/**
 * Two storages in a folder, made once for the tests of a file, of which the new one is altered as `ROWS` tells. `traffic`
 * writes a file of requests beside them and gives its name; one is there, `near.ndjson`.
 */
export function alteredPair(test: TestFn) {
  const owner = ownerOf(test);
  const pair = {
    folder: '',
    traffic: async (name: string, content: string): Promise<string> => {
      await writeFile(join(pair.folder, name), content);
      return name;
    },
  };
  test.before(async () => {
    pair.folder = await scratchFolder(owner);
    const {folder} = pair;
    const old = {growing: ['growing']};
    const other = {without: ['traces.native.v2'], failing: ['broken'], turnedTags: true, otherTies: ['endpoint_cpm']};
    const altered = (name: string, minute: number, value: number): number | undefined => {
      if (name === 'near') return value * (1 + 1e-12);
      if (name === 'off' && minute === 3) return 99;
      return name === 'lost' && minute === 4 ? undefined : value;
    };
    await store(folder, 'old', {'m.ndjson': metricLines(METRICS), 's.json': spans(['1', '2'])}, old);
    const withoutOne = spans(['1', '2'], span =>
      span.traceId === '2'.repeat(16) && span.id === 'b'.repeat(16) ? undefined : span,
    );
    await pair.traffic('near.ndjson', recorded('promql-subset', '/api/v1/query_range', range('near')));
    await store(folder, 'new', {'m.ndjson': metricLines(METRICS, altered), 's.json': withoutOne}, other);
  });
  return pair;
}

const ranked = {query: "endpoint_cpm{layer='GENERAL',top_n='3',order='DES',parent_service='songs'}", ...WINDOW};

/** What is asked, what becomes of it, and where it differs. */
export const ROWS: readonly (readonly [line: string, expected: string, at?: RegExp | undefined, exemption?: RegExp])[] =
  [
    [recorded('promql-subset', '/api/v1/query_range', range('same')), 'equal'],
    [recorded('promql-subset', '/api/v1/query_range', range('same'), undefined, 'POST'), 'equal'],
    [recorded('promql-subset', '/api/v1/query_range', range('near')), 'within tolerance', /values/, /^--tolerance/],
    [
      recorded('promql-subset', '/api/v1/query_range', range('off')),
      'differs',
      /^data\.result\[\{.*service="songs"\}\]\.values\.1700000220$/,
    ],
    [recorded('promql-subset', '/api/v1/query_range', range('lost')), 'differs', /values\.1700000280$/],
    [recorded('promql-subset', '/api/v1/query_range', range('broken')), 'error', /^status$/],
    [recorded('promql-subset', '/api/v1/query_range', range('growing')), 'noise', /values\.1700000040$/, /^noise/],
    [recorded('promql-subset', '/api/v1/query_range', range('percentile')), 'equal'],
    [recorded('promql-subset', '/api/v1/query_range', ranked), 'differs', /^data\.result\[0\]\.metric\.endpoint$/],
    [recorded('promql-subset', '/api/v1/query', {query: `"${HOSTILE}"`, time: String(BASE)}), 'equal'],
    [recorded('promql-subset', '/api/v1/query', {query: 'no_such_metric', time: String(BASE)}), 'equal'],
    // What the API refuses is refused by both.
    [recorded('promql-subset', '/api/v1/query', 'query=%zz', undefined, 'POST'), 'equal'],
    [recorded('traceql-compat', '/compat/api/search', 'q=%'), 'equal'],
    [recorded('promql-subset', '/api/v1/metadata'), 'equal'],
    [recorded('console', '/api/console/metrics', {scope: 'Service'}), 'equal'],
    [recorded('console', '/api/console/topology', {end: String(BASE + 599)}), 'equal'],
    [recorded('traceql-compat', `/compat/api/traces/${'1'.repeat(16)}`), 'equal', undefined, /another order/],
    [recorded('traceql-compat', `/compat/api/v2/traces/${'2'.repeat(16)}`), 'differs', /spans\[b{16}\]$/],
    [recorded('traceql-compat', `/compat/api/traces/${'3'.repeat(16)}`), 'equal'],
    [recorded('traceql-compat', '/compat/api/search', {q: '{}', ...WINDOW}), 'differs', /^traces\[/],
    [recorded('traceql-compat', '/compat/api/v2/search/tags', WINDOW), 'equal'],
    [
      recorded('traceql-native', '/native/api/search', {q: `{name="${HOSTILE}"}`, ...WINDOW}),
      'unsupported',
      /^status$/,
      /^unsupported/,
    ],
  ];
