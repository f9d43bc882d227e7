import {fork} from 'node:child_process';
import {once} from 'node:events';
import {memoryUsage} from 'node:process';
import {fileURLToPath} from 'node:url';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {metricsMessage} from '../diagnostics-agent/recorder/metrics-message.js';
import {Recorder} from '../diagnostics-agent/recorder/recorder.js';
import {PageFetcher} from '../diagnostics-agent/scrape/fetch-page.js';
import {ScrapeEndpoint} from '../diagnostics-agent/scrape/scrape-endpoint.js';
import {AgentMetrics} from '../diagnostics-agent/telemetry/agent-metrics.js';
import {scan} from '../plugins/diagnostics/exposition/scan.js';
import {format, printTable} from './support/table.js';

const LINES = 100_000;
const MIB = 2 ** 20;
const IDENTITY = new Map([
  ['node_role', 'ROLE_DATA'],
  ['pod_name', 'data-hot-0'],
  ['container_name', 'data'],
  ['node_type', 'hot'],
]);
const SILENT = {debug() {}, info() {}, warn() {}, error() {}};

/** The scrape of a large page, part by part, and the memory that recorded samples really take. */
export async function benchDiagnosticsAgent(): Promise<void> {
  await benchScrape();
  await benchMemory();
}

async function benchScrape(): Promise<void> {
  const server = fork(fileURLToPath(new URL('./support/metrics-page.js', import.meta.url)), [String(LINES)]);
  const fetcher = new PageFetcher();
  try {
    const [port] = (await once(server, 'message')) as [number];
    const url = `http://localhost:${port}/metrics`;
    const {signal} = new AbortController();
    const page = await fetcher.fetch(url, signal);
    const recorder = new Recorder(1024 * MIB, 2);
    const services = {fetcher, recorder, metrics: new AgentMetrics(), log: SILENT};
    const endpoint = new ScrapeEndpoint({index: 0, upIndex: 1, port, containerName: 'data'}, services);
    const first = await timed(() => endpoint.scrape(IDENTITY, signal));
    const rows = [
      ['scrape and record, the first time', first],
      ['scrape and record, then', await median(() => endpoint.scrape(IDENTITY, signal))],
      ['of that: fetch the page', await median(() => fetcher.fetch(url, signal))],
      ['of that: scan the page', await median(() => scan(page, NOTHING))],
      ['answer the latest of them', await median(() => latest(recorder).write())],
    ];
    process.stdout.write(
      `A page of ${LINES} samples, ${format(page.length / MIB)} MiB; the answer has ${format(latest(recorder).size / MIB)} MiB\n`,
    );
    printTable(['diagnostics agent', 'ms'], rows as [string, number][]);
  } finally {
    await fetcher.close();
    server.kill();
  }
}

const NOTHING = {type() {}, help() {}, sample() {}, skip() {}};

const latest = (recorder: Recorder) =>
  metricsMessage(recorder.table, [...recorder.latest()], {isWindow: false, now: Date.now()});

async function timed(work: () => unknown): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function median(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 9; i++) times.push(await timed(work));
  return times.sort((a, b) => a - b)[4] ?? 0;
}

/** Fills recorders beyond their budgets and compares what the process then holds. */
async function benchMemory(): Promise<void> {
  const budget = 64 * MIB;
  const rows: (string | number)[][] = [];
  for (const series of [10, 1000, 20_000]) {
    const recorders = [new Recorder(0, 1)];
    const before = await held();
    recorders[0] = filled(budget, series);
    const real = (await held()) - before;
    const [{memory, samples} = new Recorder(0, 1)] = recorders;
    recorders.pop();
    rows.push([`${series} series`, budget / MIB, memory / MIB, real / MIB, real / budget, samples / series]);
  }
  printTable(['recorder', 'budget, MiB', 'counted', 'held by the process', 'of the budget', 'samples of each'], rows);
}

function filled(budget: number, series: number): Recorder {
  const recorder = new Recorder(budget, 1);
  const [identity, suffix] = [Buffer.alloc(80, 'x'), Buffer.alloc(100, 'y')];
  for (let time = 0; recorder.evicted < series * 100; time++) {
    const recording = recorder.begin(0);
    identity.writeUInt32LE(recording.familySuffix(suffix, suffix.length), 0);
    for (let i = 0; i < series; i++) {
      identity.writeUInt32LE(i, 20);
      recording.add(identity, identity.length, time);
    }
    recording.commit(time);
  }
  return recorder;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Array buffers are freed a while after their owners are collected. */
async function held(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    collect();
    await new Promise(done => setTimeout(done, 50));
  }
  const {heapUsed, arrayBuffers} = memoryUsage();
  return heapUsed + arrayBuffers;
}
