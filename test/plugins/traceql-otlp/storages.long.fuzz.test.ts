import {isDeepStrictEqual} from 'node:util';
import test, {type ExecutionContext} from 'ava';
import fc from 'fast-check';
import type {OtlpResource, OtlpSpan} from '../../../core/api/adapter.js';
import {FUZZ_RUNS} from '../../support/fuzz.js';
import {type RunningGateway, scratchFolder, startGateway} from '../../support/gateway.js';
import {ask} from '../../support/http.js';
import {anyOtlpTrace} from '../../support/otlp-arbitrary.js';
import {readOtlpJson, readOtlpProtobuf} from '../../support/otlp-messages.js';
import {suiteWith} from '../../support/programs.js';
import {startClickHouse} from '../../support/servers/clickhouse.js';
import {startPostgres} from '../../support/servers/postgres.js';
import {jsonOf, protobufOf} from '../ingest-otlp/support/encode.js';
import {exporterTo} from '../ingest-otlp/support/export.js';

/** Of one request. */
const TRACES = 40;
const NANOS_PER_HOUR = 3_600_000_000_000n;

type Spans = readonly OtlpSpan[];

/** The ways to send, which are taken in turns; each resolves when the spans are acknowledged. */
function sendersTo(t: ExecutionContext, {urls}: RunningGateway): readonly ((spans: Spans) => Promise<void>)[] {
  const post = async (type: string, body: Buffer | string): Promise<void> => {
    const headers = {'content-type': type};
    const {status, text, bytes} = await ask(`${urls.otlp}/v1/traces`, {method: 'POST', headers, body});
    // A request of which all is stored is answered with an empty message.
    if (status !== 200 || (bytes.length > 0 && text !== '{}')) throw new Error(`${status}: ${text}`);
  };
  const send = exporterTo(t, urls.otlpGrpc ?? '');
  const call = async (encoded: Buffer): Promise<void> => {
    const {error, body} = await send(encoded);
    if (error !== null || body?.length !== 0) throw error ?? new Error('some spans were rejected');
  };
  return [
    spans => post('application/x-protobuf', protobufOf(spans)),
    spans => post('application/json', jsonOf(spans)),
    spans => call(protobufOf(spans)),
  ];
}

/** The ways to ask for a trace by its id, in turns too. */
function readersOf({urls}: RunningGateway): readonly ((id: string) => Promise<Spans>)[] {
  return (['v1', 'v2'] as const).flatMap(version => {
    const get = async (id: string, accept: string): Promise<Uint8Array> => {
      const path = version === 'v1' ? `traces/${id}` : `v2/traces/${id}`;
      const {status, text, bytes} = await ask(`${urls.traces}/otlp/api/${path}`, {headers: {accept}});
      if (status !== 200) throw new Error(`${status}: ${text}`);
      return bytes;
    };
    return [
      async (id: string) =>
        readOtlpJson(Buffer.from(await get(id, 'application/json')).toString()).flatMap(({spans}) => spans),
      async (id: string) =>
        readOtlpProtobuf(await get(id, 'application/protobuf'), version).flatMap(({spans}) => spans),
    ];
  });
}

let traces = 0;

/** As a trace of its own that no retention has left behind: a new id, starts of the last hour, and a service. */
function fresh(spans: Spans): Spans {
  const resources = new Map<OtlpResource, OtlpResource>();
  const number = (++traces).toString(16).padStart(16, '0');
  const now = BigInt(Date.now()) * 1_000_000n;
  for (const {resource} of spans) resources.set(resource, withService(resource));
  return spans.map(span => ({
    ...span,
    resource: resources.get(span.resource) ?? span.resource,
    traceId: `${span.traceId.slice(0, 16)}${number}`,
    startTime: span.startTime === 0n ? 0n : now - (span.startTime % NANOS_PER_HOUR),
  }));
}

/** Without one a span is rejected. */
function withService(resource: OtlpResource): OtlpResource {
  const others = resource.attributes.filter(({key}) => key !== 'service.name');
  return {...resource, attributes: [...others, {key: 'service.name', value: 'shop'}]};
}

const byId = (spans: Spans): Spans => [...spans].sort((a, b) => (a.spanId < b.spanId ? -1 : 1));

async function comesBack(t: ExecutionContext, storage: object): Promise<void> {
  const gateway = await startGateway(t, {
    config: {
      listeners: {otlp: {port: 0}, traces: {host: '127.0.0.1', port: 0}},
      storage,
      plugins: [
        {use: 'ingest-otlp', config: {grpcListenAddr: '127.0.0.1:0'}},
        {use: 'traceql-otlp', enabled: true},
      ],
    },
  });
  const senders = sendersTo(t, gateway);
  const readers = readersOf(gateway);
  let turn = 0;
  const next = <Way>(ways: readonly Way[]): Way => ways[turn++ % ways.length] as Way;
  const property = fc.asyncProperty(fc.array(anyOtlpTrace, {minLength: TRACES, maxLength: TRACES}), async given => {
    const sent = given.map(fresh);
    await next(senders)(sent.flat());
    for (const spans of sent) {
      const stored = byId(await next(readers)(spans[0]?.traceId ?? ''));
      const expected = byId(spans);
      if (!isDeepStrictEqual(stored, expected)) t.deepEqual(stored, expected);
    }
  });
  // A smaller request that fails too is not looked for: each would be stored, and a storage is slow to differ by.
  await fc.assert(property, {numRuns: Math.ceil(FUZZ_RUNS / TRACES), includeErrorInReport: true, endOnFailure: true});
}

test.serial('random traces come back equal through every protocol: embedded', async t => {
  await comesBack(t, {use: 'embedded', config: {path: `${await scratchFolder(t)}/data`}});
});

suiteWith(test, 'clickhouse-server', 'random traces over ClickHouse', () => {
  test.serial('random traces come back equal through every protocol: ClickHouse', async t => {
    const {url} = await startClickHouse(t);
    await comesBack(t, {use: 'clickhouse', config: {urls: [url], database: 'traces'}});
  });
});

suiteWith(test, 'postgres', 'random traces over PostgreSQL', () => {
  test.serial('random traces come back equal through every protocol: PostgreSQL', async t => {
    const server = await startPostgres(t);
    await comesBack(t, {use: 'postgres', config: {url: server.url()}});
  });
});
