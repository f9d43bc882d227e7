import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {connect} from 'node:net';
import test from 'ava';
import {runOver} from '../../../support/command.js';
import {ask, get} from '../../../support/http.js';
import {makeGateway, openGateway} from '../../../support/library.js';
import {testWith} from '../../../support/programs.js';
import {COMPAT_SPANS, SEGMENTS, T0} from '../scene.js';
import {AROUND, MEMORY_ADAPTER, type SearchResult, textOf} from '../support.js';

/** Only what has no variable: everything else is a default or comes from the environment. */
const BARE = {
  storage: {use: MEMORY_ADAPTER, config: {compatSpans: COMPAT_SPANS, segments: SEGMENTS}},
  plugins: [{use: 'traceql-compat'}, {use: 'traceql-native'}],
};

const BOTH = {SVC_TRACEQL_ENABLE_DATASOURCE_COMPAT: 'true', SVC_TRACEQL_ENABLE_DATASOURCE_NATIVE: 'true'};
const ANY_PORT = {SVC_TRACEQL_REST_HOST: '127.0.0.1', SVC_TRACEQL_REST_PORT: '0'};

/** The same settings by their keys. */
function withKeys(listener: object, entry: object, config: object): object {
  return {
    ...BARE,
    listeners: {traces: {host: '127.0.0.1', port: 0, ...listener}},
    plugins: BARE.plugins.map(({use}, index) => ({
      use,
      enabled: true,
      ...('prefixes' in entry ? {prefix: (entry.prefixes as readonly string[])[index]} : {}),
      config,
    })),
  };
}

const resultTags = async (url: string): Promise<readonly string[]> => {
  const {traces} = (await get(`${url}/api/search`, AROUND)).json<SearchResult>();
  const spans = traces.flatMap(({spanSets}) => spanSets.flatMap(({spans: list}) => list));
  return [...new Set(spans.flatMap(({attributes}) => attributes.map(({key}) => key)))].sort();
};

test('both kinds are off unless they are switched on, and then independent of each other', async t => {
  const {urls} = await openGateway(t, {...BARE, listeners: {traces: {host: '127.0.0.1', port: 0}}});
  for (const [path, error] of [
    [
      '/compat/api/echo',
      'the plugin traceql-compat is disabled; "enabled": true at plugins[0] of the configuration enables it, or SVC_TRACEQL_ENABLE_DATASOURCE_COMPAT=true where the file leaves it to that variable',
    ],
    [
      '/native/api/echo',
      'the plugin traceql-native is disabled; "enabled": true at plugins[1] of the configuration enables it, or SVC_TRACEQL_ENABLE_DATASOURCE_NATIVE=true where the file leaves it to that variable',
    ],
    ['/other/api/echo', 'no such path: /other/api/echo'],
  ] as const) {
    const answer = await get(`${urls.traces}${path}`);
    t.is(answer.status, 404);
    t.deepEqual(answer.json(), {error});
  }
  const one = await openGateway(t, BARE, {...ANY_PORT, SVC_TRACEQL_ENABLE_DATASOURCE_NATIVE: 'true'});
  t.is((await get(`${one.urls.traces}/native/api/echo`)).status, 200);
  t.is((await get(`${one.urls.traces}/compat/api/echo`)).status, 404);
});

test('the listener is 0.0.0.0:3200 unless it is set', async t => {
  const {gateway} = await makeGateway(t, BARE, BOTH);
  // The port may be taken by something else: then the message tells the address.
  const address = await gateway.start().then(
    urls => urls.traces,
    (error: Error) => error.message,
  );
  t.regex(address ?? '', /^http:\/\/127\.0\.0\.1:3200$|cannot open 0\.0\.0\.0:3200: /);
});

for (const [title, config, environment] of [
  [
    'keys',
    withKeys(
      {},
      {prefixes: ['/zipkin/', '/a/b']},
      {listResultTags: ['http.path', ' ', 'span.kind', 'mq.topic'], lookback: 5000},
    ),
    {},
  ],
  [
    'variables',
    BARE,
    {
      ...BOTH,
      ...ANY_PORT,
      SVC_TRACEQL_REST_CONTEXT_PATH_COMPAT: '/zipkin/',
      SVC_TRACEQL_REST_CONTEXT_PATH_NATIVE: '/a/b',
      SVC_TRACEQL_COMPAT_TRACES_LIST_RESULT_TAGS: ' http.path,,mq.topic , span.kind',
      SVC_TRACEQL_NATIVE_TRACES_LIST_RESULT_TAGS: 'none',
      SVC_TRACEQL_LOOKBACK: '5000',
    },
  ],
] as const) {
  test(`prefixes, result tags and look-back are set by ${title}`, async t => {
    const {urls} = await openGateway(t, config, environment);
    const [compat, native] = [`${urls.traces}/zipkin`, `${urls.traces}/a/b`];
    t.is((await get(`${urls.traces}/compat/api/echo`)).status, 404);
    t.deepEqual(await resultTags(compat), ['http.path', 'mq.topic', 'service.name', 'span.kind']);
    t.deepEqual(await resultTags(native), ['service.name', 'span.kind']);
    const search = async (end: number): Promise<string> =>
      textOf(await get(`${compat}/api/search`, {q: '{name="sub"}', end: String(end)}));
    t.is(await search(T0 + 15), 'sub: c1');
    t.is(await search(T0 + 16), '');
  });
}

test('defaults: prefixes, result tags and a look-back of a day', async t => {
  const {urls} = await openGateway(t, BARE, {...BOTH, ...ANY_PORT, SVC_TRACEQL_LOOKBACK: ''});
  t.deepEqual(await resultTags(`${urls.traces}/compat`), ['error', 'http.method', 'service.name', 'span.kind']);
  t.deepEqual(await resultTags(`${urls.traces}/native`), [
    'http.method',
    'http.status_code',
    'service.name',
    'span.kind',
  ]);
  const day = 86_400;
  for (const [end, found] of [
    [T0 + 10 + day, 'sub: c1'],
    [T0 + 11 + day, ''],
  ] as const) {
    const answer = await get(`${urls.traces}/compat/api/search`, {q: '{name="sub"}', end: String(end)});
    t.is(textOf(answer), found);
  }
});

test('wrong settings are named with their key or variable', async t => {
  const {stderr, exit} = await runOver(t, {
    config: withKeys({idleTimeout: -1, acceptQueueSize: 'many'}, {prefixes: ['compat', '/b']}, {lookback: '1d'}),
  });
  t.is(exit, 2);
  const text = stderr.join('\n');
  for (const key of [
    'listeners.traces.idleTimeout',
    'listeners.traces.acceptQueueSize',
    'plugins[0].prefix',
    'plugins[0].config.lookback',
    'plugins[1].config.lookback',
  ]) {
    t.true(text.includes(key), text);
  }
  const variables = await runOver(t, {
    config: BARE,
    environment: {SVC_TRACEQL_REST_IDLE_TIMEOUT: 'soon', SVC_TRACEQL_ENABLE_DATASOURCE_COMPAT: 'perhaps'},
  });
  t.is(variables.exit, 2);
  t.regex(variables.stderr.join('\n'), /SVC_TRACEQL_ENABLE_DATASOURCE_COMPAT/);
});

for (const [title, config, environment] of [
  ['its key', withKeys({idleTimeout: 300}, {}, {}), {}],
  ['its variable', BARE, {...BOTH, ...ANY_PORT, SVC_TRACEQL_REST_IDLE_TIMEOUT: '300'}],
] as const) {
  test(`an idle connection is closed after the time set by ${title}`, async t => {
    const {urls} = await openGateway(t, config, environment);
    const {hostname, port} = new URL(urls.traces ?? '');
    const socket = connect(Number(port), hostname);
    const closed = once(socket, 'close');
    let received = '';
    socket.setEncoding('utf8').on('data', text => {
      received += text;
    });
    socket.write('GET /compat/api/echo HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await closed;
    t.regex(received, /^HTTP\/1\.1 200 OK\r\n[\s\S]*echo\n$/);
  });
}

/** The accept queue of a listening port, as the system tells it. */
function acceptQueue(port: string): number {
  const line = execFileSync('ss', ['-Hltn', `sport = :${port}`], {encoding: 'utf8'}).trim();
  return Number(line.split(/\s+/)[2]);
}

for (const [title, config, environment] of [
  ['its key', withKeys({acceptQueueSize: 7}, {}, {}), {}],
  ['its variable', BARE, {...BOTH, ...ANY_PORT, SVC_TRACEQL_REST_QUEUE_SIZE: '7'}],
] as const) {
  testWith(test, 'ss', `the accept queue has the size set by ${title}`, async t => {
    const {urls} = await openGateway(t, config, environment);
    t.is(acceptQueue(new URL(urls.traces ?? '').port), 7);
  });
}

testWith(test, 'ss', 'an accept queue of 0 is as long as the system lets it be', async t => {
  const {urls} = await openGateway(t, BARE, {...BOTH, ...ANY_PORT});
  t.true(acceptQueue(new URL(urls.traces ?? '').port) >= 128);
});

test('a connection is not idle while its search runs', async t => {
  const config = withKeys({idleTimeout: 200}, {}, {});
  const storage = {...BARE.storage, config: {...BARE.storage.config, pause: 250}};
  const {urls} = await openGateway(t, {...config, storage});
  const answer = await ask(`${urls.traces}/compat/api/search?${new URLSearchParams(AROUND)}`);
  t.is(textOf(answer), 'unknown: b3 b2; sub: c1; post /: 2 3 3');
});
