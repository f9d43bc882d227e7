import {spawn} from 'node:child_process';
import {once} from 'node:events';
import test, {type ExecutionContext} from 'ava';
import fc from 'fast-check';
import {
  channelMethods,
  type PartialMessage,
  type StreamMetricsRequest,
  type Topology,
} from '../../../plugins/diagnostics/proto/contract.js';
import {FUZZ_RUNS} from '../../support/fuzz.js';
import {get} from '../../support/http.js';
import {testWith} from '../../support/programs.js';
import {connectAgent, FakeAgent, gauge} from './support/fake-agent.js';
import {hostileMetrics, hostileNames, hostileTopology} from './support/hostile.js';
import {agentsOf, openProxy} from './support/proxy.js';
import {readStrictly} from './support/strict-page.js';

const part = (name: string, type: 'HISTOGRAM' | 'SUMMARY' | 'COUNTER', value: number, labels = {}) => ({
  ...gauge('good', name, value, labels),
  type: `METRIC_TYPE_${type}` as const,
});

const GOOD = [
  gauge('good', 'good_gauge', 1.5, {path: 'C:\\DIR "x"\n'}),
  part('good_total', 'COUNTER', 7),
  part('good_seconds_bucket', 'HISTOGRAM', 1, {le: '0.5'}),
  part('good_seconds_bucket', 'HISTOGRAM', 2, {le: '+Inf'}),
  part('good_seconds_sum', 'HISTOGRAM', 0.75),
  part('good_seconds_count', 'HISTOGRAM', 2),
  part('good_quantiles', 'SUMMARY', 3, {quantile: '0.99'}),
  part('good_quantiles_sum', 'SUMMARY', 4),
  part('good_quantiles_count', 'SUMMARY', 5),
];
const NODE = {
  metadata: {name: 'good-node'},
  grpc_address: 'good:17912',
  labels: {pod_name: 'good'},
  roles: ['ROLE_DATA'],
};
const REPORT = {filename: '1.json', report_json: '{"good":true}'};

interface Scene {
  /** Answers of the hostile agent. */
  metrics: PartialMessage<StreamMetricsRequest>;
  topology: PartialMessage<Topology>;
  readonly url: string;
  readonly grpc: string;
  /** Reads every path as strictly as it can be read, and looks whether the good agent is there whole. Gives the page. */
  look(): Promise<string>;
}

async function openScene(t: ExecutionContext): Promise<Scene> {
  // Stand-ins send no heartbeats, and a busy machine needs longer for all inputs than an agent may be silent.
  const proxy = await openProxy(t, {maxAgents: 100, agentHeartbeatTimeout: '1h', agentCleanupTimeout: '2h'});
  await connectAgent(t, proxy.grpc, {
    pod: 'good',
    metrics: () => GOOD,
    topology: () => ({nodes: [NODE as object]}),
    lifecycle: () => ({reports: [REPORT]}),
  });
  const text = async (path: string): Promise<string> => {
    const answer = await get(proxy.url + path);
    t.is(answer.status, 200, `${path}: ${answer.text}`);
    return answer.text;
  };
  const wanted = readStrictly(await text('/metrics')).filter(({series}) => series.includes('pod_name="good"'));
  t.is(wanted.length, GOOD.length + 1);
  const windows = JSON.parse(await text('/metrics-windows')) as readonly {agent_id: string}[];
  t.is(windows.length, GOOD.length);
  const [{agent_id = ''} = {}] = windows;
  const untimed = (all: readonly object[]): readonly unknown[] =>
    all.map(each => JSON.stringify(each).replace(/"timestamp":"[^"]*"/, ''));

  const look = async (): Promise<string> => {
    const page = await text('/metrics');
    const found = new Map(readStrictly(page).map(({series, value}) => [series, value]));
    for (const {series, value} of wanted) t.is(found.get(series), value, series);
    readStrictly(await text('/metrics?pod_name=good'));
    readStrictly(await text('/metrics?role=ROLE_DATA'));
    const all = JSON.parse(await text('/metrics-windows')) as readonly {agent_id: string}[];
    t.deepEqual(untimed(all.filter(each => each.agent_id === agent_id)), untimed(windows));
    JSON.parse(await text('/metrics-windows?start_time=0001-01-01T00:00:00Z'));
    t.true((await agentsOf(proxy)).some(({pod_name}) => pod_name === 'good'));
    const {nodes} = JSON.parse(await text('/cluster/topology')) as {nodes: (typeof NODE)[]};
    t.like(
      nodes.find(({metadata}) => metadata?.name === 'good-node'),
      {grpc_address: NODE.grpc_address, status: 'online', roles: ['ROLE_DATA'], labels: {pod_name: 'good'}},
    );
    const lifecycle = JSON.parse(await text('/cluster/lifecycle')) as {lifecycle_statuses: {pod_name: string}[]};
    t.deepEqual(
      lifecycle.lifecycle_statuses.filter(({pod_name}) => pod_name === 'good'),
      [{pod_name: 'good', reports: [REPORT]}] as object[],
    );
    return page;
  };
  return {metrics: {}, topology: {}, url: proxy.url, grpc: proxy.grpc, look};
}

/** The agents of hostile names come before and after the good one: who is first decides much of a page. */
async function addHostile(t: ExecutionContext, scene: Scene, pod: string): Promise<void> {
  const agent = await connectAgent(t, scene.grpc, {
    pod,
    role: 'ROLE_LIAISON',
    topology: () => scene.topology,
    lifecycle: () => ({reports: [{filename: '1.json', report_json: 'bad'}]}),
  });
  agent.open('StreamMetrics', channelMethods.StreamMetrics, () => scene.metrics);
  await agent.end('StreamMetrics');
}

test('whatever agents send, every answer can be read strictly and holds all that a good agent sent', async t => {
  t.timeout(600_000);
  const scene = await openScene(t);
  await addHostile(t, scene, 'a-hostile');
  await addHostile(t, scene, 'z-hostile');
  await fc.assert(
    fc.asyncProperty(hostileMetrics, hostileTopology, async (metrics, topology) => {
      Object.assign(scene, {metrics, topology});
      await scene.look();
    }),
    {numRuns: Math.ceil(FUZZ_RUNS / 10)},
  );
});

test('whoever agents say that they are, every answer can be read strictly', async t => {
  t.timeout(600_000);
  const scene = await openScene(t);
  await fc.assert(
    fc.asyncProperty(hostileNames, hostileMetrics, async ({pod_name: pod, node_role: role, ...names}, {metrics}) => {
      const agent = new FakeAgent(scene.grpc, {
        pod,
        role,
        labels: names.labels,
        containers: names.container_names,
        metrics: () => (metrics ?? []) as never,
      });
      try {
        await agent.connect();
        await scene.look();
      } finally {
        agent.die();
      }
    }),
    {numRuns: Math.ceil(FUZZ_RUNS / 40)},
  );
});

test('bytes that are no message harm nobody else', async t => {
  t.timeout(600_000);
  const scene = await openScene(t);
  const bytes = fc.uint8Array({maxLength: 60}).map(array => Buffer.from(array));
  const agent = await connectAgent(t, scene.grpc, {pod: 'a-hostile'});
  let message = Buffer.alloc(0);
  for (const name of ['StreamMetrics', 'StreamClusterTopology', 'StreamLifecycle'] as const) {
    agent.open(
      name,
      {...(channelMethods[name] as object), requestSerialize: () => message} as never,
      () => ({}) as never,
    );
  }
  await fc.assert(
    fc.asyncProperty(bytes, async input => {
      message = input;
      await scene.look();
    }),
    {numRuns: Math.ceil(FUZZ_RUNS / 20)},
  );
});

testWith(test, 'promtool', 'promtool reads the pages of hostile agents as well', async t => {
  t.timeout(600_000);
  const scene = await openScene(t);
  await addHostile(t, scene, 'a-hostile');
  for (const metrics of fc.sample(hostileMetrics, Math.ceil(FUZZ_RUNS / 100))) {
    scene.metrics = metrics;
    const page = await scene.look();
    const promtool = spawn('promtool', ['check', 'metrics'], {stdio: ['pipe', 'ignore', 'pipe']});
    let said = '';
    promtool.stderr.on('data', chunk => {
      said += chunk;
    });
    promtool.stdin.end(page);
    await once(promtool, 'close');
    // What it says of the style of names is no matter here.
    t.false(said.includes('parsing error'), `${said}\n${page}`);
  }
});
