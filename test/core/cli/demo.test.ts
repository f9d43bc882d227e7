import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import {dirname} from 'node:path';
import {promisify} from 'node:util';
import test, {type ExecutionContext} from 'ava';
import {type Owner, type Run, run} from '../../support/gateway.js';
import {get} from '../../support/http.js';
import {ownerOf} from '../../support/owner.js';

const sh = async (command: string): Promise<string> => (await promisify(execFile)('sh', ['-c', command])).stdout;

function start(t: Owner, portBase: string): Promise<Run> {
  return run(t, {config: {}, args: () => ['demo', '--port-base', portBase]});
}

interface MetricAnswer {
  readonly status: string;
  readonly data: readonly unknown[] | {readonly resultType: string; readonly result: readonly unknown[]};
}

interface TraceAnswer {
  readonly traces?: readonly unknown[];
  readonly scopes?: readonly unknown[];
  readonly tagValues?: readonly unknown[];
  readonly trace?: {readonly resourceSpans: readonly unknown[]};
}

/** What an answer of the demo is about: it shows nothing when this is empty. */
function shown(answer: string): readonly unknown[] {
  const {status, data} = JSON.parse(answer) as MetricAnswer;
  if (status === 'success') return 'result' in data ? data.result : data;
  const {traces, scopes, tagValues, trace} = JSON.parse(answer) as TraceAnswer;
  return traces ?? scopes ?? tagValues ?? trace?.resourceSpans ?? [];
}

const owner = ownerOf(test);
let demo: Run;
let urls: Readonly<Record<string, string>>;

test.before(async () => {
  demo = await start(owner, '0');
  urls = await demo.ready();
});

const LABELS = {
  Service: "layer='GENERAL',service='checkout'",
  ServiceInstance: "layer='GENERAL',service='checkout',service_instance='checkout-0'",
  Endpoint: "layer='GENERAL',service='checkout',endpoint='POST:/orders'",
  ServiceRelation: "layer='GENERAL',service='checkout',dest_layer='GENERAL',dest_service='payment'",
};

const SCOPES = {
  service_cpm: LABELS.Service,
  service_sla: LABELS.Service,
  service_resp_time: LABELS.Service,
  service_apdex: LABELS.Service,
  service_percentile: LABELS.Service,
  database_access_resp_time: "layer='VIRTUAL_DATABASE',service='orders-db:3306'",
  service_instance_cpm: LABELS.ServiceInstance,
  service_instance_resp_time: LABELS.ServiceInstance,
  instance_jvm_memory_heap: LABELS.ServiceInstance,
  endpoint_cpm: LABELS.Endpoint,
  endpoint_resp_time: LABELS.Endpoint,
  endpoint_percentile: LABELS.Endpoint,
  service_relation_client_cpm: LABELS.ServiceRelation,
  service_relation_server_resp_time: LABELS.ServiceRelation,
  service_instance_relation_client_cpm: `${LABELS.ServiceRelation},service_instance='checkout-0',dest_service_instance='payment-1'`,
  endpoint_relation_cpm: `${LABELS.ServiceRelation},endpoint='POST:/orders',dest_endpoint='POST:/payments'`,
};

test.serial('every scope of the demo has a value in each minute of the last hour', async t => {
  const {metrics} = urls;
  const end = Math.floor(Date.now() / 60_000) * 60 - 60;
  for (const [metric, labels] of Object.entries(SCOPES)) {
    const answer = await get(`${metrics}/api/v1/query_range`, {
      query: `${metric}{${labels}}`,
      start: `${end - 3540}`,
      end: `${end}`,
    });
    const {data} = answer.json<{data: {result: {values: [number, string][]}[]}}>();
    t.is(data.result.length, metric.endsWith('percentile') ? 5 : 1, metric);
    for (const {values} of data.result) t.is(values.length, 60, metric);
  }
});

test.serial('all kinds of traces come from the services that have metrics', async t => {
  const {metrics, traces} = urls;
  const services = await Promise.all(
    ['compat', 'native', 'otlp'].map(async kind => {
      const answer = await get(`${traces}/${kind}/api/search/tag/resource.service.name/values`);
      return [...answer.json<{tagValues: string[]}>().tagValues].sort();
    }),
  );
  t.deepEqual(services[0], services[1]);
  t.deepEqual(services[0], services[2]);
  t.true((services[0]?.length ?? 0) > 5);
  for (const service of services[0] ?? []) {
    const answer = await get(`${metrics}/api/v1/query`, {query: `service_cpm{layer='GENERAL',service='${service}'}`});
    t.is(answer.json<{data: {result: unknown[]}}>().data.result.length, 1, service);
  }
});

test.serial('what the demo suggests works as it is printed, and its data goes when it ends', async t => {
  const {metrics, traces, diagnostics, ingest} = urls;
  t.deepEqual(demo.stdout.length, 1);
  const commands = demo.stderr.filter(line => line.startsWith('curl '));
  t.true(commands.length >= 16);
  for (const command of commands) {
    const answer = await sh(command);
    if (command.includes(`${ingest}`)) {
      t.regex(answer, /^HTTP\/1.1 202 /, command);
      continue;
    }
    if (command.includes(`${diagnostics}`)) {
      t.regex(answer, /data-hot-0/, command);
      continue;
    }
    t.true(shown(answer).length > 0, `${command}\n${answer}`);
  }

  await showsDatabase(t, `${diagnostics}`);
  const file = /copy (\S+) to/.exec(demo.stderr.join('\n'))?.[1] ?? '';
  const provisioning = await readFile(file, 'utf8');
  t.true(demo.stderr.join('\n').includes(provisioning.trim()));
  t.regex(provisioning, /^apiVersion: 1\ndatasources:\n(?: {2}- name: .+\n(?: {4}.+\n)+)+$/);
  const [, ...sources] = provisioning.split(/^ {2}- /m);
  const expected: readonly (readonly [type: string, url: string | undefined, health: string])[] = [
    ['prometheus', metrics, '/api/v1/status/buildinfo'],
    ['tempo', `${traces}/compat`, '/api/echo'],
    ['tempo', `${traces}/native`, '/api/echo'],
    ['tempo', `${traces}/otlp`, '/api/echo'],
  ];
  t.is(sources.length, expected.length);
  for (const [i, [type, url, health]] of expected.entries()) {
    const source = sources[i] ?? '';
    t.is(/^ {4}type: (.*)$/m.exec(source)?.[1], type);
    t.is(/^ {4}url: "(.*)"$/m.exec(source)?.[1], url);
    t.is((await get(`${url}${health}`)).status, 200);
    if (type === 'tempo') t.regex(source, /^ {6}streamingEnabled:\n {8}search: false\n {8}metrics: false\n/m);
  }

  t.is(await demo.stop(), 0);
  t.false(existsSync(dirname(file)));
});

/** Three nodes that know each other, each with samples, groups with their nodes and reports of what moved. */
async function showsDatabase(t: ExecutionContext, diagnostics: string): Promise<void> {
  const pods = ['data-hot-0', 'data-warm-0', 'liaison-0'];
  const {nodes, calls} = (await get(`${diagnostics}/cluster/topology`)).json<{
    nodes: {roles: string[]; status: string; labels: Record<string, string>}[];
    calls: unknown[];
  }>();
  t.deepEqual(
    nodes.map(({labels, roles, status}) => [labels.pod_name, labels.type, ...roles, status]),
    [
      ['data-hot-0', 'hot', 'ROLE_DATA', 'online'],
      ['data-warm-0', 'warm', 'ROLE_DATA', 'online'],
      ['liaison-0', undefined, 'ROLE_LIAISON', 'online'],
    ],
  );
  t.is(calls.length, 6);
  const lifecycle = (await get(`${diagnostics}/cluster/lifecycle`)).json<{
    groups: {data_info: unknown[]}[];
    lifecycle_statuses: {pod_name: string; reports: unknown[]}[];
  }>();
  t.true(lifecycle.groups.length > 0 && lifecycle.groups.every(({data_info}) => data_info.length > 0));
  t.deepEqual(
    lifecycle.lifecycle_statuses.map(({pod_name, reports}) => [pod_name, reports.length]),
    [
      ['data-hot-0', 2],
      ['data-warm-0', 0],
      ['liaison-0', 0],
    ],
  );
  const window = `start_time=${new Date(Date.now() - 600_000).toISOString()}`;
  const series = (await get(`${diagnostics}/metrics-windows?${window}`)).json<{pod_name: string; data: unknown[]}[]>();
  t.deepEqual([...new Set(series.map(({pod_name}) => pod_name))].sort(), pods);
  t.true(series.every(({data}) => data.length > 0));
}

test.serial('a port that is taken ends the demo with its address and the way out', async t => {
  const server = createServer();
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  t.teardown(() => server.close());
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const refused = await start(t, `${port}`);
  t.is(await refused.exit, 1);
  t.deepEqual(refused.stdout, []);
  const message = refused.stderr.join('\n');
  t.true(message.includes(`127.0.0.1:${port}`), message);
  t.regex(message, /--port-base/);
});

for (const value of ['x', '-1', '1.5', '65536', '']) {
  test.serial(`--port-base ${JSON.stringify(value)} is wrong usage`, async t => {
    const wrong = await start(t, value);
    t.is(await wrong.exit, 2);
    t.regex(wrong.stderr.join('\n'), /--port-base.*whole number from 0 to 65529/);
  });
}
