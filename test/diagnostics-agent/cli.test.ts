import {spawn} from 'node:child_process';
import {createServer} from 'node:net';
import test from 'ava';
import {VERSION} from '../../core/version.js';
import {Run} from '../support/gateway.js';
import {get} from '../support/http.js';
import {testWith} from '../support/programs.js';
import {runProgram} from './support/program.js';
import {startScene} from './support/scene.js';
import {until} from './support/until.js';

test('--help prints every flag with its default, and ends well', async t => {
  const help = runProgram(t, '--help');
  t.is(await help.exit, 0);
  t.deepEqual(help.stderr, []);
  const defaults = Object.fromEntries(
    help.stdout.flatMap(line => {
      const [, name = '', value = ''] = /^ {6}--(\S+) .*?(?:\(default (.*)\))?$/.exec(line) ?? [];
      return name === '' ? [] : [[name, value]];
    }),
  );
  t.deepEqual(defaults, {
    'cluster-state-poll-interval': '30s',
    'cluster-state-ports': '',
    'container-names': '',
    'heartbeat-interval': '10s',
    'lifecycle-cache-ttl': '10m0s',
    'lifecycle-port': '18912',
    'lifecycle-report-dir': '"/tmp/lifecycle-reports"',
    'max-metrics-memory-usage-percentage': '10',
    'pod-name': '',
    'poll-metrics-interval': '10s',
    'poll-metrics-ports': '[2121]',
    'prometheus-listen-addr': '":9090"',
    'proxy-addr': '"localhost:17900"',
    'proxy-tls': '',
    'proxy-tls-ca-file': '',
    'proxy-tls-cert-file': '',
    'proxy-tls-key-file': '',
    'proxy-token-file': '',
    'reconnect-interval': '5s',
  });
});

test('--version prints the version', async t => {
  const version = runProgram(t, '-v');
  t.is(await version.exit, 0);
  t.deepEqual(version.stdout, [VERSION]);
});

const MISUSES = [
  {words: ['--nope'], message: 'Error: unknown flag: --nope'},
  {
    words: ['--proxy-token-file', ''],
    message: 'Error: invalid argument "" for "--proxy-token-file" flag: an empty value names no file',
  },
  {
    words: ['--poll-metrics-interval', '10'],
    message: 'Error: invalid argument "10" for "--poll-metrics-interval" flag: time: missing unit in duration "10"',
  },
  {
    words: ['--poll-metrics-ports', '1,2', '--container-names', 'a'],
    message: 'Error: container-names count (1) must match poll-metrics-ports count (2)',
  },
];

for (const {words, message} of MISUSES) {
  test(`${words.join(' ')} is wrong usage`, async t => {
    const misused = runProgram(t, ...words);
    t.is(await misused.exit, 2);
    t.is(misused.stderr[0], message);
    t.is(misused.stderr[1], 'Usage:');
    t.deepEqual(misused.stdout, []);
  });
}

test('an address that is taken ends the agent with the reason', async t => {
  const server = createServer();
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  t.teardown(() => server.close());
  const address = server.address();
  const taken = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const agent = runProgram(t, '--prometheus-listen-addr', taken);
  t.is(await agent.exit, 1);
  t.regex(
    agent.stderr.join('\n'),
    new RegExp(`--prometheus-listen-addr cannot open ${taken}: another process .*EADDRINUSE.*choose another port`),
  );
});

test('the ready line names the endpoint, registration is logged, and a signal ends the agent well', async t => {
  const {endpoint, node, proxy} = await startScene(t, {flags: {'proxy-addr': ''}});
  const agent = runProgram(
    t,
    `--poll-metrics-ports=${endpoint.port}`,
    '--prometheus-listen-addr=127.0.0.1:0',
    `--proxy-addr=${proxy.address}`,
    '--pod-name=pod',
    `--cluster-state-ports=${node.port}`,
  );
  const {metrics} = await agent.ready();
  t.regex((await get(`${metrics}/metrics`)).text, /^diagnostics_scrape_up\{/m);
  t.is((await agent.logged('registered with the proxy')).agentId, 'agent-1');
  t.is(await agent.stop('SIGINT'), 0);
  t.is(agent.stdout.length, 1);
  await until(() => proxy.registered.size === 0, 'the end of the registration');
});

testWith(test, 'promtool', "the agent's own page passes promtool check metrics", async t => {
  const {agent, scraped, proxy} = await startScene(t, {page: 'a 1\na 1\nbroken\n', flags: {'lifecycle-port': 1}});
  await proxy.metrics();
  await scraped();
  const page = (await get(`${agent.url}/metrics`)).text;
  const promtool = spawn('promtool', ['check', 'metrics'], {stdio: ['pipe', 'pipe', 'pipe']});
  const checked = new Run('', promtool);
  promtool.stdin.end(page);
  t.is(await checked.exit, 0, checked.stderr.join('\n'));
  t.deepEqual(checked.stderr, []);
  t.false(/^a\b/m.test(page), 'what is scraped is not on the page');
});
