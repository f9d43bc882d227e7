import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {CLI, runNode} from '../../support/gateway.js';
import {alteredPair, ROWS} from './altered-pair.js';
import {rehearse} from './scene.js';
import {BASE, range} from './scene-data.js';

const pair = alteredPair(test);
/** What Prometheus 2.42 has written: of a rule, of an instant query, of the rule again, of a range. */
const QUERY_LOG = fileURLToPath(new URL('../../../../test/fixtures/prometheus-query-log.ndjson', import.meta.url));

test.serial('without an unexplained difference the exit code is 0, by another tolerance it is not', async t => {
  const file = await pair.traffic(
    'fine.ndjson',
    ROWS.flatMap(([line, of]) => (of === 'differs' || of === 'error' ? [] : [line])).join(''),
  );
  const fine = await rehearse(pair.folder, '--traffic', file);
  t.is(fine.code, 0, fine.stderr);
  const strict = await rehearse(pair.folder, '--traffic', 'near.ndjson', '--tolerance', '0');
  t.is(strict.code, 1);
  t.like(strict.report.counts, {'within tolerance': 0, differs: 1});
});

test.serial(
  'a report that ends in .html is one page without scripts, in which what was asked and answered is text',
  async t => {
    const file = await pair.traffic('hostile.ndjson', ROWS.map(([line]) => line).join(''));
    const words = ['rehearse', '--old', 'old.json', '--new', 'new.json', '--traffic', file, '--report', 'report.html'];
    t.is(await runNode(t, [CLI, ...words], pair.folder).exit, 1);
    const page = await readFile(join(pair.folder, 'report.html'), 'utf8');
    t.regex(page, /^<!doctype html>/);
    t.false(/<script|<link|<img|src=|href=|@import|url\(/i.test(page));
    t.true(
      page.includes('&lt;/code&gt;&lt;script&gt;alert(1)&lt;/script&gt;'),
      'unescaped for the reader, escaped for the page',
    );
    for (const word of ['light dark', 'prefers-color-scheme', "default-src 'none'", 'http-equiv'])
      t.true(page.includes(word), word);
    for (const [line, of] of ROWS) if (of !== 'equal') t.true(page.includes(JSON.parse(line).path), line);
  },
);

test.serial('browsers, dashboards behind a proxy and query logs ask the same', async t => {
  const entry = (method: string, url: string, more: object = {}) => ({
    startedDateTime: '2026-01-02T03:04:05.678Z',
    request: {method, url, headers: [], ...more},
  });
  const query = new URLSearchParams(range('off')).toString();
  const trace = `api/v2/traces/${'2'.repeat(16)}`;
  const form = {mimeType: 'application/x-www-form-urlencoded', text: query};
  const params = Object.entries(range('off')).map(([name, value]) => ({name, value: encodeURIComponent(value)}));
  const entries = [
    entry('GET', `http://127.0.0.1:9090/api/v1/query_range?${query}`),
    entry('POST', 'https://grafana/api/datasources/proxy/uid/abc/api/v1/query_range', {postData: form}),
    entry('POST', 'https://grafana/api/datasources/proxy/1/api/v1/query_range', {
      postData: {...form, text: '', params},
    }),
    entry('GET', `http://tempo/compat/${trace}`, {headers: [{name: 'Accept', value: 'application/protobuf'}]}),
    entry('GET', `https://grafana/api/datasources/proxy/uid/t/${trace}#x`, {
      headers: [{name: 'accept', value: 'application/protobuf'}],
    }),
    entry('GET', 'https://grafana/public/app.js'),
    entry('POST', 'https://grafana/api/ds/query', {postData: {mimeType: 'application/json', text: '{}'}}),
    {startedDateTime: 'yesterday', request: {method: 'GET', url: 'http://x/'}},
  ];
  const har = await pair.traffic(
    'grafana.har',
    JSON.stringify(
      {log: {version: '1.2', creator: {name: 'WebInspector', version: '537.36'}, pages: [], entries}},
      null,
      2,
    ),
  );
  const line = (request: object, params: object) =>
    `${JSON.stringify({...request, params, stats: {timings: {evalTotalTime: 0.1}}, ts: '2026-01-02T03:04:05.678Z'})}\n`;
  const http = {httpRequest: {clientIP: '127.0.0.1', method: 'GET', path: '/prometheus/api/v1/query_range'}};
  const [start, end] = [new Date(BASE * 1000).toISOString(), new Date((BASE + 599) * 1000).toISOString()];
  const at = new Date((BASE + 180) * 1000).toISOString();
  const log = await pair.traffic(
    'query.log',
    line(http, {query: range('off').query, start, end, step: 60}) +
      line({ruleGroup: {file: 'rules.yml', name: 'group'}}, {query: range('off').query, start: at, end: at, step: 0}) +
      line(http, {start, end, step: 60}) +
      '{"params":{"que',
  );
  const {code, report, stderr} = await rehearse(pair.folder, '--traffic', har, log, QUERY_LOG);
  t.is(code, 1, stderr);
  t.deepEqual(
    report.requests.map(({class: of, plugin, difference}) => [
      of,
      plugin,
      difference?.at.replace(/^.*(values|spans)/, '$1'),
    ]),
    [
      ...Array.from({length: 3}, () => ['differs', 'promql-subset', 'values.1700000220']),
      ...Array.from({length: 2}, () => ['differs', 'traceql-compat', `spans[${'b'.repeat(16)}]`]),
      ['unsupported', 'traceql-native', 'status'],
      ...Array.from({length: 4}, () => ['differs', 'promql-subset', 'values.1700000220']),
    ],
  );
  t.deepEqual(report.bad, [
    'grafana.har[7]: key "startedDateTime": expected a time in RFC 3339',
    'query.log:3: key "params.query": expected a text',
    'query.log:4: not a whole line of JSON',
  ]);
  t.true(report.exemptions.some(({what, requests}) => what.startsWith('left out: no query') && requests === 2));
  t.true(report.exemptions.some(({what, requests}) => what.startsWith('the file does not tell') && requests === 1));
});
