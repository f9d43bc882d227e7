import {connect} from 'node:net';
import {setTimeout as sleep} from 'node:timers/promises';
import test from 'ava';
import {get} from '../../support/http.js';
import {connectAgent, FakeAgent, gauge} from './support/fake-agent.js';
import {agentsUntil, runProgram, sampleOf, startProgram} from './support/proxy.js';

const DEFAULTS: readonly (readonly [flag: string, fallback: string])[] = [
  ['grpc-listen-addr', '":17912"'],
  ['http-listen-addr', '":17913"'],
  ['agent-heartbeat-timeout', '30s'],
  ['agent-cleanup-timeout', '5m0s'],
  ['max-agents', '1000'],
  ['grpc-max-msg-size', '4194304'],
  ['http-read-timeout', '10s'],
  ['http-write-timeout', '10s'],
  ['heartbeat-interval', '10s'],
];

test('--help names every flag with its default on standard output', async t => {
  const run = runProgram(t, ['--help']);
  t.is(await run.exit, 0);
  const flags = run.stdout.flatMap(line => {
    const [, name, fallback] = /^\s+--([a-z-]+) .*\(default (.*)\)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, fallback]];
  });
  t.deepEqual(
    flags,
    [...DEFAULTS].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
});

test('--version prints the version', async t => {
  const run = runProgram(t, ['--version']);
  t.is(await run.exit, 0);
  t.regex(run.stdout.join('\n'), /^\d+\.\d+\.\d+$/);
});

const MISTAKES: readonly (readonly [words: readonly string[], message: string])[] = [
  [['--nope'], 'unknown flag: --nope'],
  [['serve'], 'unexpected argument "serve"; there are flags alone'],
  [['--', 'x'], 'unexpected argument "x"; there are flags alone'],
  [['--max-agents'], 'flag needs an argument: --max-agents'],
  [['---max-agents'], 'bad flag syntax: ---max-agents'],
  [['--access-file', ''], 'invalid argument "" for "--access-file" flag: an empty value names no file'],
  [['--grpc-tls-cert-file='], 'invalid argument "" for "--grpc-tls-cert-file" flag: an empty value names no file'],
  [
    ['--agent-heartbeat-timeout', 'abc'],
    'invalid argument "abc" for "--agent-heartbeat-timeout" flag: time: invalid duration "abc"',
  ],
  [
    ['--max-agents=1.5'],
    'invalid argument "1.5" for "--max-agents" flag: strconv.ParseInt: parsing "1.5": invalid syntax',
  ],
  [
    ['--agent-cleanup-timeout', '5s', '--agent-heartbeat-timeout', '10s'],
    'agent-cleanup-timeout (5s) must be greater than agent-heartbeat-timeout (10s)',
  ],
  [['--agent-heartbeat-timeout', '0'], '--agent-heartbeat-timeout: found 0s, expected at least 1ms'],
  [
    ['--grpc-listen-addr', '127.0.0.1:17999', '--http-listen-addr', '127.0.0.1:17999'],
    '--grpc-listen-addr: found the address of the listener "diagnostics", 127.0.0.1:17999; expected one of its own',
  ],
  [['--grpc-listen-addr', '17912'], '--grpc-listen-addr: found "17912", expected host:port or :port'],
  [['--http-listen-addr', ':99999'], '--http-listen-addr: found ":99999", expected a port from 0 to 65535'],
  [['--grpc-listen-addr', 'h:123456'], '--grpc-listen-addr: found "h:123456", expected a port from 0 to 65535'],
];

test.serial(
  'a mistake in the flags ends the program with code 2, a message as Go writes it, and the usage',
  async t => {
    for (const [words, message] of MISTAKES) {
      const run = runProgram(t, words);
      t.is(await run.exit, 2, message);
      t.is(run.stderr[0], `Error: ${message}`);
      t.is(run.stderr[1], 'Usage:');
      t.deepEqual(run.stdout, []);
    }
  },
);

const WHOLE = 'the heartbeat interval is told to agents in whole seconds, at least 1 (--heartbeat-interval)';
const RARE =
  'the heartbeat interval is not less than the heartbeat timeout: agents go offline between two heartbeats that are in time (--heartbeat-interval, --agent-heartbeat-timeout)';
const BEYOND = 'the value of a flag is beyond its range';

/** What proxies of the database take. */
const TAKEN: readonly {
  readonly words: readonly string[];
  readonly told: string;
  readonly warnings: readonly string[];
}[] = [
  {words: ['--agent-heartbeat-timeout', '2s', '--agent-cleanup-timeout', '4s'], told: '10', warnings: [RARE]},
  {words: ['--heartbeat-interval=1500ms', '--http-write-timeout=1000h'], told: '1', warnings: [BEYOND, WHOLE]},
  {words: ['--heartbeat-interval', '500ms', '--http-write-timeout=-1s'], told: '1', warnings: [BEYOND, WHOLE]},
  {words: ['--heartbeat-interval=-1s', '--agent-cleanup-timeout=5000h'], told: '1', warnings: [BEYOND, BEYOND, WHOLE]},
];

for (const {words, told, warnings} of TAKEN) {
  test.serial(`what proxies of the database take is taken, with a warning: ${words.join(' ')}`, async t => {
    const proxy = await startProgram(t, words);
    const agent = await connectAgent(t, proxy.grpc, {pod: 'a', metrics: () => [gauge('a', 'm', 1)]});
    t.is(agent.answer.heartbeat_interval_seconds, told);
    const page = await get(`${proxy.url}/metrics`);
    t.is(sampleOf(page.text, 'm{node_role="ROLE_DATA",pod_name="a"}'), '1');
    const lines = proxy.run.stderr.map(line => JSON.parse(line) as {level: string; msg: string; flags?: string[]});
    t.deepEqual(
      lines
        .filter(({level}) => level === 'warn')
        .map(({msg, flags}) => (flags === undefined ? msg : `${msg} (${flags.join(', ')})`)),
      warnings,
    );
  });
}

test.serial('without flags it listens on the default ports, for all addresses', async t => {
  const run = runProgram(t, []);
  t.deepEqual(await run.ready(), {diagnostics: 'http://127.0.0.1:17913', grpc: '127.0.0.1:17912'});
  const agent = await connectAgent(t, '127.0.0.1:17912', {pod: 'a'});
  t.is(agent.answer.heartbeat_interval_seconds, '10');
  t.is((await get('http://127.0.0.1:17913/health')).status, 200);
  t.is(run.stdout.length, 1);
  t.is(await run.stop(), 0);
});

test.serial('the timeouts, limits and the interval are those of the flags', async t => {
  const proxy = await startProgram(t, [
    ...['--agent-heartbeat-timeout', '2500ms', '--agent-cleanup-timeout', '1h', '--max-agents', '0x2'],
    ...['--heartbeat-interval=2s', '--grpc-max-msg-size', '5_000', '--http-write-timeout', '5s'],
    ...['--http-read-timeout', '500ms'],
  ]);
  const agent = await connectAgent(t, proxy.grpc, {
    pod: 'a',
    metrics: () => [gauge('a', 'm', 1, {x: 'x'.repeat(6000)})],
  });
  t.is(agent.answer.heartbeat_interval_seconds, '2');
  await connectAgent(t, proxy.grpc, {pod: 'b', metrics: () => undefined});
  const third = new FakeAgent(proxy.grpc, {pod: 'c'});
  t.teardown(() => third.die());
  await third.register();
  t.is(third.answer.message, 'maximum number of agents (2) reached');
  const page = await get(`${proxy.url}/metrics`);
  t.is(page.headers['x-diagnostics-missing'], 'a, b');
  t.is(sampleOf(page.text, 'diagnostics_proxy_oversized_messages_total'), '1');
  await agentsUntil(proxy, agents => agents.every(({status}) => status === 'offline'));

  const {hostname, port} = new URL(proxy.url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  socket.write('GET /health HTTP/1.1\r\nHost:');
  let text = '';
  for await (const chunk of socket) text += chunk;
  t.regex(text, /^HTTP\/1\.1 408 /);
});

test.serial('SIGTERM ends collections with what has come, and the program with code 0', async t => {
  // Longer than a stop may take: a collection that went on would be cut off.
  const proxy = await startProgram(t, ['--http-write-timeout', '1h']);
  let asked = 0;
  const silent = await connectAgent(t, proxy.grpc, {
    pod: 'silent',
    metrics: () => undefined,
    // The first time the proxy asks by itself.
    topology: () => (++asked === 1 ? {} : undefined),
    lifecycle: () => undefined,
  });
  const good = await connectAgent(t, proxy.grpc, {pod: 'good', metrics: () => [gauge('good', 'm', 1)]});
  const paths = [
    '/metrics',
    '/metrics-windows?end_time=2026-01-01T00:00:00Z',
    '/cluster/topology',
    '/cluster/lifecycle',
  ];
  const answers: ReturnType<typeof get>[] = [];
  for (const path of paths) {
    answers.push(get(proxy.url + path));
    while (silent.commands.metrics === 0) await sleep(10);
  }
  // The second command comes when the answer to the first is there.
  while (good.commands.metrics < 2 || asked < 2 || silent.commands.lifecycle === 0) await sleep(10);
  t.is(await proxy.run.stop(), 0);
  for (const [index, answer] of (await Promise.all(answers)).entries()) {
    t.is(answer.status, 200, paths[index]);
    t.is(answer.headers['x-diagnostics-missing'], 'silent', paths[index]);
  }
  t.is(sampleOf((await answers[0])?.text ?? '', 'm{node_role="ROLE_DATA",pod_name="good"}'), '1');
});
