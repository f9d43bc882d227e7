import test from 'ava';
import {runOver} from '../../../support/command.js';
import {get} from '../../../support/http.js';
import {makeGateway, openGateway} from '../../../support/library.js';
import {COMPAT_SPANS, SEGMENTS, USERS_HEX} from '../scene.js';
import {AROUND, MEMORY_ADAPTER, textOf} from '../support.js';

const WITHOUT = 'traces.native.v2';
const REFUSAL = 'the plugin traceql-native needs traces.native.v2, which the storage adapter memory does not supply';

function configOf(without: readonly string[], native: object = {}): object {
  return {
    listeners: {admin: {port: 0}, traces: {host: '127.0.0.1', port: 0}},
    storage: {use: MEMORY_ADAPTER, config: {compatSpans: COMPAT_SPANS, segments: SEGMENTS, without}},
    plugins: [
      {use: 'traceql-compat', enabled: true},
      {use: 'traceql-native', enabled: true, ...native},
    ],
  };
}

test('a storage without native traces leaves compat traces on and answers 501 for native ones', async t => {
  const {urls, lines} = await openGateway(t, configOf([WITHOUT]));
  t.is(textOf(await get(`${urls.traces}/compat/api/search`, {q: '{kind=client}', ...AROUND})), 'post /: 3');
  for (const path of ['/api/search', `/api/traces/${USERS_HEX}`, '/api/echo', '/ready', '/nothing', '']) {
    const answer = await get(`${urls.traces}/native${path}`);
    t.is(answer.status, 501);
    t.is(answer.headers['content-type'], 'application/json; charset=utf-8');
    t.deepEqual(answer.json(), {error: REFUSAL});
  }
  t.is(lines.filter(({level}) => level === 'warn').length, 1);
  const {plugins} = (await get(`${urls.admin}/-/plugins`)).json<{plugins: readonly object[]}>();
  t.like(plugins[1], {name: 'traceql-native', state: 'disabled', message: 'disabled: missing traces.native.v2'});
});

test('check says which plugin the storage cannot serve', async t => {
  const {stdout, exit} = await runOver(t, {
    config: configOf([WITHOUT]),
    args: file => ['check', '--connect', '--config', file],
  });
  t.is(exit, 0);
  t.true(
    stdout.some(line => /traceql-compat\s+.*enabled/.test(line)),
    stdout.join('\n'),
  );
  t.true(
    stdout.some(line => /traceql-native\s+.*disabled: missing traces\.native\.v2/.test(line)),
    stdout.join('\n'),
  );
});

test('a plugin that is required fails the start', async t => {
  const {gateway} = await makeGateway(t, configOf([WITHOUT], {required: true}));
  await t.throwsAsync(gateway.start(), {message: /traceql-native.*traces\.native\.v2/});
});

test('a capability that appears after a restart turns the plugin on without a change of its entry', async t => {
  const before = await openGateway(t, configOf([WITHOUT]));
  t.is((await get(`${before.urls.traces}/native/api/echo`)).status, 501);
  await before.gateway.stop();
  const {urls} = await openGateway(t, configOf([]));
  t.is((await get(`${urls.traces}/native/api/echo`)).status, 200);
  t.is((await get(`${urls.traces}/native/api/traces/${USERS_HEX}`)).status, 200);
  t.is((await get(`${urls.traces}/compat/api/echo`)).status, 200);
});
