import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import {runOver} from '../../support/command.js';
import {FIXTURE_ADAPTER, FIXTURE_PLUGIN, startGateway} from '../../support/gateway.js';
import {get} from '../../support/http.js';
import {hangUp} from './hang-up.js';

const FIXTURE = {storage: {use: FIXTURE_ADAPTER}, plugins: [{use: FIXTURE_PLUGIN}]};
const OPEN = 'a socket can be reached by other machines, without TLS and credentials';

const AGAIN = 'the configuration was read again and is in force';

test('a gateway goes on after SIGHUP, which reads its configuration again, and drains at SIGTERM', async t => {
  const gateway = await startGateway(t, {config: FIXTURE});
  await hangUp(gateway, AGAIN);
  t.is((await get(`${gateway.urls.fixture}/hello`)).status, 200);
  const until = join(gateway.folder, 'released');
  const held = get(`${gateway.urls.fixture}/hold`, {until});
  while ((await get(`${gateway.urls.fixture}/held`)).text !== '1');
  await hangUp(gateway, AGAIN);
  const stopped = gateway.stop();
  await gateway.logged('the gateway stops');
  await writeFile(until, '');
  t.is((await held).status, 200);
  t.is(await stopped, 0);
});

const PLACES: readonly (readonly [host: string, address: RegExp, isOpen: boolean])[] = [
  ['127.0.0.1', /^127\.0\.0\.1:\d+$/, false],
  ['localhost', /^localhost:\d+$/, false],
  ['0.0.0.0', /^0\.0\.0\.0:\d+ \(all addresses\)$/, true],
];

for (const [host, address, isOpen] of PLACES) {
  test(`the log says where a listener at ${host} listens, and the ready line how it is reached`, async t => {
    const gateway = await startGateway(t, {config: {...FIXTURE, listeners: {fixture: {host, port: 0}}}});
    const {port} = new URL(gateway.urls.fixture ?? '');
    t.is((await get(`http://127.0.0.1:${port}/hello`)).status, 200);
    t.is((await get(`${gateway.urls.fixture}/hello`)).status, 200);
    t.is(await gateway.stop(), 0);
    const {fixture, ...others} = (await gateway.logged('the sockets are open')).sockets as Record<string, string>;
    t.deepEqual(others, {});
    t.regex(fixture ?? '', address);
    t.regex(fixture ?? '', new RegExp(`:${port}\\b`));
    const warnings = gateway.log.filter(({level}) => level === 'warn');
    t.deepEqual(
      warnings.map(({msg, socket}) => [msg, socket]),
      isOpen ? [[OPEN, 'fixture']] : [],
    );
  });
}

test('one warning stands for each socket that others can reach, those of plugins too, in check as in the log', async t => {
  const config = {
    listeners: {
      diagnostics: {host: '0.0.0.0', port: 0},
      ingest: {host: '127.0.0.1', port: 0},
      traces: {host: '0.0.0.0', port: 0},
    },
    plugins: [{use: 'diagnostics-proxy', config: {grpcListenAddr: ':0'}}, {use: 'ingest'}],
  };
  const gateway = await startGateway(t, {config});
  t.is(await gateway.stop(), 0);
  const warned = gateway.log.filter(({msg}) => msg === OPEN).map(({socket}) => socket);
  t.deepEqual(warned.sort(), ['diagnostics', 'grpc', 'traces']);
  const check = await runOver(t, {config});
  t.is(check.exit, 0);
  t.deepEqual(check.stdout.filter(line => line.startsWith('warning:')).sort(), [
    'warning: grpcListenAddr of the plugin diagnostics-proxy is open to other machines at 0.0.0.0:0 (all addresses), without TLS and credentials',
    'warning: the listener "diagnostics" is open to other machines at 0.0.0.0:0 (all addresses), without TLS and credentials',
    'warning: the listener "traces" is open to other machines at 0.0.0.0:0 (all addresses), without TLS and credentials',
  ]);
});

test('the path of a plugin that is switched off says so and how to switch it on, in its own form, behind plugins that are on', async t => {
  const plugins = [
    {use: FIXTURE_PLUGIN, prefix: '/off', enabled: false},
    {use: FIXTURE_PLUGIN, enabled: false},
    {use: 'traceql-native', listener: 'fixture', prefix: '/traces'},
    {use: FIXTURE_PLUGIN, prefix: '/'},
    {use: 'traceql-compat', listener: 'fixture', prefix: '/lacking', enabled: true},
  ];
  const gateway = await startGateway(t, {config: {...FIXTURE, plugins}});
  const {fixture} = gateway.urls;
  const off = await get(`${fixture}/off/hello`);
  t.is(off.status, 404);
  t.deepEqual(off.json(), {
    fixture: 'not_found',
    message:
      'the plugin fixture-plugin is disabled; "enabled": true at plugins[0] of the configuration enables it, or FIXTURE_ENABLED=true where the file leaves it to that variable',
  });
  const traces = await get(`${fixture}/traces/api/search`);
  t.is(traces.status, 404);
  t.regex(
    traces.json<{error: string}>().error,
    /^the plugin traceql-native is disabled; "enabled": true at plugins\[2\]/,
  );
  t.is((await get(`${fixture}/hello`)).status, 200);
  t.is((await get(`${fixture}/nothing`)).json().message, 'no such path: /nothing');
  t.is((await get(`${fixture}/lacking/api/search`)).status, 501);
});
