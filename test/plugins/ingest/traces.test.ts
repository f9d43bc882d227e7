import {gzipSync} from 'node:zlib';
import test from 'ava';
import fc from 'fast-check';
import {FUZZ_RUNS} from '../../support/fuzz.js';
import {FIXTURE_ADAPTER, type Owner, type RunningGateway, scratchFolder, startGateway} from '../../support/gateway.js';
import {type Answer, ask, get} from '../../support/http.js';
import {serveHere} from '../../support/library.js';
import {ownerOf} from '../../support/owner.js';
import {NATIVE_SPAN, SEGMENT, SPAN} from './traces-support.js';

const numRuns = Math.ceil(FUZZ_RUNS / 5);

const config = (folder: string) => ({
  listeners: {traces: {host: '127.0.0.1', port: 0}, ingest: {port: 0}, admin: {host: '127.0.0.1', port: 0}},
  storage: {use: 'embedded', config: {path: `${folder}/data`}},
  plugins: [
    {use: 'traceql-compat', listener: 'traces', enabled: true, prefix: '/compat'},
    {use: 'traceql-native', listener: 'traces', enabled: true, prefix: '/native'},
    {use: 'ingest'},
  ],
});

type Addressed = Pick<RunningGateway, 'urls'>;

/** In a process that can be killed. */
const start = (t: Owner, folder: string): Promise<RunningGateway> => startGateway(t, {config: config(folder), folder});

/** For all tests that end no process: each has traces of its own. */
let gateway: Addressed;
/** Over a storage that takes no traces. */
let readOnly: Addressed;
const owner = ownerOf(test);

test.before(async () => {
  const folder = await scratchFolder(owner);
  gateway = await serveHere(owner, {config: config(folder), folder});
  const storage = {use: FIXTURE_ADAPTER, config: {capabilities: ['metadata.query.v1']}};
  const listeners = {ingest: {port: 0}};
  readOnly = await serveHere(owner, {config: {listeners, storage, plugins: [{use: 'ingest'}]}});
});

function send(gateway: Addressed, path: string, body: string | Uint8Array, headers = {}): Promise<Answer> {
  return ask(`${gateway.urls.ingest}${path}`, {method: 'POST', body, headers});
}

async function isFound(gateway: Addressed, kind: string, id: string): Promise<boolean> {
  return (await get(`${gateway.urls.traces}/${kind}/api/traces/${id}`)).status === 200;
}

interface Kind {
  readonly path: string;
  readonly status: number;
  readonly record: object;
  readonly good: (id: string) => object;
  readonly isFound: (gateway: Addressed, id: string) => Promise<boolean>;
  readonly bad: object;
  readonly key: string;
  readonly capability: string;
}

const COMPAT: Kind = {
  path: '/api/v2/spans',
  status: 202,
  record: SPAN,
  good: id => ({...SPAN, traceId: id}),
  isFound: (gateway, id) => isFound(gateway, 'compat', id),
  bad: {...SPAN, remoteEndpoint: {port: 70_000}},
  key: 'remoteEndpoint.port',
  capability: 'ingest.compat.v1',
};

const NATIVE: Kind = {
  path: '/v3/segments',
  status: 200,
  record: SEGMENT,
  good: id => ({...SEGMENT, traceId: id, traceSegmentId: id}),
  isFound: (gateway, id) => isFound(gateway, 'native', Buffer.from(id).toString('hex')),
  bad: {...SEGMENT, spans: [{startTime: 'x'}]},
  key: 'spans[0].startTime',
  capability: 'ingest.native.v1',
};

for (const kind of [COMPAT, NATIVE]) {
  const {path, status, good} = kind;

  test.serial(`${path} stores a body whole, or not at all with 400 and the index and key`, async t => {
    const refused = await send(gateway, path, JSON.stringify([good('a1'), kind.bad, good('a2')]));
    t.is(refused.status, 400);
    t.is(refused.headers['content-type'], 'application/json; charset=utf-8');
    t.true(refused.json<{error: string}>().error.startsWith(`record 1: key "${kind.key}": `), refused.text);
    t.false(await kind.isFound(gateway, 'a1'));

    const taken = await send(gateway, path, JSON.stringify([good('a1'), good('a2')]));
    t.is(taken.status, status);
    t.is(taken.text, '');
    t.true(await kind.isFound(gateway, 'a1'));
    t.true(await kind.isFound(gateway, 'a2'));
  });

  test.serial(`${path} takes empty, compressed and printed bodies of any content type`, async t => {
    for (const empty of ['', ' \n', '[]', '\ufeff[ ]']) t.is((await send(gateway, path, empty)).status, status);
    const headers = {'content-encoding': 'gzip', 'content-type': 'text/x-any'};
    t.is((await send(gateway, path, gzipSync(JSON.stringify([good('b1')])), headers)).status, status);
    t.is((await send(gateway, path, JSON.stringify([good('b2')], null, '\t'))).status, status);
    t.true(await kind.isFound(gateway, 'b1'));
    t.true(await kind.isFound(gateway, 'b2'));
  });

  test.serial(`${path} refuses what is no array of records`, async t => {
    const text = JSON.stringify([kind.record]);
    const bodies = [
      'nonsense',
      '7',
      'null',
      '"a"',
      text.slice(0, -1),
      `${text}]`,
      `${text}${text}`,
      text.replace('[{', '[,{'),
      '\x00',
    ];
    for (const body of [
      ...bodies,
      Buffer.from(text, 'utf16le'),
      Buffer.from(text.replace('GET', 'G\xcbT').replace('POST', 'P\xd6ST'), 'latin1'),
    ]) {
      const answer = await send(gateway, path, body);
      t.is(answer.status, 400, body.toString());
      t.regex(answer.json<{error: string}>().error, /^record \d+: ./);
    }
  });

  test.serial(`what ${path} has answered survives the death of the process`, async t => {
    const folder = await scratchFolder(t);
    const first = await start(t, folder);
    const body = JSON.stringify(Array.from({length: 200}, (_, i) => good(`c${i}`)));
    t.is((await send(first, path, body)).status, status);
    await first.stop('SIGKILL');
    const second = await start(t, folder);
    for (const i of [0, 100, 199]) t.true(await kind.isFound(second, `c${i}`));
  });

  test.serial(`${path} answers 501 where the storage cannot take it, naming the capability`, async t => {
    const answer = await send(readOnly, path, JSON.stringify([kind.record]));
    t.is(answer.status, 501);
    t.true(answer.json<{error: string}>().error.includes(kind.capability), answer.text);
  });

  test.serial(`whatever is posted to ${path} is answered with ${status} or 400`, async t => {
    const text = JSON.stringify([kind.record, kind.record]);
    const cut = fc
      .tuple(
        fc.nat(text.length),
        fc.nat(30),
        fc.oneof(fc.string(), fc.constantFrom('"', '{', '[', ']', 'null', '1e999')),
      )
      .map(([at, length, insert]) => text.slice(0, at) + insert + text.slice(at + length));
    const changed = fc
      .tuple(fc.constantFrom(...Object.keys(kind.record)), fc.jsonValue())
      .map(([key, value]) => JSON.stringify([{...kind.record, [key]: value}]));
    const body = fc.oneof(cut, changed, fc.json(), fc.uint8Array(), fc.string({unit: 'binary'}));
    const property = fc.asyncProperty(body, async bytes => {
      const answer = await send(gateway, path, typeof bytes === 'string' ? bytes : Buffer.from(bytes));
      t.true(answer.status === status || answer.status === 400, `${answer.status}`);
    });
    await fc.assert(property, {numRuns});
  });
}

/** A body's type and its beginning, and the answer, wherever it is posted. */
const FOREIGN: readonly (readonly [type: string, body: string, status: number, error: RegExp])[] = [
  ['application/x-protobuf', '\n\x05', 415, /^found the content type "application\/x-protobuf", expected .* as JSON$/],
  ['application/vnd.apache.thrift.binary', '[]', 415, /"application\/vnd.apache.thrift.binary"/],
  ['application/x-thrift; charset=x', '', 415, /"application\/x-thrift; charset=x"/],
  ['application/json', '{"resourceSpans":[]}', 400, /^found OTLP \(the key "resourceSpans"\), expected /],
  ['text/plain', ' [{"resource_metrics": []}]', 400, /"resource_metrics"/],
];

for (const [type, body, status, error] of FOREIGN) {
  test.serial(`${JSON.stringify(body)} as ${type} is answered with ${status} on every path`, async t => {
    for (const path of ['/api/v2/spans', '/v3/segments', '/v3/segment', '/ingest/v1/metrics']) {
      const answer = await send(gateway, path, body, {'content-type': type});
      t.is(answer.status, status);
      t.is(answer.headers['content-type'], 'application/json; charset=utf-8');
      t.regex(answer.json<{error: string}>().error, error);
    }
  });
}

test.serial('a value that is too long is cut, marked and counted, and costs no other span', async t => {
  const long = 'é'.repeat(2 ** 20);
  const spans = Array.from({length: 100}, (_, i) => ({...SPAN, traceId: `e${i}`, tags: i === 50 ? {long} : SPAN.tags}));
  t.is((await send(gateway, '/api/v2/spans', JSON.stringify(spans))).status, 202);
  for (const id of ['e0', 'e50', 'e99']) t.true(await isFound(gateway, 'compat', id), id);
  const trace = await get(`${gateway.urls.traces}/compat/api/traces/e50`);
  t.regex(trace.text, /"key":"long","value":\{"stringValue":"é{524274}… \(cut from 2097152 bytes\)"\}/);
  const segment = {...SEGMENT, spans: [{...NATIVE_SPAN, tags: [{key: 'long', value: long}]}]};
  t.is((await send(gateway, '/v3/segment', JSON.stringify(segment))).status, 200);
  const metrics = await get(`${gateway.urls.admin}/metrics`);
  for (const format of ['compat spans', 'native segments']) {
    t.regex(
      metrics.text,
      new RegExp(`^query_gateway_ingest_cut_values_total\\{component="ingest",format="${format}"\\} 1$`, 'm'),
    );
  }
});

test.serial('one segment may be posted by itself', async t => {
  const answer = await send(gateway, '/v3/segment', JSON.stringify(NATIVE.good('d1')));
  t.is(answer.status, 200);
  t.is(answer.text, '');
  t.true(await NATIVE.isFound(gateway, 'd1'));
  t.is((await send(gateway, '/api/v2/spans', JSON.stringify(SPAN))).status, 400);
  const bad = await send(gateway, '/v3/segment', JSON.stringify({...SEGMENT, traceId: ''}));
  t.regex(bad.json<{error: string}>().error, /^record 0: key "traceId": empty/);
});
