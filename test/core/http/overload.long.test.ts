import {once} from 'node:events';
import {Agent, type ClientRequest, request} from 'node:http';
import test from 'ava';
import {FIXTURE_ADAPTER, FIXTURE_PLUGIN, startGateway} from '../../support/gateway.js';
import {encode, type Fields, get} from '../../support/http.js';

const LONGEST = 16 * 1024;
const CHAIN = `a${'+a'.repeat((LONGEST - 1) / 2)}`;
const MATCHERS = `{__name__="a",${'b=~"c.*",'.repeat((LONGEST - 20) / 9)}}`;
const CONDITIONS = `{${Array.from({length: 2700}, () => '.a=1').join('&&')}}`;
const ALTERNATIVES = `{${Array.from({length: 2700}, () => '.a=1').join('||')}}`;

const CLIENTS = 40;

const agent = new Agent({maxSockets: Number.POSITIVE_INFINITY, keepAlive: false});

/** So many requests, when all have left. */
async function sent(clients: number, url: string, parameters: Fields): Promise<readonly ClientRequest[]> {
  const requests = Array.from({length: clients}, () => {
    const one = request(`${url}?${encode(parameters)}`, {agent}).on('error', () => undefined);
    one.end();
    return one;
  });
  await Promise.all(requests.map(one => once(one, 'finish')));
  return requests;
}

const CONFIG = {
  listeners: {admin: {port: 0}, metrics: {port: 0}, traces: {port: 0}},
  storage: {use: 'embedded', config: {path: './data'}},
  plugins: [{use: 'promql-subset'}, {use: 'traceql-compat', enabled: true}],
};

for (const [title, listener, path, parameters] of [
  ['the format of the longest text', 'metrics', '/api/v1/format_query', {query: CHAIN}],
  ['the longest expression', 'metrics', '/api/v1/query', {query: CHAIN}],
  ['labels by the longest selector', 'metrics', '/api/v1/labels', {'match[]': MATCHERS}],
  ['traces by the longest query', 'traces', '/compat/api/search', {q: CONDITIONS}],
  ['traces by the longest query that is refused', 'traces', '/compat/api/search', {q: ALTERNATIVES}],
  ['tags by the longest query', 'traces', '/compat/api/v2/search/tags', {q: CONDITIONS}],
] as const) {
  test(`readiness does not wait for ${CLIENTS} that ask for ${title}`, async t => {
    const {urls} = await startGateway(t, {config: CONFIG});
    let answered = 0;
    const requests = await sent(CLIENTS, `${urls[listener]}${path}`, parameters);
    const all = requests.map(async one => {
      const [answer] = await once(one, 'response');
      answered++;
      answer.resume();
    });
    t.is((await get(`${urls.admin}/-/ready`)).status, 200);
    t.true(answered < CLIENTS, `${answered} were answered before`);
    await Promise.all(all);
  });
}

test('texts of clients that have left are not parsed to their end', async t => {
  const {urls} = await startGateway(t, {config: CONFIG});
  const requests = await sent(200, `${urls.metrics}/api/v1/format_query`, {query: CHAIN});
  for (const one of requests) one.destroy();
  const line = (status: number): RegExp =>
    new RegExp(
      `^query_gateway_http_requests_total\\{.*route="/api/v1/format_query",status="${status}"\\} (\\d+)$`,
      'm',
    );
  for (;;) {
    const {text} = await get(`${urls.admin}/metrics`);
    const [parsed, left] = [200, 499].map(status => Number(line(status).exec(text)?.[1] ?? 0)) as [number, number];
    const isQuiet =
      /^query_gateway_queries_running\{.*\} 0$/m.test(text) && /^query_gateway_queries_waiting\{.*\} 0$/m.test(text);
    if (!isQuiet || parsed + left === 0) continue;
    t.true(parsed < 100, `${parsed} were parsed, ${left} were not`);
    return;
  }
});

const FIXTURE = {listeners: {admin: {port: 0}}, storage: {use: FIXTURE_ADAPTER}, plugins: [{use: FIXTURE_PLUGIN}]};

test('what clients that have left have asked for is not begun', async t => {
  const {urls} = await startGateway(t, {config: FIXTURE});
  const requests = await sent(200, `${urls.fixture}/busy`, {});
  for (const one of requests) one.destroy();
  while (!/^query_gateway_queries_waiting\{.*\} 0$/m.test((await get(`${urls.admin}/metrics`)).text));
  const begun = Number((await get(`${urls.fixture}/begun`)).text);
  t.true(begun < 150, `${begun} were begun`);
});

test('a stop answers what had been sent before it', async t => {
  // A busy machine needs longer for all of them than a stop may take by default.
  const gateway = await startGateway(t, {config: {...FIXTURE, shutdownTimeout: '2m'}});
  const requests = await sent(30, `${gateway.urls.fixture}/busy`, {});
  const answers = requests.map(async one => {
    const [answer] = await once(one, 'response');
    answer.resume();
    return answer.statusCode;
  });
  const exit = gateway.stop();
  t.deepEqual(
    await Promise.all(answers),
    requests.map(() => 200),
  );
  t.is(await exit, 0);
});
