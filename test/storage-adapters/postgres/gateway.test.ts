import test, {type ExecutionContext} from 'ava';
import {answersOverHttp} from '../../plugins/traceql-otlp/over-http.js';
import {run, startGateway} from '../../support/gateway.js';
import {ask, get} from '../../support/http.js';
import {suiteWith} from '../../support/programs.js';
import {sharedPostgres, startPostgres} from '../../support/servers/postgres.js';

const MINUTE = 1_700_000_040;

function configOf(url: string) {
  const port = {port: 0};
  return {
    startTimeout: '20s',
    listeners: {metrics: port, traces: port, ingest: port, admin: port},
    storage: {use: 'postgres', config: {url, connectTimeout: '2s'}},
    plugins: [
      {use: 'promql-subset', listener: 'metrics'},
      {use: 'traceql-compat', listener: 'traces', enabled: true, prefix: '/compat'},
      {use: 'traceql-native', listener: 'traces', enabled: true, prefix: '/native'},
      {use: 'ingest', listener: 'ingest'},
    ],
  };
}

const RECORDS = `{"record":"metric","name":"service_cpm","scope":"Service","kind":"common"}
{"record":"sample","metric":"service_cpm","layer":"GENERAL","service":"it's \\u0001 \\"quoted\\" \\\\ $1","time":${MINUTE},"value":6}
`;
const SPAN = {
  traceId: 'abc',
  id: '1',
  name: 'get',
  timestamp: MINUTE * 1e6,
  duration: 5000,
  localEndpoint: {serviceName: 'songs'},
  tags: {"';--": 'x'},
};

async function post(t: ExecutionContext, url: string, body: string): Promise<void> {
  const {status, text} = await ask(url, {method: 'POST', body});
  t.is(status, 202, text);
}

suiteWith(test, 'postgres', 'a gateway over PostgreSQL', () => {
  const server = sharedPostgres(test);

  test('compat traces and metrics are served, and native ones answer 501 naming the adapter and what it lacks', async t => {
    const running = await server();
    const {urls} = await startGateway(t, {config: configOf(running.url(await running.database()))});
    await post(t, `${urls.ingest}/ingest/v1/metrics`, RECORDS);
    await post(t, `${urls.ingest}/api/v2/spans`, JSON.stringify([SPAN]));

    const values = await get(`${urls.metrics}/api/v1/label/service/values`, {
      'match[]': "service_traffic{layer='GENERAL'}",
    });
    t.deepEqual(values.json().data, ['it\'s \u0001 "quoted" \\ $1']);
    const searched = await get(`${urls.traces}/compat/api/search`, {
      q: '{resource.service.name="songs" && duration>1ms && kind=unspecified}',
      start: String(MINUTE - 60),
      end: String(MINUTE + 60),
    });
    t.is(searched.json<{traces: unknown[]}>().traces.length, 1, searched.text);

    for (const url of [`${urls.traces}/native/api/search`, `${urls.traces}/native/api/v2/traces/abc`]) {
      const {status, text} = await get(url);
      t.is(status, 501);
      t.regex(text, /needs traces\.native\.v2, which the storage adapter postgres does not supply/);
    }
    const segments = await ask(`${urls.ingest}/v3/segments`, {method: 'POST', body: '[]'});
    t.is(segments.status, 501);
    t.regex(segments.text, /ingest\.native\.v1/);
  });

  test('traces of OTLP that were sent are served as they came', async t => {
    const running = await server();
    await answersOverHttp(t, {use: 'postgres', config: {url: running.url(await running.database())}});
  });

  test('check --connect says what is served, and nothing prints the password', async t => {
    const running = await server();
    const url = running.url(await running.database()).replace('postgres@', 'postgres:s3cret@');
    const checked = await run(t, {config: configOf(url), args: file => ['check', '--connect', '--config', file]});
    t.is(await checked.exit, 0);
    const output = [...checked.stdout, ...checked.stderr].join('\n');
    t.regex(output, /traceql-native.*disabled: missing traces\.native\.v2/);
    t.regex(output, /traceql-compat.*enabled/);
    t.notRegex(output, /s3cret/);
    const failed = await run(t, {
      config: configOf('postgres://u:s3cret@127.0.0.1:1/db'),
      args: file => ['check', '--connect', '--config', file],
    });
    t.not(await failed.exit, 0);
    t.notRegex([...failed.stdout, ...failed.stderr].join('\n'), /s3cret/);
  });

  test('readiness follows the server, and queries answer 503 while it is away', async t => {
    const own = await startPostgres(t);
    const {urls} = await startGateway(t, {config: configOf(own.url())});
    await post(t, `${urls.ingest}/ingest/v1/metrics`, RECORDS);
    const query = () => get(`${urls.metrics}/api/v1/label/layer/values`);
    t.is((await get(`${urls.admin}/-/ready`)).status, 200);
    t.is((await query()).status, 200);
    await own.stop();
    t.is((await get(`${urls.admin}/-/ready`)).status, 503);
    t.is((await ask(`${urls.ingest}/ingest/v1/metrics`, {method: 'POST', body: RECORDS})).status, 503);
    const refused = await query();
    t.is(refused.status, 503);
    t.regex(refused.text, /cannot be reached/);
    await own.process.start();
    t.is((await get(`${urls.admin}/-/ready`)).status, 200);
    t.is((await query()).status, 200);
  });
});
