import test from 'ava';
import {FIXTURE_ADAPTER, FIXTURE_PLUGIN} from '../support/gateway.js';
import {get} from '../support/http.js';
import {fixtureConfig, makeGateway, openGateway} from '../support/library.js';

test('a program starts and stops a gateway by itself', async t => {
  const {gateway, urls} = await openGateway(t);
  t.is((await get(`${urls.fixture}/hello`)).text, 'hello');
  t.like(await gateway.status(), {
    gateway: {state: 'ok'},
    storage: {name: 'fixture', version: '7.8.9', state: 'ok', capabilities: ['metadata.query.v1']},
    plugins: [{name: 'fixture-plugin', version: '4.5.6', state: 'ok', listener: 'fixture', prefix: '/'}],
  });
  await gateway.stop();
  t.like(await gateway.status(), {
    gateway: {state: 'stopped'},
    storage: {state: 'stopped'},
    plugins: [{state: 'stopped'}],
  });
  await t.throwsAsync(get(`${urls.fixture}/hello`), {code: 'ECONNREFUSED'});
});

test('two gateways run side by side in one program', async t => {
  const [one, two] = await Promise.all(
    ['one', 'two'].map(greeting =>
      openGateway(t, fixtureConfig({plugins: [{use: FIXTURE_PLUGIN, config: {greeting}}]})),
    ),
  );
  t.is((await get(`${one?.urls.fixture}/hello`)).text, 'one');
  t.is((await get(`${two?.urls.fixture}/hello`)).text, 'two');
});

test('a gateway that never started stops, twice', async t => {
  const {gateway} = await makeGateway(t, fixtureConfig());
  await gateway.stop();
  await gateway.stop();
  t.like(await gateway.status(), {gateway: {state: 'stopped'}});
});

test('components that do not stop come out together', async t => {
  const {gateway} = await openGateway(
    t,
    fixtureConfig({
      storage: {use: FIXTURE_ADAPTER, config: {stopError: 'the disk is slow'}},
      plugins: [{use: FIXTURE_PLUGIN, config: {stopError: 'it hangs on'}}],
    }),
  );
  const error = await t.throwsAsync(gateway.stop(), {instanceOf: AggregateError});
  t.deepEqual(
    error.errors.map(({message}) => message),
    ['stopping the plugin fixture-plugin: it hangs on', 'stopping the storage adapter fixture: the disk is slow'],
  );
});

test('a start that fails rejects with the component that failed, after the others have stopped', async t => {
  const plugins = [{use: FIXTURE_PLUGIN}, {use: FIXTURE_PLUGIN, prefix: '/b', config: {startError: 'no licence'}}];
  const {gateway, lines} = await makeGateway(t, fixtureConfig({plugins}));
  await t.throwsAsync(gateway.start(), {message: 'the plugin fixture-plugin-2 did not start: no licence'});
  t.true(lines.some(({message}) => message === 'the fixture adapter has stopped'));
});
