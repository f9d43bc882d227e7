import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {protobufOf} from '../test/plugins/ingest-otlp/support/encode.js';
import {anonymousMegabytes} from './support/memory.js';
import {benchSpans, SERVICES} from './support/otlp-spans.js';
import {percentiles} from './support/percentiles.js';
import {ROOT, type RunningProcess, readyLine, start} from './support/processes.js';
import {printTable} from './support/table.js';

const SPANS_PER_TRACE = 8;
const TRACES_PER_BODY = 64;
const BODIES = 60;
const SENDERS = 4;

/** So many searches a second are asked beside. */
const SEARCHES = 20;
/** The gateway has a core alone, all of its threads; what sends and asks has the other. */
const [GATEWAY_CORE, SENDER_CORE] = ['0', '1'];

/** When the bodies were made, in milliseconds. */
const MADE = Date.now();
/** The start of a span with the tag of its end, which follows. */
const TIME_FIELD = 9;

/** Clock ticks of the kernel in a second. */
const TICKS = 100;

type Urls = {readonly otlp: string; readonly traces: string};
type Gateway = RunningProcess & Urls;

/**
 * Spans of ten attributes a second over HTTP in protobuf into the embedded storage, which with the whole gateway has one core:
 * as fast as four senders get rid of them, alone and beside searches. The rate is also given for a second of processor
 * time. `others` are folders with another build of the gateway each, which are measured in turns with this one.
 */
export async function benchOtlpIngest(seconds: number, others: readonly string[]): Promise<void> {
  execFileSync('taskset', ['-a', '-c', '-p', SENDER_CORE, String(process.pid)]);
  const bodies = Array.from({length: BODIES}, (_, at) => bodyOf(at));
  const rows: (string | number)[][] = [];
  for (const root of [...others, ROOT]) rows.push([root, ...(await measuredGateway(root, bodies, seconds))]);
  printTable(['gateway', 'spans/s', 'per core second', 'with searches', 'per core second', 'p50', 'p99', 'MB'], rows);
}

async function measuredGateway(root: string, bodies: readonly Body[], seconds: number): Promise<readonly number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'query-gateway-bench-'));
  const gateway = await startReceiver(root, folder);
  try {
    await measured(gateway, bodies, 3);
    const alone = await measured(gateway, bodies, seconds);
    const times: number[] = [];
    const [beside] = await Promise.all([measured(gateway, bodies, seconds), searches(gateway, seconds, times)]);
    const megabytes = anonymousMegabytes(gateway.pid);
    const {p50, p99} = percentiles(times);
    return [alone.rate, alone.ofProcessor, beside.rate, beside.ofProcessor, p50, p99, megabytes];
  } finally {
    await gateway.stop();
    await rm(folder, {recursive: true, force: true});
  }
}

async function startReceiver(root: string, folder: string): Promise<Gateway> {
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
  const node = [process.execPath, ...(process.env.BENCH_NODE_OPTIONS?.split(' ') ?? [])];
  const gateway = [...node, join(root, 'dist/core/cli/main.js'), 'serve', '--config', file];
  const child = start('taskset', ['-c', GATEWAY_CORE, ...gateway], folder);
  const {listeners} = await readyLine<{readonly listeners: Urls}>(child);
  return Object.assign(child, listeners);
}

/** Adds the milliseconds that each search took, from when it was due. */
async function searches(gateway: Gateway, seconds: number, times: number[]): Promise<void> {
  const begun = performance.now();
  const asked: Promise<void>[] = [];
  for (let at = 0; at < seconds * SEARCHES; at++) {
    const due = begun + (at * 1000) / SEARCHES;
    await sleep(Math.max(0, due - performance.now()));
    const q = encodeURIComponent(
      `{resource.service.name="service-${at % SERVICES}" && span.http.response.status_code=500}`,
    );
    asked.push(
      fetch(`${gateway.traces}/otlp/api/search?q=${q}&limit=20`).then(async answer => {
        await answer.arrayBuffer();
        if (answer.status !== 200) throw new Error(`a search was answered ${answer.status}`);
        times.push(performance.now() - due);
      }),
    );
  }
  await Promise.all(asked);
}

/** Each time a body is sent its traces are others, and of now: the first bytes of their ids and the times are changed in place. */
interface Body {
  readonly bytes: Buffer;
  readonly ids: readonly number[];
  /** Where the start of each span stands, and behind it its end. */
  readonly starts: readonly number[];
}

let sent = 0;

function renewed({bytes, ids, starts}: Body): Buffer {
  const copy = Buffer.from(bytes);
  const number = ++sent;
  for (const at of ids) copy.writeUInt32BE(number, at);
  const shift = BigInt(Date.now() - MADE) * 1_000_000n;
  for (const at of starts) {
    copy.writeBigUInt64LE(bytes.readBigUInt64LE(at) + shift, at);
    copy.writeBigUInt64LE(bytes.readBigUInt64LE(at + TIME_FIELD) + shift, at + TIME_FIELD);
  }
  return copy;
}

async function measured(
  gateway: Gateway,
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
  const spans = Array.from({length: TRACES_PER_BODY}, (_, at) =>
    benchSpans(number * TRACES_PER_BODY + at, SPANS_PER_TRACE, MADE),
  ).flat();
  const bytes = protobufOf(spans);
  const ids: number[] = [];
  const starts: number[] = [];
  let from = 0;
  for (const {traceId, startTime} of spans) {
    // Behind the mark, which begins the id of a trace.
    from = bytes.indexOf(Buffer.from(traceId, 'hex'), from);
    ids.push(from + 3);
    const start = Buffer.alloc(8);
    start.writeBigUInt64LE(startTime);
    starts.push(bytes.indexOf(start, from));
    from += traceId.length / 2;
  }
  return {bytes, ids, starts};
}
