import {readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {CLI, runNode, scratchFolder} from '../../support/gateway.js';
import {ownerOf} from '../../support/owner.js';
import {recorded, rehearse, store} from './scene.js';
import {BASE, metricLines, range, spans, WINDOW} from './scene-data.js';

const owner = ownerOf(test);
/** What Prometheus 2.42 has written: of a rule, of an instant query, of the rule again, of a range. */
const QUERY_LOG = fileURLToPath(new URL('../../../../test/fixtures/prometheus-query-log.ndjson', import.meta.url));
const HOSTILE = '</code><script>alert(1)</script>';
const METRICS = ['same', 'near', 'off', 'lost', 'broken', 'growing'];
let folder: string;

test.before(async () => {
  folder = await scratchFolder(owner);
  const old = {growing: ['growing']};
  const other = {without: ['traces.native.v2'], failing: ['broken'], turnedTags: true, otherTies: ['endpoint_cpm']};
  const altered = (name: string, minute: number, value: number): number | undefined => {
    if (name === 'near') return value * (1 + 1e-12);
    if (name === 'off' && minute === 3) return 99;
    return name === 'lost' && minute === 4 ? undefined : value;
  };
  await store(owner, folder, 'old', {'m.ndjson': metricLines(METRICS), 's.json': spans(['1', '2'])}, old);
  const withoutOne = spans(['1', '2'], span =>
    span.traceId === '2'.repeat(16) && span.id === 'b'.repeat(16) ? undefined : span,
  );
  await traffic('near.ndjson', recorded('promql-subset', '/api/v1/query_range', range('near')));
  await store(owner, folder, 'new', {'m.ndjson': metricLines(METRICS, altered), 's.json': withoutOne}, other);
});

async function traffic(name: string, content: string): Promise<string> {
  await writeFile(join(folder, name), content);
  return name;
}

const ranked = {query: "endpoint_cpm{layer='GENERAL',top_n='3',order='DES',parent_service='songs'}", ...WINDOW};

/** What is asked, what becomes of it, and where it differs. */
const ROWS: readonly (readonly [line: string, expected: string, at?: RegExp | undefined, exemption?: RegExp])[] = [
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

test.serial(
  'every request is of one class, a difference has its place and both values, and every exemption is told',
  async t => {
    const file = await traffic('all.ndjson', `${ROWS.map(([line]) => line).join('')}{"time":"2026-0`);
    const {code, stdout, stderr, report} = await rehearse(t, folder, '--traffic', file);
    t.is(code, 1, stderr);
    t.deepEqual(
      stderr.split('\n').filter(line => !line.startsWith('{')),
      [`all.ndjson:${ROWS.length + 1}: not a whole line of JSON`],
    );
    const rows = ROWS.map(([line, of, at, exemption]) => ({...JSON.parse(line), of, at, exemption}));
    const unequal = rows.filter(({of}) => of !== 'equal');
    t.deepEqual(
      report.requests.map(({class: of, plugin, method, path, parameters}) => ({of, plugin, method, path, parameters})),
      unequal.map(({of, plugin, method, path, parameters}) => ({of, plugin, method, path, parameters})),
    );
    for (const [i, {at}] of unequal.entries()) t.regex(report.requests[i]?.difference?.at ?? '', at);
    const [near, off, lost] = report.requests;
    t.is(off?.difference?.new, '99');
    t.deepEqual([lost?.difference?.old, lost?.difference?.new], ['1.6666666666666667', undefined]);
    t.is(near?.class, 'within tolerance');
    for (const {exemption} of rows)
      if (exemption)
        t.true(
          report.exemptions.some(({what}) => exemption.test(what)),
          String(exemption),
        );
    for (const {what} of report.exemptions) t.true(stdout.includes(what), what);
    const counts = {equal: 0, 'within tolerance': 0, differs: 0, unsupported: 0, error: 0, noise: 0};
    for (const {of} of rows) counts[of as keyof typeof counts]++;
    t.deepEqual(report.counts, counts);
    for (const [name, count] of Object.entries(counts)) t.regex(stdout, new RegExp(`^ +${name} +${count}$`, 'm'));
  },
);

test.serial('without an unexplained difference the exit code is 0, by another tolerance it is not', async t => {
  const file = await traffic(
    'fine.ndjson',
    ROWS.flatMap(([line, of]) => (of === 'differs' || of === 'error' ? [] : [line])).join(''),
  );
  const fine = await rehearse(t, folder, '--traffic', file);
  t.is(fine.code, 0, fine.stderr);
  const strict = await rehearse(t, folder, '--traffic', 'near.ndjson', '--tolerance', '0');
  t.is(strict.code, 1);
  t.like(strict.report.counts, {'within tolerance': 0, differs: 1});
});

test.serial(
  'a report that ends in .html is one page without scripts, in which what was asked and answered is text',
  async t => {
    const file = await traffic('hostile.ndjson', ROWS.map(([line]) => line).join(''));
    const words = ['rehearse', '--old', 'old.json', '--new', 'new.json', '--traffic', file, '--report', 'report.html'];
    t.is(await runNode(t, [CLI, ...words], folder).exit, 1);
    const page = await readFile(join(folder, 'report.html'), 'utf8');
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
  const har = await traffic(
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
  const log = await traffic(
    'query.log',
    line(http, {query: range('off').query, start, end, step: 60}) +
      line({ruleGroup: {file: 'rules.yml', name: 'group'}}, {query: range('off').query, start: at, end: at, step: 0}) +
      line(http, {start, end, step: 60}) +
      '{"params":{"que',
  );
  const {code, report, stderr} = await rehearse(t, folder, '--traffic', har, log, QUERY_LOG);
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

/** What is wrong with the usage, beside the traffic `near.ndjson`. Nothing of it starts a storage, so all can run at once. */
const WRONG: readonly (readonly [words: readonly string[], message: RegExp])[] = [
  [['--tolerance', 'x'], /^--tolerance: found "x", expected a number from 0 to less than 1/],
  [['--tolerance', '1'], /^--tolerance: found "1"/],
  [['--skip-recent', '2'], /^--skip-recent: found "2", expected a duration such as 2m, or 0s/],
  [['--report', 'nowhere/report.json'], /^--report: nowhere\/report\.json cannot be written/],
  [['--old', 'nowhere.json'], /^--old: nowhere\.json: there is no such file/],
  [['--new', 'old.json'], /^--new: names the storage that --old names/],
  [['--traffic', 'nowhere.ndjson'], /^--traffic: nowhere\.ndjson: there is no such file/],
];

test.serial('what is wrong with the usage ends with 2 and says what would be right', async t => {
  const given = {'--traffic': 'near.ndjson', '--old': 'old.json', '--new': 'new.json'};
  const runs = WRONG.map(([[name = '', value = ''], message]) => {
    const words = Object.entries({...given, [name]: value}).flat();
    return {run: runNode(t, [CLI, 'rehearse', ...words], folder), message, what: `${name} ${value}`};
  });
  for (const {run, message, what} of runs) {
    t.is(await run.exit, 2, what);
    t.true(
      run.stderr.some(line => message.test(line)),
      `${what}: ${run.stderr.join('\n')}`,
    );
  }
});

test.serial('a file of another form is wrong usage', async t => {
  await traffic('torn.har', '{"log":{"entries":[');
  for (const [file, message] of [
    ['old.json', /^--traffic: old\.json: no line of it is a request; expected a recording/],
    ['torn.har', /^--traffic: torn\.har: the HAR is not whole/],
  ] as const) {
    const {code, stderr} = await rehearse(t, folder, '--traffic', file);
    t.is(code, 2, file);
    t.true(
      stderr.split('\n').some(line => message.test(line)),
      stderr,
    );
  }
});

test.serial('a folder that is not there is wrong usage on either side, and is not made', async t => {
  const own = await scratchFolder(t);
  for (const name of ['old', 'new']) {
    const storage = {use: 'embedded', config: {path: `./${name}-data`}};
    await writeFile(join(own, `${name}.json`), JSON.stringify({storage, plugins: []}));
  }
  const file = join(folder, await traffic('any.ndjson', recorded('promql-subset', '/api/v1/labels')));
  const {code, stderr} = await rehearse(t, own, '--traffic', file);
  const problems = ['old', 'new'].map(
    name =>
      `--${name}: ${name}.json: storage.config.path: there is no database ${join(own, `${name}-data`, 'gateway.db')}, so there is nothing to read`,
  );
  t.deepEqual([code, stderr.split('\n')], [2, problems]);
  t.deepEqual(
    (await readdir(own)).filter(name => name.endsWith('-data')),
    [],
  );
});

test.serial('where nothing can be asked, nothing is known, and the exit code says so', async t => {
  const file = await traffic('unknown.ndjson', recorded('somebody-else', '/api/v1/query'));
  const {code, stdout} = await rehearse(t, folder, '--traffic', file);
  t.is(code, 1);
  t.regex(stdout, /nothing was asked, so nothing is known/);
});
