import test from 'ava';
import {ask, get} from '../../support/http.js';
import {fixtureConfig, openGateway} from '../../support/library.js';
import {held, release, releaseAll, waiting} from './held.js';

/** One slot for heavy work, and room for four that wait for it. */
const ONE_SLOT = fixtureConfig({limits: {concurrentQueries: 1}});

test('small queries do not wait behind heavy ones', async t => {
  const {urls} = await openGateway(t, ONE_SLOT);
  const heavy = Promise.all(Array.from({length: 3}, () => get(`${urls.fixture}/heavy`)));
  await held(urls, 1);
  await waiting(urls, 2);
  t.is((await get(`${urls.fixture}/services`)).status, 200);
  t.true((await releaseAll(urls, heavy)).every(({status}) => status === 200));
});

test('heavy queries that are too many are told to come back', async t => {
  const {urls} = await openGateway(t, ONE_SLOT);
  const heavy = Promise.all(Array.from({length: 5}, () => get(`${urls.fixture}/heavy`)));
  await held(urls, 1);
  await waiting(urls, 4);
  const refused = await get(`${urls.fixture}/heavy`);
  t.is(refused.status, 503);
  t.is(refused.headers['retry-after'], '1');
  t.is(refused.json().fixture, 'overloaded');
  t.true((await releaseAll(urls, heavy)).every(({status}) => status === 200));
  // Nothing is left behind.
  const last = get(`${urls.fixture}/heavy`);
  await held(urls, 1);
  await release(urls);
  t.is((await last).status, 200);
});

test('a client that has gone while it waited for heavy work takes no slot', async t => {
  const {urls} = await openGateway(t, ONE_SLOT);
  const first = get(`${urls.fixture}/heavy`);
  await held(urls, 1);
  const client = new AbortController();
  const second = fetch(`${urls.fixture}/heavy`, {signal: client.signal});
  await waiting(urls, 1);
  client.abort();
  await t.throwsAsync(second, {any: true});
  await waiting(urls, 0);
  await release(urls);
  t.is((await first).status, 200);
  t.is((await ask(`${urls.fixture}/held`)).text, '0');
});

test('heavy queries that are late, waiting or not, are answered at their deadline', async t => {
  const {urls} = await openGateway(t, fixtureConfig({limits: {concurrentQueries: 1, queryTimeout: 200}}));
  const answers = await Promise.all(Array.from({length: 3}, () => get(`${urls.fixture}/heavy`)));
  t.deepEqual(
    answers.map(({status, json}) => [status, json().fixture]),
    Array.from({length: 3}, () => [503, 'timeout']),
  );
  await waiting(urls, 0);
});

test('a gateway that stops answers those that wait before its time is over', async t => {
  const limits = {concurrentQueries: 1};
  const {gateway, urls} = await openGateway(t, fixtureConfig({limits, shutdownTimeout: 1000}));
  const two = (path: string) => [1, 2].map(() => ask(`${urls.fixture}${path}`, {ends: true}));
  const heavy = two('/heavy');
  await held(urls, 1);
  await waiting(urls, 1);
  const others = two('/hold');
  await waiting(urls, 2);
  const stopped = gateway.stop();
  for (const answer of await Promise.all([...heavy, ...others])) {
    t.is(answer.status, 503);
    t.is(answer.headers['retry-after'], '1');
    t.is(answer.json().message, 'the gateway is stopping; try again');
  }
  await stopped;
});
