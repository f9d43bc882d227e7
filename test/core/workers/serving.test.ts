import {once} from 'node:events';
import {readFile, writeFile} from 'node:fs/promises';
import {Agent, request} from 'node:http';
import {connect} from 'node:net';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {Client, credentials, status} from '@grpc/grpc-js';
import anyTest, {type TestFn} from 'ava';
import {EXPORT} from '../../plugins/ingest-otlp/support/export.js';
import {type RunningGateway, scratchFolder, startGateway} from '../../support/gateway.js';
import {ask} from '../../support/http.js';
import {ownerOf} from '../../support/owner.js';
import {answers, figureOf, fresh, isAlive, MIRROR, ONCE, PID, pidsOf, SHARED, statusOf, until} from './scene.js';

/** A call without content over a connection of its own: the code with which it fails. */
function callOnce(address: string, method: string): Promise<status | undefined> {
  const client = new Client(address, credentials.createInsecure(), {'grpc.use_local_subchannel_pool': 1});
  const same = (bytes: Buffer): Buffer => bytes;
  return new Promise(resolve =>
    client.makeUnaryRequest(method, same, same, Buffer.alloc(0), error => {
      client.close();
      resolve(error?.code);
    }),
  );
}

const test = anyTest as TestFn;
const owner = ownerOf(anyTest);
let gateway: RunningGateway;
let folder: string;

test.serial.before('two workers serve', async () => {
  folder = await scratchFolder(owner);
  const config = {
    workers: 2,
    listeners: {
      admin: {port: 0},
      pid: {port: 0, accessLog: true},
      once: {port: 0},
      mirror: {port: 0},
      mixed: {port: 0},
      ingest: {port: 0},
      tempo: {port: 0},
      otlp: {port: 0},
      diagnostics: {host: '127.0.0.1', port: 0},
    },
    storage: {use: SHARED, config: {file: './spans'}},
    plugins: [
      {use: PID},
      {use: ONCE},
      {use: MIRROR},
      {use: ONCE, listener: 'mixed', prefix: '/once'},
      {use: PID, listener: 'mixed', prefix: '/many'},
      {use: 'ingest', listener: 'ingest', config: {}},
      {use: 'traceql-compat', listener: 'tempo', enabled: true},
      {use: 'ingest-otlp', config: {compat: true, grpcListenAddr: '127.0.0.1:0'}},
      {use: 'diagnostics-proxy', config: {grpcListenAddr: '127.0.0.1:0'}},
    ],
    limits: {concurrentQueries: 3},
    record: {file: './queries.ndjson'},
  };
  gateway = await startGateway(owner, {folder, config});
});

test.serial('there is one ready line, and every worker is told of', async t => {
  t.is(gateway.stdout.length, 1);
  const {workers, gateway: own, storage, plugins} = await statusOf(gateway);
  t.is(own.state, 'ok');
  t.is(storage?.state, 'ok');
  t.deepEqual(
    workers.map(({name, state, restarts}) => ({name, state, restarts})),
    [1, 2].map(index => ({name: `worker ${index}`, state: 'ok', restarts: 0})),
  );
  t.deepEqual(
    plugins.map(({state}) => state),
    plugins.map(() => 'ok'),
  );
  t.deepEqual(
    await pidsOf(gateway.urls.pid),
    workers.map(({pid}) => pid ?? 0).sort((a, b) => a - b),
  );
});

test.serial('one worker has made the layout of the storage, and each has its part of the connections', t => {
  const started = gateway.log.filter(({msg}) => msg === 'the shared storage is open');
  t.deepEqual(
    started.map(({worker, connections}) => ({worker, connections})),
    [1, 2].map(worker => ({worker, connections: 5})),
  );
});

test.serial('connections that are kept are spread evenly', async t => {
  const agents = Array.from({length: 10}, () => new Agent({keepAlive: true, maxSockets: 1}));
  const counts = new Map<number, number>();
  for (const round of [1, 2]) {
    for (const agent of agents) {
      const sent = request(`${gateway.urls.pid}/pid`, {agent}).end();
      const [response] = await once(sent, 'response');
      const {pid} = JSON.parse(await text(response)) as {pid: number};
      if (round === 2) counts.set(pid, (counts.get(pid) ?? 0) + 1);
    }
  }
  for (const agent of agents) agent.destroy();
  t.deepEqual([...counts.values()], [5, 5]);
});

test.serial('a client may send its request and close its half before the answer', async t => {
  for (let i = 0; i < 4; i++) {
    const socket = connect(Number(new URL(gateway.urls.pid ?? '').port), '127.0.0.1');
    socket.end('GET /pid HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    t.regex(await text(socket), /^HTTP\/1\.1 200 /);
  }
});

for (const [what, path] of [
  ['at its own listener', () => gateway.urls.once],
  ['beside others', () => `${gateway.urls.mixed}/once`],
  ['through a page that shows the others', () => `${gateway.urls.mirror}/others/once`],
] as const) {
  test.serial(`a plugin that runs once answers ${what} from one process`, async t => {
    const first = (await statusOf(gateway)).workers[0]?.pid;
    t.deepEqual(await pidsOf(path()), [first ?? 0]);
  });
}

test.serial('addresses that plugins open are served too, by all or by the first', async t => {
  const calls = [
    [gateway.urls.otlpGrpc, EXPORT, undefined],
    // There is no such method: a server of gRPC says so.
    [gateway.urls.grpc, '/none/such', status.UNIMPLEMENTED],
  ] as const;
  for (const [address, method, code] of calls) {
    for (let i = 0; i < 4; i++) t.is(await callOnce(address ?? '', method), code);
  }
});

test.serial('what one worker has acknowledged every other answers', async t => {
  for (let i = 1; i <= 20; i++) {
    const id = String(i).padStart(32, '0');
    const span = {traceId: id, id: '000000000000000a', timestamp: Date.now() * 1000, duration: 5, name: 'get'};
    const body = JSON.stringify([{...span, localEndpoint: {serviceName: 'songs'}}]);
    const headers = {'content-type': 'application/json'};
    const stored = await ask(`${gateway.urls.ingest}/api/v2/spans`, {method: 'POST', headers, body, ends: true});
    t.is(stored.status, 202);
    const found = await Promise.all(
      [1, 2].map(() => ask(`${gateway.urls.tempo}/compat/api/traces/${id}`, {ends: true})),
    );
    t.deepEqual(
      found.map(({status}) => status),
      [200, 200],
    );
  }
});

test.serial('figures are of all workers together', async t => {
  const before = (await fresh(`${gateway.urls.admin}/metrics`)).text;
  const line = 'query_gateway_http_requests_total{component="pid",route="/pid",status="200"}';
  await answers(gateway.urls.pid, 10);
  const {text: page} = await fresh(`${gateway.urls.admin}/metrics`);
  t.is((figureOf(page, line) ?? 0) - (figureOf(before, line) ?? 0), 10);
  const pids = (await statusOf(gateway)).workers.map(({pid}) => pid ?? 0);
  const values: Readonly<Record<string, number>> = {
    'query_gateway_fixture_processes{component="pid"}': 2,
    'query_gateway_fixture_processes{component="once"}': 1,
    'query_gateway_fixture_least{component="pid"}': Math.min(...pids),
    'query_gateway_fixture_seconds_count{component="pid"}': 2,
    'query_gateway_fixture_seconds_sum{component="pid"}': 0.6,
    'query_gateway_fixture_seconds_bucket{component="pid",le="0.25"}': 0,
    'query_gateway_fixture_seconds_bucket{component="pid",le="0.5"}': 2,
    'query_gateway_ready{component="gateway"}': 1,
    'query_gateway_config_reload_success{component="gateway"}': 1,
    'query_gateway_component_degraded{component="gateway",name="worker 2"}': 0,
  };
  t.deepEqual(Object.fromEntries(Object.keys(values).map(name => [name, figureOf(page, name)])), values);
  t.is(page.split('\n').filter(text => text.startsWith('query_gateway_info{')).length, 1);
  const families = page.split('\n').flatMap(text => /^# TYPE (\S+)/.exec(text)?.[1] ?? []);
  t.deepEqual(families, [...new Set(families)]);
  t.true((figureOf(page, 'process_resident_memory_bytes') ?? 0) > 100_000_000);
  t.truthy(figureOf(page, 'process_start_time_seconds'));
});

test.serial('one file has the queries that all have answered, in whole lines', async t => {
  const asked = Array.from({length: 40}, (_, at) => `at=${at}`);
  await Promise.all(asked.map(query => ask(`${gateway.urls.pid}/query?${query}`, {ends: true})));
  let lines: readonly {readonly path: string; readonly parameters: string}[] = [];
  while (lines.length < asked.length) {
    const file = await readFile(join(folder, 'queries.ndjson'), 'utf8');
    const all = file.split('\n').slice(0, -1);
    lines = all.map(line => JSON.parse(line)).filter(({path}) => path === '/query');
  }
  t.deepEqual(lines.map(({parameters}) => parameters).sort(), [...asked].sort());
});

test.serial('lines of the access log name their worker', async t => {
  await answers(gateway.urls.pid, 4);
  const workers = new Set(gateway.log.filter(({component}) => component === 'access').map(({worker}) => worker));
  t.deepEqual([...workers].sort(), [1, 2]);
});

test.serial('all workers together run as many queries as the limit says, and say so', async t => {
  const file = join(folder, 'go');
  let answered = 0;
  const asked = Array.from({length: 40}, async () => {
    const answer = await ask(`${gateway.urls.pid}/wait?until=${file}`, {ends: true});
    answered++;
    return answer;
  });
  const refused = await Promise.race(asked);
  t.is(refused.status, 503);
  t.regex(refused.text, /limits\.concurrentQueries, 3 \(a part for each of 2 workers\)/);
  // In each worker two have a place, and eight wait for one.
  await until(() => answered === 20);
  await writeFile(file, '');
  const statuses = (await Promise.all(asked)).map(({status}) => status);
  t.is(statuses.filter(status => status === 200).length, 20);
});

test.serial('SIGTERM lets every worker answer what it has, and leaves no process', async t => {
  const file = join(folder, 'end');
  const {workers} = await statusOf(gateway);
  const asked = Array.from({length: 4}, () => ask(`${gateway.urls.pid}/wait?until=${file}`, {ends: true}));
  const running = 'query_gateway_queries_running{component="gateway"}';
  while (figureOf((await fresh(`${gateway.urls.admin}/metrics`)).text, running) !== 4);
  const stopped = gateway.stop();
  await gateway.logged('the gateway stops');
  await writeFile(file, '');
  t.deepEqual(
    (await Promise.all(asked)).map(({status}) => status),
    [200, 200, 200, 200],
  );
  t.is(await stopped, 0);
  const alive = workers.filter(({pid}) => pid !== null && isAlive(pid));
  t.deepEqual(alive, []);
  t.is(gateway.log.filter(({msg}) => msg === 'the plugin has stopped').length, 8);
});
