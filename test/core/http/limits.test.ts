import {execFileSync} from 'node:child_process';
import {request} from 'node:http';
import test from 'ava';
import {ask, get, post} from '../../support/http.js';
import {fixtureConfig, openGateway} from '../../support/library.js';
import {testWith} from '../../support/programs.js';
import {held, release, releaseAll, waiting} from './held.js';

test('a query that is late gets a timeout, and its signal the same', async t => {
  const {urls, logged} = await openGateway(t, fixtureConfig({limits: {queryTimeout: 150}}));
  const answer = await get(`${urls.fixture}/hold`);
  t.is(answer.status, 503);
  t.deepEqual(answer.json(), {
    fixture: 'timeout',
    message: 'the query has not ended within limits.queryTimeout, 0.15 s',
  });
  t.is((await logged('a held request was cancelled')).fields.code, 'timeout');
});

test('a write has a time limit of its own, and is told so', async t => {
  const {urls} = await openGateway(t, fixtureConfig({limits: {queryTimeout: 1, ingestTimeout: 150}}));
  const answer = await post(`${urls.fixture}/store`, {a: 'body'});
  t.is(answer.status, 503);
  t.deepEqual(answer.json(), {
    fixture: 'timeout',
    message: 'the body was not stored within limits.ingestTimeout, 0.15 s; sending it again is harmless',
  });
});

test('a query whose deadline is as far away as the end of an idle connection is answered each time', async t => {
  const config = fixtureConfig({limits: {queryTimeout: 200}, listeners: {fixture: {idleTimeout: 200}}});
  const {urls} = await openGateway(t, config);
  const alone = () =>
    new Promise<number | undefined>((resolve, reject) => {
      request(`${urls.fixture}/hold`, {agent: false}, answer => resolve(answer.resume().statusCode))
        .on('error', reject)
        .end();
    });
  for (let round = 0; round < 5; round++) {
    const statuses = await Promise.all(Array.from({length: 20}, alone));
    t.true(statuses.every(status => status === 503));
  }
});

test('a query that does not look at its signal is answered at its deadline all the same', async t => {
  const {urls} = await openGateway(t, fixtureConfig({limits: {queryTimeout: 100}}));
  const answers = await Promise.all(['/stubborn', '/hold', '/hold'].map(path => get(urls.fixture + path)));
  t.deepEqual(
    answers.map(({status}) => status),
    [503, 503, 503],
  );
  t.is((await get(`${urls.fixture}/hello`)).status, 200);
});

test('a query whose client has gone is cancelled', async t => {
  const {urls, logged} = await openGateway(t);
  const client = new AbortController();
  const answer = fetch(`${urls.fixture}/hold`, {signal: client.signal});
  await held(urls, 1);
  client.abort();
  await t.throwsAsync(answer, {any: true});
  t.is((await logged('a held request was cancelled')).fields.code, 'cancelled');
});

test('queries wait for their turn, and those that are too many are told to come back', async t => {
  const {urls} = await openGateway(t, fixtureConfig({limits: {concurrentQueries: 1}}));
  const accepted = Promise.all(Array.from({length: 5}, () => get(`${urls.fixture}/hold`)));
  await held(urls, 1);
  await waiting(urls, 4);

  const refused = await get(`${urls.fixture}/hold`);
  t.is(refused.status, 503);
  t.is(refused.headers['retry-after'], '1');
  t.is(refused.json().fixture, 'overloaded');
  t.regex(String(refused.json().message), /limits\.concurrentQueries, 1,/);
  // Work that is light waits for nobody.
  t.is((await get(`${urls.fixture}/hello`)).text, 'hello');

  const answers = await releaseAll(urls, accepted);
  t.true(answers.every(({status}) => status === 200));
  t.is((await get(`${urls.fixture}/services`)).status, 200);
});

test('a query that waits has its deadline too, and a late handler holds its place until it ends', async t => {
  const {urls} = await openGateway(t, fixtureConfig({limits: {concurrentQueries: 1, queryTimeout: 200}}));
  const answers = await Promise.all(Array.from({length: 3}, () => get(`${urls.fixture}/stubborn`)));
  t.deepEqual(
    answers.map(({status}) => status),
    [503, 503, 503],
  );
  t.is((await get(`${urls.fixture}/services`)).status, 503);
  await release(urls);
  t.is((await get(`${urls.fixture}/services`)).status, 200);
});

test('a client that has gone while it waited takes no place', async t => {
  const {urls, lines} = await openGateway(t, fixtureConfig({limits: {concurrentQueries: 1}}));
  const first = get(`${urls.fixture}/hold`);
  await held(urls, 1);
  const client = new AbortController();
  const second = fetch(`${urls.fixture}/hold`, {signal: client.signal});
  await waiting(urls, 1);
  const third = get(`${urls.fixture}/services`);
  await waiting(urls, 2);
  client.abort();
  await t.throwsAsync(second, {any: true});
  await release(urls);
  t.is((await first).status, 200);
  t.is((await third).status, 200);
  t.false(lines.some(({message}) => message === 'a held request was cancelled'));
});

test('request line and headers have one limit', async t => {
  const {urls} = await openGateway(t, fixtureConfig({limits: {headerBytes: '8KiB'}}));
  t.is((await get(`${urls.fixture}/echo`, {x: 'a'.repeat(6000)})).status, 200);
  const many: readonly Readonly<Record<string, string>>[] = [
    {big: 'a'.repeat(9000)},
    {a: 'a'.repeat(5000), b: 'b'.repeat(5000)},
  ];
  for (const headers of many) {
    const answer = await ask(`${urls.fixture}/hello`, {headers});
    t.is(answer.status, 431);
    t.deepEqual(answer.json(), {error: 'the request line and headers are larger than limits.headerBytes, 8192 bytes'});
  }
  t.is((await get(`${urls.fixture}/echo`, {x: 'a'.repeat(9000)})).status, 431);
  t.is((await get(`${urls.fixture}/hello`)).status, 200);
});

test('requests and calls to the storage are counted', async t => {
  const {urls} = await openGateway(t);
  await get(`${urls.fixture}/services`);
  await get(`${urls.fixture}/services`);
  await get(`${urls.fixture}/endpoints`);
  await get(`${urls.fixture}/none`);
  const answer = await get(`${urls.admin}/metrics`);
  t.regex(String(answer.headers['content-type']), /^text\/plain; version=0\.0\.4/);
  for (const line of [
    'query_gateway_http_requests_total{component="fixture-plugin",route="/services",status="200"} 2',
    'query_gateway_http_requests_total{component="fixture-plugin",route="/endpoints",status="502"} 1',
    'query_gateway_http_requests_total{component="fixture-plugin",route="(none)",status="404"} 1',
    'query_gateway_http_request_seconds_count{component="fixture-plugin",route="/services"} 2',
    'query_gateway_http_request_seconds_bucket{component="fixture-plugin",route="/services",le="+Inf"} 2',
    'query_gateway_storage_call_seconds_count{component="storage",capability="metadata.query.v1",method="services"} 2',
    'query_gateway_storage_errors_total{component="storage",capability="metadata.query.v1",method="endpoints",code="storage_failed"} 1',
  ]) {
    t.true(answer.text.split('\n').includes(line), line);
  }
  t.regex(answer.text, /^process_resident_memory_bytes \d+$/m);
});

testWith(test, 'promtool', "promtool has nothing to say against the gateway's own metrics", async t => {
  const {urls} = await openGateway(t);
  await get(`${urls.fixture}/services`);
  const {text} = await get(`${urls.admin}/metrics`);
  t.notThrows(() => execFileSync('promtool', ['check', 'metrics'], {input: text, stdio: 'pipe'}));
});
