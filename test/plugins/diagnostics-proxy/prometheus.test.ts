import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {writeFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {scratchFolder} from '../../support/gateway.js';
import {get} from '../../support/http.js';
import {testWith} from '../../support/programs.js';
import {connectAgent, gauge} from './support/fake-agent.js';
import {openProxy, type RunningProxy} from './support/proxy.js';

const PODS = ['data-hot', 'data-warm', 'liaison'];
const SERIES = 200;

/** Three agents with gauges, a counter and a histogram each. */
async function openScene(t: ExecutionContext): Promise<RunningProxy> {
  const proxy = await openProxy(t);
  for (const pod of PODS) {
    let asked = 0;
    const agent = await connectAgent(t, proxy.grpc, {
      pod,
      metrics: () => {
        asked++;
        const part = (name: string, value: number, more = {}) => ({
          ...gauge(pod, name, value, more),
          description: 'Durations of requests.',
          type: 'METRIC_TYPE_HISTOGRAM' as const,
        });
        return [
          ...Array.from({length: SERIES}, (_, n) => gauge(pod, 'node_load', n * asked, {core: `"${n}"\\\n`})),
          {...gauge(pod, 'node_requests_total', asked), type: 'METRIC_TYPE_COUNTER' as const},
          part('node_request_seconds_bucket', asked, {le: '+Inf'}),
          part('node_request_seconds_bucket', asked, {le: '0.5'}),
          part('node_request_seconds_count', asked),
          part('node_request_seconds_sum', asked / 4),
        ];
      },
    });
    const heartbeats = setInterval(() => agent.heartbeat(), 5000);
    t.teardown(() => clearInterval(heartbeats));
  }
  return proxy;
}

testWith(test, 'promtool', 'promtool finds nothing wrong with the page', async t => {
  const proxy = await openScene(t);
  const {text} = await get(`${proxy.url}/metrics`);
  const promtool = spawn('promtool', ['check', 'metrics'], {stdio: ['pipe', 'pipe', 'pipe']});
  let said = '';
  promtool.stdout.on('data', chunk => {
    said += chunk;
  });
  promtool.stderr.on('data', chunk => {
    said += chunk;
  });
  promtool.stdin.end(text);
  const [code] = await once(promtool, 'close');
  t.is(said, '');
  t.is(code, 0);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const {port} = server.address() as {port: number};
  server.close();
  await once(server, 'close');
  return port;
}

/** Seconds that a Prometheus scrapes the proxy: few in every run, a minute when asked. */
const SECONDS = process.env.LONG === '1' ? 60 : 7;

testWith(test, 'prometheus', 'a Prometheus scrapes the page without a dropped sample', async t => {
  t.timeout(180_000);
  const proxy = await openScene(t);
  const folder = await scratchFolder(t);
  const config = join(folder, 'prometheus.yml');
  const target = new URL(proxy.url).host;
  await writeFile(
    config,
    JSON.stringify({
      global: {scrape_interval: '3s', scrape_timeout: '3s'},
      scrape_configs: [{job_name: 'proxy', honor_labels: true, static_configs: [{targets: [target]}]}],
    }),
  );
  const port = await freePort();
  const words = [`--config.file=${config}`, `--storage.tsdb.path=${join(folder, 'data')}`];
  const prometheus = spawn('prometheus', [...words, `--web.listen-address=127.0.0.1:${port}`], {stdio: 'ignore'});
  t.teardown(async () => {
    prometheus.kill('SIGKILL');
    await once(prometheus, 'close');
  });
  const query = async (text: string): Promise<readonly string[]> => {
    const url = `http://127.0.0.1:${port}/api/v1/query`;
    const answer = await get(url, {query: text}).catch(() => undefined);
    if (answer?.status !== 200) return [];
    const {data} = answer.json<{data: {result: readonly {value: [number, string]}[]}}>();
    return data.result.map(({value: [, value]}) => value);
  };
  while ((await query('up{job="proxy"} == 1')).length === 0) await sleep(200);
  await sleep(SECONDS * 1000);
  t.deepEqual(await query('min_over_time(up{job="proxy"}[5m])'), ['1']);
  t.deepEqual(await query('count(node_load)'), [String(PODS.length * SERIES)]);
  t.deepEqual(await query('count(diagnostics_agent_up == 1)'), [String(PODS.length)]);
  t.deepEqual(await query('scrape_samples_scraped - scrape_samples_post_metric_relabeling'), ['0']);
  const own = (await get(`http://127.0.0.1:${port}/metrics`)).text;
  const dropped = own.split('\n').filter(line => /^prometheus_target_scrapes_(sample|exceeded)\S* [^0]/.test(line));
  t.deepEqual(dropped, []);
});
