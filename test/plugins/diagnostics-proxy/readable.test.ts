import test from 'ava';
import {
  channelMethods,
  type PartialMessage,
  type StreamMetricsRequest,
} from '../../../plugins/diagnostics/proto/contract.js';
import {toTimestamp} from '../../../plugins/diagnostics/proto/timestamp.js';
import {get} from '../../support/http.js';
import {connectAgent, gauge} from './support/fake-agent.js';
import {openProxy, sampleOf} from './support/proxy.js';
import {readStrictly} from './support/strict-page.js';

type Metrics = readonly PartialMessage<StreamMetricsRequest['metrics'][number]>[];

const typed = (type: 'HISTOGRAM' | 'SUMMARY' | 'COUNTER', name: string, labels = {}) => ({
  name,
  labels,
  value: 1,
  type: `METRIC_TYPE_${type}` as const,
});

interface Row {
  readonly title: string;
  readonly metrics: Metrics;
  /** The page without what is the proxy's own. */
  readonly page: string;
}

const ROWS: readonly Row[] = [
  {
    title: 'a label that is the name of the series becomes an exported one, unless that is there',
    metrics: [
      {name: 'n', labels: {__name__: 'zzz'}, value: 2},
      {name: 'n', labels: {__name__: 'zzz', exported___name__: 'own'}, value: 3},
    ],
    page: '# TYPE n untyped\nn{exported___name__="own"} 3\nn{exported___name__="zzz"} 2\n',
  },
  {
    title: 'a quantile that is no number is left out of a summary, and stays elsewhere',
    metrics: [
      ...['half', 'NaN', '1e999', '0.5'].map(quantile => typed('SUMMARY', 's', {quantile})),
      typed('SUMMARY', 's_sum', {quantile: 'x'}),
      typed('SUMMARY', 's_count'),
      {name: 'g', labels: {quantile: 'half'}, value: 1},
    ],
    page: '# TYPE g untyped\ng{quantile="half"} 1\n# TYPE s summary\ns{quantile="0.5"} 1\ns_count 1\n',
  },
  {
    title: 'a name that is the suffix of a histogram alone has no family without a name',
    metrics: [typed('HISTOGRAM', '_bucket', {le: '1'})],
    page: '# TYPE _bucket untyped\n_bucket{le="1"} 1\n',
  },
  {
    title: 'what is a part of one family is none of its own',
    metrics: [
      typed('HISTOGRAM', 'h_bucket', {le: '+Inf'}),
      typed('COUNTER', 'h_count'),
      typed('HISTOGRAM', 'h_count_bucket', {le: '+Inf'}),
    ],
    page: '# TYPE h histogram\nh_bucket{le="+Inf"} 1\nh_count 1\n# TYPE h_count_bucket untyped\nh_count_bucket{le="+Inf"} 1\n',
  },
  {
    title: 'help texts come with the escapes of the format, and what is none of them is escaped',
    metrics: [
      {name: 'a', value: 1, description: 'first line\\nsecond "line" \\\\ end'},
      {name: 'b', value: 1, description: 'a\nb \\d \\'},
    ],
    page:
      '# HELP a first line\\nsecond "line" \\\\ end\n# TYPE a untyped\na 1\n' +
      '# HELP b a\\nb \\\\d \\\\\n# TYPE b untyped\nb 1\n',
  },
];

for (const {title, metrics, page} of ROWS) {
  test(title, async t => {
    const proxy = await openProxy(t);
    await connectAgent(t, proxy.grpc, {pod: 'p', metrics: () => metrics});
    const {text} = await get(`${proxy.url}/metrics`);
    readStrictly(text);
    const lines = text.split('\n').filter(line => !/^(?:# \w+ )?diagnostics_/.test(line));
    t.is(lines.join('\n'), page);
  });
}

test('what is left out for its quantile is counted, and a description has no escapes in JSON', async t => {
  const proxy = await openProxy(t);
  const metrics = [{...typed('SUMMARY', 's', {quantile: 'x'}), description: 'two\\nlines \\\\'}];
  await connectAgent(t, proxy.grpc, {pod: 'p', metrics: () => metrics});
  await get(`${proxy.url}/metrics`);
  const {text} = await get(`${proxy.url}/metrics`);
  t.is(sampleOf(text, 'diagnostics_proxy_dropped_samples_total{reason="quantile"}'), '2');
  t.like((await proxy.logged('samples of summaries whose quantile is no number are left out')).fields, {pod: 'p'});
  const [series] = (await get(`${proxy.url}/metrics-windows`)).json<readonly {description: string}[]>();
  t.is(series?.description, 'two\nlines \\');
});

test('a clock that goes ahead gives no precedence, and a stream speaks for the pod that it registered', async t => {
  const proxy = await openProxy(t);
  const connect = async (pod: string, containers: readonly string[], value: number, hours: number): Promise<void> => {
    const agent = await connectAgent(t, proxy.grpc, {pod, containers});
    agent.open('StreamMetrics', channelMethods.StreamMetrics, async () => {
      // The last one of the pod's own answers last.
      if (value === 3) await new Promise(resolve => setTimeout(resolve, 50));
      return {metrics: [gauge('b', 'm', value)], timestamp: toTimestamp(Date.now() + hours * 3_600_000)};
    });
    await agent.end('StreamMetrics');
  };
  await connect('a', [], 1, 1);
  await connect('b', ['x'], 2, 1);
  await connect('b', ['y'], 3, 0);
  await connect('c', [], 4, 2);
  const {text} = await get(`${proxy.url}/metrics`);
  t.is(sampleOf(text, 'm{node_role="ROLE_DATA",pod_name="b"}'), '3');
  const windows = (await get(`${proxy.url}/metrics-windows`)).json<readonly {data: readonly {timestamp: string}[]}[]>();
  const times = windows.flatMap(({data}) => data.map(({timestamp}) => Date.parse(timestamp)));
  t.is(times.length, 4);
  t.true(times.every(time => time <= Date.now()));
});

test('an agent does not change what another one says of its own node and reports', async t => {
  const proxy = await openProxy(t);
  const node = (address: string) => ({metadata: {name: 'n'}, grpc_address: address, labels: {pod_name: 'b'}});
  const report = (text: string) => ({reports: [{filename: '1.json', report_json: text}]});
  const a = await connectAgent(t, proxy.grpc, {pod: 'a', topology: () => ({nodes: [node('wrong:1')]})});
  a.open('StreamLifecycle', channelMethods.StreamLifecycle, () => ({pod_name: 'b', lifecycle_data: report('wrong')}));
  await connectAgent(t, proxy.grpc, {
    pod: 'b',
    topology: () => ({nodes: [node('right:1')]}),
    lifecycle: () => report('right'),
  });
  const {nodes} = (await get(`${proxy.url}/cluster/topology`)).json<{nodes: readonly {grpc_address: string}[]}>();
  t.deepEqual(
    nodes.map(({grpc_address}) => grpc_address),
    ['right:1'],
  );
  const {lifecycle_statuses} = (await get(`${proxy.url}/cluster/lifecycle`)).json<{lifecycle_statuses: unknown}>();
  t.deepEqual(lifecycle_statuses, [
    {pod_name: 'a', ...report('wrong')},
    {pod_name: 'b', ...report('right')},
  ]);
});
