import test from 'ava';
import {ask, post} from '../../support/http.js';
import {M0, M2} from './scene.js';
import {textOf, withScene} from './support.js';

const scene = withScene(test);

const SA = "service_cpm{service='A',layer='GENERAL'}";

/** A query, and the error: its text, or its beginning where it ends in `…`. */
const QUERIES: readonly (readonly [query: string, error: string])[] = [
  // What does not parse.
  ['service_cpm{', 'found the end, expected "}" or a name (line 1, column 13)'],
  ['1+1 junk', 'found "junk", expected *, / or %, + or - or a comparison (line 1, column 5)'],
  ['1 > 2', '">" between two numbers needs bool: write > bool (line 1, column 3)'],
  ['1 + bool 2', 'found "bool", expected…'],
  ['sum(1)', '"sum" aggregates a vector, and its operand is a number (line 1, column 1)'],
  ['5[5m]', '"[" is not in this subset here: a range stands directly after a selector (line 1, column 2)'],
  ['5[5m]+1', '"[" is not in this subset here…'],
  ['(\n', 'found the end, expected "(", a number, + or -, a name or an aggregation (line 2, column 1)'],
  ["service_cpm{layer='GENERAL}", "the string that ' opens has no end on its line (line 1, column 19)"],
  [
    String.raw`service_cpm{layer='\q'}`,
    String.raw`"\q" is not an escape: write \\ for a backslash (line 1, column 19)`,
  ],

  // What only the full language has.
  [`rate(${SA}[5m])`, '"rate" is not in this subset: of the calls it has sum, min, max, avg (line 1, column 1)'],
  [`${SA} and ${SA}`, `"and" is not in this subset (line 1, column ${SA.length + 2})`],
  [
    `service_cpm{service!='A'}`,
    '"!=" is not in this subset as a matcher of an expression: only = is (line 1, column 20)',
  ],

  // Metrics.
  [
    "service_cmp{layer='GENERAL',service='a'}",
    'there is no metric "service_cmp"; did you mean "service_cpm"? (line 1, column 1)',
  ],
  ["no_such_thing_at_all{layer='GENERAL'}", 'there is no metric "no_such_thing_at_all" (line 1, column 1)'],
  [
    "1 + Service_CPM{layer='GENERAL'}",
    'there is no metric "Service_CPM"; did you mean "service_cpm"? (line 1, column 5)',
  ],
  [
    "service_traffic{layer='GENERAL'}",
    '"service_traffic" lists entities and has no values: ask /api/v1/series or /api/v1/label/…/values with it in match[] (line 1, column 1)',
  ],

  // Labels.
  ['service_cpm', '"service_cpm" needs the labels "layer" and "service" (line 1, column 1)'],
  ['service_cpm{}', '"service_cpm" needs the labels "layer" and "service" (line 1, column 1)'],
  ["service_cpm{layer='GENERAL'}", '"service_cpm" needs the label "service" (line 1, column 1)'],
  ["endpoint_cpm{layer='GENERAL'}", '"endpoint_cpm" needs the labels "service" and "endpoint" (line 1, column 1)'],
  ["service_cpm{service='a',layer='NOPE'}", '"layer" names no layer: "NOPE" (line 1, column 25)'],
  [
    "service_cpm{service='a',layer='GENERL'}",
    '"layer" names no layer: "GENERL"; did you mean "GENERAL"? (line 1, column 25)',
  ],
  [
    "service_cpm{service='a',layer='general'}",
    '"layer" names no layer: "general"; did you mean "GENERAL"? (line 1, column 25)',
  ],
  [
    "service_relation_client_cpm{layer='GENERAL',service='A',dest_layer='NOPE',dest_service='B'}",
    '"dest_layer" names no layer: "NOPE" (line 1, column 57)',
  ],
  [
    "service_cpm{service='A',layer='GENERAL',endpoint='x'}",
    '"service_cpm" has no label "endpoint"; a selector of it may have "layer" and "service" (line 1, column 41)',
  ],
  [
    "service_percentile{service='A',layer='GENERAL',q='50'}",
    '"service_percentile" has no label "q"; a selector of it may have "layer", "service" and "p" (line 1, column 48)',
  ],
  ["service_cpm{service='A',layer='GENERAL',limit='5'}", '"service_cpm" has no label "limit"…'],
  [
    "service_cpm{service='A',service='B',layer='GENERAL'}",
    '"service" is given twice, as "A" and as "B" (line 1, column 25)',
  ],
  [
    "service_cpm{service='A',layer='GENERAL',scope='Endpoint'}",
    '"scope" of "service_cpm" is "Service", not "Endpoint" (line 1, column 41)',
  ],
  [
    "service_cpm{__name__='x',service='A',layer='GENERAL'}",
    '"__name__" of "service_cpm" is "service_cpm", not "x" (line 1, column 13)',
  ],

  // Rankings and records.
  [
    "service_instance_cpm{service='A',layer='GENERAL',top_n='2',order='DES'}",
    '"service" does not go with "top_n": use "parent_service"; a selector of it may have "layer", "parent_service", "top_n" and "order" (line 1, column 22)',
  ],
  [
    "service_instance_cpm{layer='GENERAL',top_n='2'}",
    '"service_instance_cpm" needs the label "order" (line 1, column 1)',
  ],
  [
    "service_instance_cpm{layer='GENERAL',top_n='2',order='DESC'}",
    '"order" is ASC or DES, not "DESC" (line 1, column 48)',
  ],
  [
    "service_instance_cpm{layer='GENERAL',top_n='2',order='asc'}",
    '"order" is ASC or DES, not "asc" (line 1, column 48)',
  ],
  [
    "service_instance_cpm{layer='GENERAL',top_n='0',order='ASC'}",
    '"top_n" is a whole number from 1, not "0" (line 1, column 38)',
  ],
  [
    "service_instance_cpm{layer='GENERAL',top_n='-1',order='ASC'}",
    '"top_n" is a whole number from 1, not "-1" (line 1, column 38)',
  ],
  [
    "service_instance_cpm{layer='GENERAL',top_n='2.5',order='ASC'}",
    '"top_n" is a whole number from 1, not "2.5" (line 1, column 38)',
  ],
  ["service_cpm{service='A',layer='GENERAL',order='ASC'}", '"order" goes with "top_n"; a selector…'],
  ["service_cpm{service='A',layer='GENERAL',parent_service='A'}", '"parent_service" goes with "top_n"; a selector…'],
  [
    "service_percentile{layer='GENERAL',top_n='2',order='ASC'}",
    '"top_n" ranks metrics of one value an entity, and "service_percentile" is labeled (line 1, column 36)',
  ],
  [
    "service_relation_client_cpm{layer='GENERAL',top_n='2',order='ASC'}",
    '"top_n" does not rank relations, and the scope of "service_relation_client_cpm" is ServiceRelation (line 1, column 45)',
  ],
  [
    "top_n_database_statement{layer='DATABASE',parent_service='db'}",
    '"top_n_database_statement" needs the labels "top_n" and "order" (line 1, column 1)',
  ],
  [
    "top_n_database_statement{layer='DATABASE',service='db',top_n='1',order='ASC'}",
    '"service" does not select records: use "parent_service"; a selector…',
  ],

  // Vectors that do not go together.
  [
    `${SA} + service_cpm{service='B',layer='GENERAL'}`,
    `"+" needs the same metric with the same labels on both sides: the label "service" differs, "A" and "B" (line 1, column ${SA.length + 2})`,
  ],
  [
    `${SA} * service_errors{service='A',layer='GENERAL'}`,
    `"*" needs the same metric with the same labels on both sides: "service_cpm" and "service_errors" are two metrics (line 1, column ${SA.length + 2})`,
  ],
  [
    "service_percentile{service='A',layer='GENERAL',p='50'} - service_percentile{service='A',layer='GENERAL'}",
    '"-" needs the same metric with the same labels on both sides: the label "p" differs, "50" and none (line 1, column 56)',
  ],
  [
    `${SA} / sum(${SA})`,
    `"/" needs the same metric with the same labels on both sides: one side is the metric "service_cpm", the other has no metric name (line 1, column ${SA.length + 2})`,
  ],
  [
    `${SA} + service_cpm{service='ghost',layer='GENERAL'}`,
    `"+" needs the same metric with the same labels on both sides: the label "service" differs, "A" and "ghost" (line 1, column ${SA.length + 2})`,
  ],
];

for (const [query, error] of QUERIES) {
  test(`refused: ${query}`, async t => {
    const text = await scene.instant(query, M2);
    const expected = `400 bad_data: ${error.replace(/…$/, '')}`;
    t.is(error.endsWith('…') ? text.slice(0, expected.length) : text, expected);
  });
}

const MATCH = {start: '0', end: String(M2)};

/** Path and parameters, and what the error says. */
const PARAMETERS: readonly (readonly [path: string, parameters: Readonly<Record<string, string>>, error: string])[] = [
  ['query', {}, 'the parameter "query" is missing or empty'],
  ['query', {query: ''}, 'the parameter "query" is missing or empty'],
  [
    'query',
    {query: '1', time: 'abc'},
    'the parameter "time": found "abc", expected a time in Unix seconds such as 1700000040 or in RFC 3339 such as 2023-11-14T22:14:00Z',
  ],
  ['query_range', {start: '0', end: '1'}, 'the parameter "query" is missing or empty'],
  ['query_range', {query: '1', end: '1'}, 'the parameter "start" is missing or empty'],
  ['query_range', {query: '1', start: '1'}, 'the parameter "end" is missing or empty'],
  ['query_range', {query: SA, start: '2', end: '1'}, 'the parameter "end": found "1", which lies before "start" "2"'],
  ['query_range', {query: '1', start: 'x', end: '1'}, 'the parameter "start": found "x", expected a time'],
  [
    'query_range',
    {query: `${SA}[5m]`, start: '0', end: '1'},
    '"service_cpm" has a range in brackets, which a range query does not take: leave the brackets out (line 1, column 1)',
  ],
  [
    'query_range',
    {query: '1', start: '0', end: '1700000000'},
    'the range covers 19676 buckets of a day, and at most 11000 are answered: ask for a shorter one',
  ],
  ['series', MATCH, 'the parameter "match[]" is missing or empty'],
  ['series', {'match[]': 'service_traffic{layer="GENERAL"}', end: '1'}, 'the parameter "start" is missing or empty'],
  ['series', {'match[]': 'service_traffic{layer="GENERAL"}', start: '1'}, 'the parameter "end" is missing or empty'],
  [
    'series',
    {'match[]': 'service_traffic{layer="GENERAL"}', start: '2', end: '1'},
    'the parameter "end": found "1", which lies before "start" "2"',
  ],
  ['series', {...MATCH, 'match[]': ' service_traffic'}, '"service_traffic" needs the label "layer" (line 1, column 2)'],
  [
    'series',
    {...MATCH, 'match[]': '{__name__="instance_traffic"}'},
    '"instance_traffic" needs the labels "layer" and "service"',
  ],
  [
    'series',
    {...MATCH, 'match[]': 'endpoint_traffic{layer="GENERAL"}'},
    '"endpoint_traffic" needs the label "service" (line 1, column 1)',
  ],
  [
    'series',
    {...MATCH, 'match[]': 'service_traffic{layer=~"G.*"}'},
    '"layer" of "service_traffic" takes = only, and "=~" was given (line 1, column 17)',
  ],
  [
    'series',
    {...MATCH, 'match[]': "service_traffic{layer='GENERAL',service=~'('}"},
    'the matcher of "service" is not an RE2 regular expression: missing closing ) in "("',
  ],
  [
    'series',
    {...MATCH, 'match[]': "service_traffic{layer='GENERAL',service=~'(?=a)b'}"},
    'the matcher of "service" is not an RE2 regular expression',
  ],
  [
    'series',
    {...MATCH, 'match[]': 'service_traffic{layer="GENERAL",limit="x"}'},
    '"limit" of "service_traffic" is a whole number from 0, 0 for no limit, not "x"',
  ],
  ['series', {...MATCH, 'match[]': 'service_cpm[5m]'}, 'found "[", expected "{" (line 1, column 12)'],
  ['series', {...MATCH, 'match[]': 'a + b'}, 'found "+", expected "{" (line 1, column 3)'],
  ['series', {...MATCH, 'match[]': '5'}, 'found "5", expected a name or "{" (line 1, column 1)'],
  ['series', {...MATCH, 'match[]': 'sum(x)'}, 'found "sum", expected a name or "{" (line 1, column 1)'],
  ['series', {...MATCH, 'match[]': '{}'}, 'match[] "{}" matches everything'],
  ['series', {...MATCH, 'match[]': '{__name__=~".*"}'}, 'match[] "{__name__=~\\".*\\"}" matches everything'],
  [
    'series',
    {...MATCH, 'match[]': 'service_traffic{layer="GENERAL"}', limit: '-1'},
    'the parameter "limit" is a whole number from 0, 0 for no limit, not "-1"',
  ],
  ['labels', {limit: 'abc'}, 'the parameter "limit" is a whole number from 0'],
  ['labels', {end: 'abc'}, 'the parameter "end": found "abc", expected a time'],
  ['labels', {'match[]': 'x{'}, 'found the end, expected "}" or a name (line 1, column 3)'],
  ['label/service/values', {'match[]': 'service_traffic'}, '"service_traffic" needs the label "layer"'],
  ['label//values', {}, 'the path names no label: write /api/v1/label/NAME/values'],
  ['label/U__/values', {}, 'the path names no label: write /api/v1/label/NAME/values'],
  ['label/service/values', {limit: '1.5'}, 'the parameter "limit" is a whole number from 0'],
  [
    'label/p/values',
    {'match[]': 'service_percentile{service=~"A"}'},
    '"service" of "service_percentile" takes = only, and "=~" was given (line 1, column 20)',
  ],
  ['metadata', {metric: '('}, 'the parameter "metric" is not an RE2 regular expression: missing closing ) in "("'],
  ['metadata', {metric: '(x{100}){50}'}, 'the parameter "metric" is too large a regular expression'],
  ['labels', {'match[]': `x{a=~"${'a?'.repeat(5000)}"}`}, 'the matcher of "a" is too large a regular expression'],
  ['metadata', {limit: '-1'}, 'the parameter "limit" is a whole number from 0'],
  ['format_query', {}, 'the parameter "query" is missing or empty'],
  ['format_query', {query: 'rate(x[5m])'}, '"rate" is not in this subset'],
];

for (const [path, parameters, error] of PARAMETERS) {
  test(`refused: /api/v1/${path} ${JSON.stringify(parameters)}`, async t => {
    const answer = await scene.get(`/api/v1/${path}`, parameters);
    const expected = `400 bad_data: ${error}`;
    t.is(textOf(answer).slice(0, expected.length), expected);
    t.deepEqual(Object.keys(answer.json()), ['status', 'errorType', 'error']);
    t.regex(String(answer.headers['content-type']), /^application\/json/);
  });
}

test('text that is too long or nests too deeply is refused before it is parsed', async t => {
  const long = await post(scene.url('/api/v1/query'), {query: `1${' '.repeat(20_000)}`});
  t.is(textOf(long), '400 bad_data: the query is longer than limits.queryLength, 16384 bytes');
  const wide = await post(scene.url('/api/v1/query'), {query: `x{a="${'é'.repeat(8_500)}"}`});
  t.is(textOf(wide), '400 bad_data: the query is longer than limits.queryLength, 16384 bytes');
  const deep = await post(scene.url('/api/v1/query'), {query: `${'('.repeat(201)}1${')'.repeat(201)}`});
  t.is(textOf(deep), '400 bad_data: the query nests deeper than limits.nesting, 200 levels (line 1, column 201)');
  const fits = await post(scene.url('/api/v1/query'), {query: `${'('.repeat(200)}1${')'.repeat(200)}`, time: '4'});
  t.is(textOf(fits), 'scalar 1@4');
});

test('a sum of thousands of terms is no deeper than one of two', async t => {
  const query = Array.from({length: 8000}, () => '1').join('+');
  t.is(textOf(await post(scene.url('/api/v1/query'), {query, time: '4'})), 'scalar 8000@4');
});

test('more samples than a query may hold are refused as work, before they are read or after', async t => {
  const range = {start: String(M2 - 86_400 * 9999), end: String(M2)};
  const ranked = "service_instance_cpm{layer='GENERAL',top_n='9',order='ASC'}";
  const limit = 'and at most 1000000 are allowed: ask for a shorter range, fewer operators or a smaller top_n';
  for (const [query, error] of [
    [
      Array.from({length: 101}, () => SA).join('+'),
      `101 selectors and 100 operators over 10000 buckets, about 2020050 values to read and compute, ${limit}`,
    ],
    // Of an entity that has no samples, empty buckets are computed all the same.
    [
      `service_cpm{service='ghost',layer='GENERAL'}${' + 1'.repeat(100)}`,
      `1 selector and 100 operators over 10000 buckets, about 1015050 values to read and compute, ${limit}`,
    ],
    [
      Array.from({length: 40}, () => ranked).join('+'),
      `the series found so far make 1005000 values to read and compute, ${limit}`,
    ],
    [ranked.replace('9', '900'), ''],
  ] as const) {
    const text = textOf(await post(scene.url('/api/v1/query_range'), {query, ...range}));
    if (error === '') t.true(text.startsWith('matrix'), text.slice(0, 200));
    else t.is(text, `422 execution: ${error}`);
  }
});

test('all match[] of a request together are bounded, and each text counts once in the answer', async t => {
  const match = (count: number) => ({
    'match[]': Array.from({length: count}, () => 'service_cpm'),
    start: '0',
    end: '1',
  });
  const many = await post(scene.url('/api/v1/series'), match(1500));
  const error = 'the match[] of the request are together longer than limits.queryLength, 16384 bytes';
  t.is(textOf(many), `400 bad_data: ${error}`);
  const fits = await post(scene.url('/api/v1/series'), match(1000));
  t.is(fits.json<{data: unknown[]}>().data.length, 1);
});

test('a body that is not read is mentioned where a parameter is missing', async t => {
  for (const [type, found] of [
    ['application/json', 'the type "application/json"'],
    ['multipart/form-data; boundary=x', 'the type "multipart/form-data; boundary=x"'],
    [undefined, 'no content type'],
  ] as const) {
    const headers: Record<string, string> = type === undefined ? {} : {'content-type': type};
    const answer = await ask(scene.url('/api/v1/query'), {method: 'POST', headers, body: '{"query":"1"}'});
    t.true(
      textOf(answer).startsWith(
        `400 bad_data: the parameter "query" is missing or empty; the body has ${found} and is`,
      ),
      answer.text,
    );
  }
});

test('other methods and other paths', async t => {
  for (const [method, path, allow] of [
    ['PUT', 'query', 'GET, HEAD, POST'],
    ['POST', 'label/service/values', 'GET, HEAD'],
    ['POST', 'metadata', 'GET, HEAD'],
    ['DELETE', 'labels', 'GET, HEAD, POST'],
  ] as const) {
    const answer = await ask(scene.url(`/api/v1/${path}`), {method});
    t.is(answer.status, 405, `${method} ${path}`);
    t.is(answer.json<{errorType: string}>().errorType, 'bad_data');
    t.deepEqual(String(answer.headers.allow).split(', ').sort(), allow.split(', ').sort());
  }
  for (const path of ['/api/v1/rules', '/api/v1/query_exemplars', '/api/v1/status/flags', '/', '/api/v1/query/x']) {
    const answer = await ask(scene.url(path));
    t.is(answer.status, 404, path);
    t.is(answer.json<{errorType: string}>().errorType, 'not_found');
  }
});

test('a message repeats only the beginning of a long value', async t => {
  for (const [path, parameters] of [
    ['query', {query: '1', time: 'x'.repeat(5000)}],
    ['labels', {limit: 'x'.repeat(5000)}],
    ['query', {query: `${'x'.repeat(5000)}(1)`}],
    ['query', {query: `1 + ${'1x'.repeat(5000)}`}],
  ] as const) {
    const text = textOf(await scene.get(`/api/v1/${path}`, parameters));
    t.true(text.startsWith('400 bad_data: ') && text.length < 300, text);
  }
});

test('nothing that is ignored can be wrong', async t => {
  const noise = {timeout: 'soon', step: '-1', limit: 'x', stats: 'all', lookback_delta: '?', nocache: '1'};
  const range = {query: SA, start: String(M0), end: String(M2), ...noise};
  t.is((await scene.get('/api/v1/query_range', range)).status, 200);
  t.is((await scene.get('/api/v1/query', {query: SA, time: String(M2), ...noise})).status, 200);
  t.is((await scene.get('/api/v1/labels', {start: 'garbage'})).status, 200);
  t.is((await scene.get('/api/v1/label/p/values', {start: 'garbage'})).status, 200);
});
