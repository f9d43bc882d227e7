import test from 'ava';
import fc from 'fast-check';
import {FUZZ_RUNS} from '../../support/fuzz.js';
import {ask, post} from '../../support/http.js';
import {withScene} from './support.js';

const scene = withScene(test);
const RUNS = Math.ceil(FUZZ_RUNS / 2);

const PATHS = [
  'query',
  'query_range',
  'series',
  'labels',
  'label/service/values',
  'label/p/values',
  'metadata',
  'format_query',
];
const NAMES = ['query', 'time', 'start', 'end', 'step', 'limit', 'match[]', 'metric', 'timeout', 'x'];

const time = fc.constantFrom(
  '',
  '0',
  '4',
  '-1e9',
  '1700000160',
  '1e400',
  'NaN',
  '2023-11-14T22:16:00Z',
  '2023-11-14T22:16:00 08:00',
  '1677548400000',
  '253402300799',
  '-62167219200',
  'x',
);
const selector = fc.constantFrom(
  'service_cpm',
  "service_traffic{layer='GENERAL'}",
  "service_traffic{layer='MESH',service=~'.*(h|A).*',limit='0'}",
  "endpoint_traffic{layer='GENERAL',service='A',keyword='s'}",
  '{__name__=~".+",}',
  '{layer!="x"}',
  "service_traffic{layer='GENERAL',service=~'('}",
  'x{',
);
const query = fc.constantFrom(
  "service_cpm{service='A',layer='GENERAL'}",
  "service_cpm{service='A',layer='GENERAL'}[2d] * 2",
  "sum by (p) (service_percentile{service='A',layer='GENERAL'}) > bool 1",
  "service_instance_cpm{layer='GENERAL',top_n='5',order='DES'}",
  "top_n_database_statement{layer='DATABASE',parent_service='db',top_n='5',order='ASC'} / 0",
  "service_cpm{service='A',layer='GENERAL'}[9999999w]",
  'NaN - Inf',
  'rate(x[5m])',
);
const value = fc.oneof(time, selector, query, fc.string({maxLength: 20}), fc.string({unit: 'binary', maxLength: 10}));
const pairs = fc.array(fc.tuple(fc.constantFrom(...NAMES), value), {maxLength: 6});
const likely = fc.record({
  query,
  time,
  start: time,
  end: time,
  limit: fc.constantFrom('', '0', '5', '-1', '1e3', 'x'),
  'match[]': selector,
});

async function answered(path: string, body: string, method: string): Promise<boolean> {
  const url = scene.url(`/api/v1/${path}`);
  const headers = {'content-type': 'application/x-www-form-urlencoded'};
  const answer = method === 'POST' ? await ask(url, {method, headers, body}) : await ask(`${url}?${body}`);
  const known = [200, 400, 405, 422].includes(answer.status);
  const {status, error, data} = answer.json<{status: string; error?: string; data?: unknown}>();
  const formed =
    answer.status === 200 ? status === 'success' && data !== undefined : status === 'error' && error !== '';
  return known && formed && !answer.text.includes(':null');
}

const method = fc.constantFrom('GET', 'POST');
const path = fc.constantFrom(...PATHS);

test('arbitrary parameters are answered in the form of the protocol', async t => {
  await fc.assert(
    fc.asyncProperty(path, pairs, method, (where, items, how) =>
      answered(where, new URLSearchParams(items).toString(), how),
    ),
    {numRuns: RUNS},
  );
  t.pass();
});

test('likely parameters are answered in the form of the protocol', async t => {
  await fc.assert(
    fc.asyncProperty(path, likely, method, (where, fields, how) =>
      answered(where, new URLSearchParams(fields).toString(), how),
    ),
    {numRuns: RUNS},
  );
  t.pass();
});

test('bytes that are no form are answered', async t => {
  for (const body of [
    '%',
    '%zz=%',
    '&&&',
    '=',
    'query',
    'query=%ff%fe',
    'query=1&query=2',
    `query=${'%00'.repeat(100)}`,
  ]) {
    t.true(await answered('query', body, 'POST'), body);
  }
  const answer = await post(scene.url('/api/v1/query'), {query: '1', time: '4', query2: 'x'.repeat(2_000_000)});
  t.is(answer.status, 413);
  t.is(answer.json<{errorType: string}>().errorType, 'bad_data');
});
