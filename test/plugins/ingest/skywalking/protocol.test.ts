import test from 'ava';
import {type Owner, type RunningGateway, scratchFolder, startGateway} from '../../../support/gateway.js';
import {ask, get} from '../../../support/http.js';
import {ownerOf} from '../../../support/owner.js';
import {AgentClient, bytesOf} from './agent-messages.js';

const group = ownerOf(test);

const COLLECT = 'TraceSegmentReportService/collect';
const COLLECT_IN_SYNC = 'TraceSegmentReportService/collectInSync';

interface Agents extends RunningGateway {
  readonly agent: AgentClient;
}

async function start(t: Owner, settings: object = {}): Promise<Agents> {
  const folder = await scratchFolder(t);
  const config = {
    listeners: {traces: {host: '127.0.0.1', port: 0}, ingest: {port: 0}, metrics: {port: 0}, admin: {port: 0}},
    storage: {use: 'embedded', config: {path: `${folder}/data`}},
    plugins: [
      {use: 'traceql-native', enabled: true},
      {use: 'promql-subset'},
      {use: 'ingest', config: {grpcListenAddr: '127.0.0.1:0'}},
    ],
    ...settings,
  };
  const gateway = await startGateway(t, {config, folder});
  return Object.assign(gateway, {agent: new AgentClient(t, gateway.urls.ingestGrpc ?? '')});
}

let gateway: Agents;

test.before('one gateway for all', async () => {
  gateway = await start(group);
});

const segment = (id: string, fields: object = {}): object => ({
  traceId: `trace-${id}`,
  traceSegmentId: `segment-${id}`,
  service: 'orders',
  serviceInstance: 'orders-1',
  spans: [
    {spanId: 0, parentSpanId: -1, startTime: Date.now(), endTime: Date.now() + 5, operationName: '/buy', spanType: 0},
  ],
  ...fields,
});

const segmentBytes = (id: string, fields: object = {}): Buffer => bytesOf('SegmentObject', segment(id, fields));

const hexOf = (text: string): string => Buffer.from(text).toString('hex');

async function isStored(id: string): Promise<boolean> {
  const {status} = await get(`${gateway.urls.traces}/native/api/v2/traces/${hexOf(`trace-${id}`)}`);
  return status === 200;
}

/** A counter of the gateway's own. */
async function metric(name: string, {urls} = gateway): Promise<number> {
  const {text} = await get(`${urls.admin}/metrics`);
  const line = text.split('\n').find(each => each.startsWith(`${name}{`) && each.includes('native segments'));
  return Number(line?.split(' ').at(-1) ?? 0);
}

test.serial('what is answered OK is stored: of a stream, and of a collection', async t => {
  const before = await metric('query_gateway_ingest_records_total');
  const stream = await gateway.agent.stream(COLLECT, [segmentBytes('a'), segmentBytes('b')]);
  t.is(stream.code, 0, stream.details);
  t.true((await isStored('a')) && (await isStored('b')));
  const collection = bytesOf('SegmentCollection', {segments: [segment('c'), segment('d')]});
  const unary = await gateway.agent.unary(COLLECT_IN_SYNC, collection);
  t.is(unary.code, 0, unary.details);
  t.true((await isStored('c')) && (await isStored('d')));
  t.is(await metric('query_gateway_ingest_records_total'), before + 4);
  const empty = await gateway.agent.stream(COLLECT, []);
  t.is(empty.code, 0, empty.details);
});

test.serial('a segment that cannot be stored is counted and logged, and the stream goes on', async t => {
  const before = await metric('query_gateway_ingest_refused_records_total');
  const damaged = segmentBytes('x').subarray(0, -3);
  const messages = [segmentBytes('e'), damaged, segmentBytes('', {traceSegmentId: '', spans: []}), segmentBytes('f')];
  const stream = await gateway.agent.stream(COLLECT, messages);
  t.is(stream.code, 0, stream.details);
  t.true((await isStored('e')) && (await isStored('f')));
  t.false(await isStored('x'));
  t.is(await metric('query_gateway_ingest_refused_records_total'), before + 2);
  const line = gateway.log.find(({msg}) => msg.startsWith('a segment of an agent is refused'));
  t.is(line?.peer, '127.0.0.1');
  // In a collection too, one does not cost the others.
  const collection = bytesOf('SegmentCollection', {segments: [segment('g'), segment('h', {spans: []})]});
  t.is((await gateway.agent.unary(COLLECT_IN_SYNC, collection)).code, 0);
  t.true(await isStored('g'));
  t.is(await metric('query_gateway_ingest_refused_records_total'), before + 3);
});

test.serial('a message of too many parts is refused before anything of it is made', async t => {
  // Empty spans, of two bytes each.
  const messages = [Buffer.alloc(2_000_000, Buffer.from([0x1a, 0])), segmentBytes('i')];
  t.is((await gateway.agent.stream(COLLECT, messages)).code, 0);
  t.true(await isStored('i'));
  const reasons = gateway.log.map(({reason}) => reason);
  t.true(reasons.includes('found more than 200000 spans, tags and log entries in a segment'), reasons.join('\n'));
});

test.serial('a message over the limit ends its call with RESOURCE_EXHAUSTED, and is counted and logged', async t => {
  const small = await start(t, {limits: {ingestBody: 2048}});
  const {code, details} = await small.agent.stream(COLLECT, [segmentBytes('a', {service: 's'.repeat(3000)})]);
  t.is(code, 8);
  t.is(details, 'the message is larger than limits.ingestBody, 2048 bytes');
  t.is(await metric('query_gateway_ingest_refused_records_total', small), 1);
  const line = small.log.find(({msg}) => msg.startsWith('a segment of an agent is refused'));
  t.is(line?.reason, `${details}; what the agent had still to say in its call is lost`);
  t.is((await small.agent.stream(COLLECT, [segmentBytes('b')])).code, 0);
});

test.serial('other services of the protocol are UNIMPLEMENTED', async t => {
  for (const method of [
    'JVMMetricReportService/collect',
    'MeterReportService/collect',
    'LogReportService/collect',
    'ConfigurationDiscoveryService/fetchConfigurations',
    'ProfileTask/getProfileTaskCommands',
    'TraceSegmentReportService/collectAll',
  ]) {
    t.is((await gateway.agent.unary(method, Buffer.alloc(0))).code, 12, method);
  }
});

test.serial('an instance that says that it is there, over gRPC or HTTP, is known to metric queries', async t => {
  const ping = (serviceInstance: string, layer = ''): Buffer =>
    bytesOf('InstancePingPkg', {service: 'orders', serviceInstance, layer});
  const properties = {service: 'orders', serviceInstance: 'b', properties: [{key: 'language', value: 'NodeJS'}]};
  t.is((await gateway.agent.unary('ManagementService/keepAlive', ping('a'))).code, 0);
  t.is((await gateway.agent.unary('ManagementService/keepAlive', ping('a'))).code, 0);
  const reported = bytesOf('InstanceProperties', properties);
  t.is((await gateway.agent.unary('ManagementService/reportInstanceProperties', reported)).code, 0);
  for (const [path, name] of [
    ['reportProperties', 'c'],
    ['keepAlive', 'd'],
  ] as const) {
    const body = JSON.stringify({...properties, serviceInstance: name});
    const answer = await ask(`${gateway.urls.ingest}/v3/management/${path}`, {method: 'POST', body});
    t.is(answer.status, 200);
    t.is(answer.text, '{}');
  }
  const match = 'instance_traffic{layer="GENERAL",service="orders"}';
  const found = await get(`${gateway.urls.metrics}/api/v1/series`, {
    'match[]': match,
    start: String(Math.floor(Date.now() / 1000) - 600),
    end: String(Math.floor(Date.now() / 1000) + 60),
  });
  for (const name of ['a', 'b', 'c', 'd']) t.true(found.text.includes(`"service_instance":"${name}"`), found.text);

  const nameless = await gateway.agent.unary(
    'ManagementService/keepAlive',
    bytesOf('InstancePingPkg', {service: 'orders'}),
  );
  t.is(nameless.code, 3);
  t.is(nameless.details, 'key "serviceInstance": missing');
  const text = await ask(`${gateway.urls.ingest}/v3/management/keepAlive`, {method: 'POST', body: '[]'});
  t.is(text.status, 400);
  t.is(text.text, '{"error":"found an array, expected an instance as a JSON object"}');
});

test.serial('grpcListenAddr has the form of an address', async t => {
  const plugins = [{use: 'ingest', config: {grpcListenAddr: '127.0.0.1:70000'}}];
  const error = await t.throwsAsync(start(t, {plugins}));
  t.regex(
    error?.message ?? '',
    /plugins\[0\]\.config\.grpcListenAddr: found \\?"127\.0\.0\.1:70000\\?", expected a port from 0 to 65535/,
  );
});
