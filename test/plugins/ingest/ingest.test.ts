import {gzipSync} from 'node:zlib';
import test from 'ava';
import fc from 'fast-check';
import {FIXTURE_ADAPTER, type Owner, type RunningGateway, scratchFolder, startGateway} from '../../support/gateway.js';
import {type Answer, ask, get} from '../../support/http.js';
import {serveHere} from '../../support/library.js';
import {ownerOf} from '../../support/owner.js';
import {BAD_RECORDS, DECLARATIONS} from './bad-records.js';

const PATH = '/ingest/v1/metrics';

const config = (folder: string) => ({
  listeners: {metrics: {host: '127.0.0.1', port: 0}, ingest: {port: 0}},
  storage: {use: 'embedded', config: {path: `${folder}/data`}},
  plugins: [{use: 'promql-subset', listener: 'metrics'}, {use: 'ingest'}],
});

type Addressed = Pick<RunningGateway, 'urls'>;

/** In a process that can be killed. */
const start = (t: Owner, folder: string): Promise<RunningGateway> => startGateway(t, {config: config(folder), folder});

async function here(t: Owner): Promise<Addressed> {
  const folder = await scratchFolder(t);
  return serveHere(t, {config: config(folder), folder});
}

/** For all tests that neither end it nor need a catalog of their own. */
let gateway: Addressed;
const owner = ownerOf(test);

test.before(async () => {
  gateway = await here(owner);
});

function send(gateway: Addressed, body: string | Uint8Array, headers = {}): Promise<Answer> {
  return ask(`${gateway.urls.ingest}${PATH}`, {method: 'POST', body, headers});
}

/** The values of a selector in the minute of `time`, each with its labels. */
async function values(gateway: Addressed, query: string, time: number): Promise<Record<string, string>> {
  const answer = await get(`${gateway.urls.metrics}/api/v1/query_range`, {query, start: `${time}`, end: `${time}`});
  const {data} = answer.json<{data: {result: {metric: Record<string, string>; values: [number, string][]}[]}}>();
  return Object.fromEntries(
    data.result.map(({metric, values: [first]}) => [metric.p ?? metric.service, first?.[1] ?? '']),
  );
}

const sample = (fields: object): string =>
  JSON.stringify({
    record: 'sample',
    metric: 'service_cpm',
    layer: 'GENERAL',
    service: 'songs',
    time: 1700000040,
    ...fields,
  });

test.serial('a bad record is refused with its index and key, and nothing of its body is stored', async t => {
  t.is((await send(gateway, DECLARATIONS.join('\n'))).status, 202);
  const good = sample({service: 'never', value: 1});
  for (const {title, line, key, says} of BAD_RECORDS) {
    const answer = await send(
      gateway,
      Buffer.concat([Buffer.from(`${good}\n\n`), Buffer.from(line), Buffer.from(`\n${good}\n`)]),
    );
    t.is(answer.status, 400, title);
    t.is(answer.headers['content-type'], 'application/json; charset=utf-8', title);
    const {error} = answer.json<{error: string}>();
    const place = key === undefined ? 'record 1 (line 3): ' : `record 1 (line 3): key ${JSON.stringify(key)}: `;
    t.is(error.slice(0, place.length), place, title);
    t.regex(error, says, title);
  }
  t.deepEqual(await values(gateway, "service_cpm{layer='GENERAL',service='never'}", 1700000040), {});
});

test.serial('records are read in every spelling that is allowed', async t => {
  const lines = [
    ...DECLARATIONS,
    '',
    sample({service: 'integer', value: 6}),
    sample({service: 'within the minute', time: 1700000099, value: 7}),
    sample({service: 'RFC 3339', time: '2023-11-14T22:14:59.999Z', value: 8}),
    sample({service: 'offset', time: '2023-11-15T00:14:00+02:00', value: 9}),
    sample({service: 'lower case', time: '2023-11-14t22:14:00z', value: 10}),
    '   ',
    sample({service: 'twice', value: 1}),
    sample({service: 'twice', value: 11}),
    '{"value":12,"time":1700000040,"service":"any order","layer":"GENERAL","metric":"service_cpm","record":"sample"}',
    ' { "record" : "sample", "metric": "service_cpm", "layer": "GENERAL", "service": "spaces", "time": 1700000040, "value": 1.3e1 } ',
    sample({service: 'no labels', labels: {}, value: 14}),
    sample({service: 'é\u{1F600}\\"', value: 15}),
    sample({service: 'é'.repeat(512), value: 16}),
    sample({metric: 'service_percentile', service: 'songs', labels: {p: '50'}, value: -0.5}),
    sample({metric: 'service_percentile', service: 'songs', labels: {p: '99'}, value: 5e-324}),
  ];
  t.is((await send(gateway, `\ufeff${lines.join('\r\n')}`)).status, 202);
  const expected: Readonly<Record<string, string>> = {
    integer: '6',
    'within the minute': '7',
    'RFC 3339': '8',
    offset: '9',
    'lower case': '10',
    twice: '11',
    'any order': '12',
    spaces: '13',
    'no labels': '14',
    'é\u{1F600}\\"': '15',
    ['é'.repeat(512)]: '16',
  };
  for (const [service, value] of Object.entries(expected)) {
    const query = `service_cpm{layer='GENERAL',service=${JSON.stringify(service)}}`;
    t.deepEqual(await values(gateway, query, 1700000040), {[service]: value});
  }
  const percentiles = await values(gateway, "service_percentile{layer='GENERAL',service='songs'}", 1700000040);
  t.deepEqual(percentiles, {50: '-0.5', 99: '5e-324'});
});

test.serial('a sampled record and an entity are stored', async t => {
  const record = {
    record: 'sampled-record',
    metric: 'top_n_database_statement',
    layer: 'L',
    service: 'db',
    time: 1700000041,
  };
  const entity = {
    record: 'entity',
    scope: 'ServiceInstance',
    layer: 'L',
    service: 'db',
    serviceInstance: 'one',
    time: 1700000041,
  };
  const lines = [
    ...DECLARATIONS,
    JSON.stringify({...record, content: 'select 1', value: 120, traceId: 'abc'}),
    JSON.stringify({...record, content: 'select 1', value: 120, traceId: 'abc'}),
    JSON.stringify({...record, content: '', value: 110, traceId: ''}),
    JSON.stringify(entity),
  ];
  for (let i = 0; i < 2; i++) t.is((await send(gateway, lines.join('\n'))).status, 202);
  const query = "top_n_database_statement{layer='L',parent_service='db',top_n='10',order='DES'}";
  const window = {start: '1700000040', end: '1700000040'};
  const found = await get(`${gateway.urls.metrics}/api/v1/query_range`, {query, ...window});
  const {data} = found.json<{data: {result: {metric: Record<string, string>; values: [number, string][]}[]}}>();
  t.deepEqual(
    data.result.map(({metric, values: rows}) => [metric.record, rows[0]?.[1]]),
    [
      ['select 1', '120'],
      ['', '110'],
    ],
  );
  const series = await get(`${gateway.urls.metrics}/api/v1/series`, {
    'match[]': "instance_traffic{layer='L',service='db'}",
    ...window,
  });
  t.deepEqual(
    series.json<{data: Record<string, string>[]}>().data.map(({service_instance}) => service_instance),
    ['one'],
  );
});

test.serial('a metric may be declared in an earlier body, and again with another help', async t => {
  const fresh = await here(t);
  t.is((await send(fresh, sample({value: 1}))).status, 400);
  const metric = {record: 'metric', name: 'service_cpm', scope: 'Service', kind: 'common'};
  t.is((await send(fresh, JSON.stringify(metric))).status, 202);
  t.is((await send(fresh, sample({value: 1}))).status, 202);
  t.is(
    (await send(fresh, JSON.stringify({...metric, help: 'calls', unit: 'per minute', type: 'counter'}))).status,
    202,
  );
  const metadata = await get(`${fresh.urls.metrics}/api/v1/metadata`);
  t.deepEqual(metadata.json().data, {service_cpm: [{type: 'counter', help: 'calls', unit: 'per minute'}]});
  const other = await send(fresh, JSON.stringify({...metric, scope: 'Endpoint'}));
  t.is(other.status, 400);
  t.regex(other.text, /record 0 .*\\"scope\\".*already declared with the scope \\"Service\\"/);
});

test.serial('compressed bodies, empty bodies and bodies of blank lines are accepted', async t => {
  const body = `${DECLARATIONS.join('\n')}\n${sample({value: 3})}`;
  t.is((await send(gateway, gzipSync(body), {'content-encoding': 'gzip', 'content-type': 'text/x-any'})).status, 202);
  t.deepEqual(await values(gateway, "service_cpm{layer='GENERAL',service='songs'}", 1700000040), {songs: '3'});
  for (const empty of ['', '\n', ' \r\n\n', '\ufeff']) {
    const answer = await send(gateway, empty);
    t.is(answer.status, 202);
    t.is(answer.text, '');
  }
});

test.serial('other methods are 405 and other paths 404, in the same form as every error', async t => {
  const method = await get(`${gateway.urls.ingest}${PATH}`);
  t.is(method.status, 405);
  t.is(method.headers.allow, 'POST');
  t.is(typeof method.json().error, 'string');
  const path = await ask(`${gateway.urls.ingest}/ingest/v2/metrics`, {method: 'POST', body: ''});
  t.is(path.status, 404);
  t.is(typeof path.json().error, 'string');
});

test.serial('a body that was answered survives the death of the process', async t => {
  const folder = await scratchFolder(t);
  const first = await start(t, folder);
  const body = [...DECLARATIONS, ...Array.from({length: 500}, (_, i) => sample({service: `s${i}`, value: i}))].join(
    '\n',
  );
  t.is((await send(first, body)).status, 202);
  await first.stop('SIGKILL');
  const second = await start(t, folder);
  for (const i of [0, 250, 499]) {
    const query = `service_cpm{layer='GENERAL',service='s${i}'}`;
    t.deepEqual(await values(second, query, 1700000040), {[`s${i}`]: `${i}`});
  }
});

test.serial('bodies that are sent at once do not mix', async t => {
  await send(gateway, DECLARATIONS.join('\n'));
  const minutes = Array.from({length: 600}, (_, i) => 1700000040 + 60 * i);
  const bodies = Array.from({length: 8}, (_, n) =>
    minutes
      .flatMap(time => ['a', 'b', 'c'].map(service => sample({service: service + (n % 4), time, value: n % 4})))
      .join('\n'),
  );
  const answers = await Promise.all(bodies.map(body => send(gateway, body)));
  t.true(answers.every(({status}) => status === 202));
  for (let n = 0; n < 4; n++) {
    const query = `service_cpm{layer='GENERAL',service='b${n}'}`;
    t.deepEqual(await values(gateway, query, minutes.at(-1) ?? 0), {[`b${n}`]: `${n}`});
  }
});

test.serial('a body that comes in pieces, its length not announced, is joined', async t => {
  const lines = [...DECLARATIONS, ...Array.from({length: 5000}, (_, i) => sample({service: `s${i}`, value: i}))];
  const body = ReadableStream.from(lines.map(line => Buffer.from(`${line}\n`)));
  const answer = await fetch(`${gateway.urls.ingest}${PATH}`, {method: 'POST', body, duplex: 'half'});
  t.is(answer.status, 202);
  t.deepEqual(await values(gateway, "service_cpm{layer='GENERAL',service='s4999'}", 1700000040), {s4999: '4999'});
});

test.serial('a storage that cannot take metric records answers 501, naming the capability', async t => {
  const folder = await scratchFolder(t);
  const storage = {use: FIXTURE_ADAPTER, config: {capabilities: ['metadata.query.v1']}};
  const unable = await serveHere(t, {
    config: {...config(folder), storage, plugins: [{use: 'ingest'}]},
    folder,
  });
  const answer = await send(unable, DECLARATIONS.join('\n'));
  t.is(answer.status, 501);
  t.regex(answer.json<{error: string}>().error, /metric records.*ingest\.metrics\.v1/);
});

test.serial('whatever is posted is answered with 202 or 400', async t => {
  const line = fc.constantFrom(...DECLARATIONS, sample({value: 1}), sample({value: 2, extra: {}}));
  const cut = fc
    .tuple(line, fc.nat(150), fc.nat(5))
    .map(([text, at, length]) => text.slice(0, at) + text.slice(at + length));
  const piece = fc.oneof(line, cut, fc.json(), fc.uint8Array(), fc.string({unit: 'binary'}));
  const body = fc
    .array(piece, {maxLength: 5})
    .map(pieces => Buffer.concat(pieces.flatMap(each => [Buffer.from(each), Buffer.from('\n')])));
  const property = fc.asyncProperty(body, async bytes => {
    const {status} = await send(gateway, bytes);
    t.true(status === 202 || status === 400, `${status}`);
  });
  await fc.assert(property, {numRuns: 300});
});
