import {readFileSync} from 'node:fs';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {OtlpSpan} from '../core/api/plugin.js';
import {protobufOf} from '../test/plugins/ingest-otlp/support/encode.js';
import {anonymousMegabytes} from './support/memory.js';
import {ROOT, type RunningProcess, readyLine, start} from './support/processes.js';
import {printTable} from './support/table.js';
import {load} from './support/wrk.js';

const SERVICES = 200;
const SPANS_PER_TRACE = 8;
const TRACES_PER_BODY = 64;
const BODIES = 400;
const SENDERS = 4;

/** Clock ticks of the kernel in a second. */
const TICKS = 100;

type Urls = {readonly otlp: string; readonly traces: string};

/**
 * Spans a second over HTTP in protobuf into the embedded storage, as fast as four senders get rid of them, alone and beside
 * searches. The rate is also given for a second of processor time of the gateway, all of its threads together: what one core
 * takes, whatever else the machine does.
 */
export async function benchOtlpIngest(seconds: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'query-gateway-bench-'));
  const gateway = await startReceiver(folder);
  try {
    const bodies = Array.from({length: BODIES}, (_, at) => bodyOf(at));
    const paths = Array.from({length: 100}, (_, at) => {
      const q = encodeURIComponent(`{resource.service.name="service-${at}" && span.http.response.status_code=200}`);
      return `/otlp/api/search?q=${q}&limit=20`;
    });
    await measured(gateway, bodies, 2);
    const alone = await measured(gateway, bodies, seconds);
    const quiet = await load(gateway.traces, paths, {connections: 1, seconds});
    const [beside, busy] = await Promise.all([
      measured(gateway, bodies, seconds),
      load(gateway.traces, paths, {connections: 1, seconds}),
    ]);
    const columns = ['spans/s', 'spans/s of processor', 'with searches', 'p99 alone', 'p99 with ingest', 'MB'];
    const megabytes = anonymousMegabytes(gateway.pid);
    printTable(columns, [[alone.rate, alone.ofProcessor, beside.rate, quiet.p99, busy.p99, megabytes]]);
  } finally {
    await gateway.stop();
    await rm(folder, {recursive: true, force: true});
  }
}

async function startReceiver(folder: string): Promise<RunningProcess & Urls> {
  const free = {host: '127.0.0.1', port: 0};
  const config = {
    listeners: {otlp: free, traces: free},
    storage: {use: 'embedded', config: {path: join(folder, 'embedded')}},
    plugins: [
      {use: 'ingest-otlp', config: {grpcListenAddr: '127.0.0.1:0'}},
      {use: 'traceql-otlp', enabled: true},
    ],
  };
  const file = join(folder, 'gateway.config.json');
  await writeFile(file, JSON.stringify(config));
  const child = start(process.execPath, [join(ROOT, 'dist/core/cli/main.js'), 'serve', '--config', file], folder);
  const {listeners} = await readyLine<{readonly listeners: Urls}>(child);
  return Object.assign(child, listeners);
}

/** Each time a body is sent, its traces are others: the first bytes of their ids are changed in place. */
interface Body {
  readonly bytes: Buffer;
  readonly ids: readonly number[];
}

let sent = 0;

function renewed({bytes, ids}: Body): Buffer {
  const copy = Buffer.from(bytes);
  const number = ++sent;
  for (const at of ids) copy.writeUInt32BE(number, at);
  return copy;
}

async function measured(
  gateway: RunningProcess & Urls,
  bodies: readonly Body[],
  seconds: number,
): Promise<{readonly rate: number; readonly ofProcessor: number}> {
  const [begun, ticks] = [performance.now(), ticksOf(gateway.pid)];
  const end = begun + seconds * 1000;
  let spans = 0;
  const send = async (first: number): Promise<void> => {
    for (let at = first; performance.now() < end; at += SENDERS) {
      const body = bodies[at % bodies.length];
      if (body === undefined) return;
      const headers = {'content-type': 'application/x-protobuf'};
      const answer = await fetch(`${gateway.otlp}/v1/traces`, {method: 'POST', headers, body: renewed(body)});
      if (answer.status !== 200) throw new Error(`the gateway answered ${answer.status}`);
      await answer.arrayBuffer();
      spans += TRACES_PER_BODY * SPANS_PER_TRACE;
    }
  };
  await Promise.all(Array.from({length: SENDERS}, (_, at) => send(at)));
  const processor = (ticksOf(gateway.pid) - ticks) / TICKS;
  return {rate: spans / ((performance.now() - begun) / 1000), ofProcessor: spans / processor};
}

/** Processor time of all threads of a process. */
function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

function bodyOf(number: number): Body {
  const spans = Array.from({length: TRACES_PER_BODY}, (_, at) => traceOf(number * TRACES_PER_BODY + at)).flat();
  const bytes = protobufOf(spans);
  const ids: number[] = [];
  for (const mark = Buffer.from('facade', 'hex'), at = {from: 0}; ; ) {
    const found = bytes.indexOf(mark, at.from);
    if (found < 0) return {bytes, ids};
    // Behind the mark, which begins the id of a trace.
    ids.push(found + mark.length);
    at.from = found + 16;
  }
}

function traceOf(number: number): readonly OtlpSpan[] {
  const traceId = `facade00000000${number.toString(16).padStart(18, '0')}`;
  const begin = (BigInt(Date.now()) - BigInt(number % 600_000)) * 1_000_000n;
  const service = `service-${number % SERVICES}`;
  const resource = {
    attributes: [
      {key: 'service.name', value: service},
      {key: 'service.instance.id', value: `${service}-${number % 7}`},
      {key: 'telemetry.sdk.language', value: 'java'},
    ],
    droppedAttributesCount: 0,
    schemaUrl: 'https://opentelemetry.io/schemas/1.27.0',
  };
  const scope = {
    name: 'io.opentelemetry.tomcat-10.0',
    version: '2.9',
    attributes: [],
    droppedAttributesCount: 0,
    schemaUrl: '',
  };
  return Array.from(
    {length: SPANS_PER_TRACE},
    (_, at): OtlpSpan => ({
      traceId,
      spanId: (number * SPANS_PER_TRACE + at + 1).toString(16).padStart(16, '0'),
      ...(at > 0 && {parentSpanId: (number * SPANS_PER_TRACE + at).toString(16).padStart(16, '0')}),
      traceState: '',
      flags: 257,
      name: `GET /resource/${number % 40}`,
      kind: at === 0 ? 2 : 3,
      startTime: begin + BigInt(at) * 1_000_000n,
      endTime: begin + BigInt(at) * 1_000_000n + 7_654_321n,
      attributes: [
        {key: 'http.request.method', value: 'GET'},
        {key: 'http.response.status_code', value: at === 5 ? 500n : 200n},
        {key: 'url.path', value: `/resource/${number % 40}/${number % 997}`},
        {key: 'server.address', value: `${service}.example`},
        {key: 'server.port', value: 8080n},
        {key: 'thread.name', value: `http-nio-8080-exec-${at}`},
        {key: 'user.id', value: `user ${number % 5000}`},
        {key: 'cached', value: at % 2 === 0},
      ],
      droppedAttributesCount: 0,
      events: [],
      droppedEventsCount: 0,
      links: [],
      droppedLinksCount: 0,
      status: {code: 0, message: ''},
      resource,
      scope,
    }),
  );
}
