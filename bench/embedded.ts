import {existsSync, readFileSync} from 'node:fs';
import {mkdtemp, rm, stat} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {monitorEventLoopDelay, performance} from 'node:perf_hooks';
import {cpuUsage, memoryUsage, stdout} from 'node:process';
import {parseArgs} from 'node:util';
import type {AdapterContext, Call, MetricDefinition, Readers, Series} from '../core/api/adapter.js';
import embedded from '../storage-adapters/embedded/adapter.js';
import type {EmbeddedConfig} from '../storage-adapters/embedded/config.js';

/**
 * The embedded adapter called directly: services × instances × 7 metrics over some hours of minutes, loaded, restarted
 * and read while it is written.
 */

const {values: options} = parseArgs({
  options: {
    services: {type: 'string', default: '200'},
    instances: {type: 'string', default: '10'},
    hours: {type: 'string', default: '24'},
    durability: {type: 'string', default: 'process'},
    settle: {type: 'string', default: '30'},
    keep: {type: 'string'},
  },
});
const services = Number(options.services);
const instances = Number(options.instances);
const hours = Number(options.hours);
const METRICS = 7;

const silent = {add() {}, set() {}, observe() {}};
const log = {debug() {}, info() {}, warn: print, error: print};
const call: Call = {signal: new AbortController().signal, log};

const metrics: MetricDefinition[] = Array.from({length: METRICS}, (_, i) => ({
  name: `metric_${i}`,
  scope: 'ServiceInstance',
  kind: 'common',
  type: 'gauge',
  help: '',
  unit: '',
  rollup: i % 2 === 0 ? 'avg' : 'sum',
  valueLabels: [],
}));

const series: Series[] = metrics.flatMap(({name: metric}) =>
  Array.from({length: services * instances}, (_, i) => ({
    metric,
    entity: {layer: 'GENERAL', service: `service-${Math.floor(i / instances)}`, serviceInstance: `instance-${i}`},
    labels: {},
  })),
);
const everySeries = Uint32Array.from(series, (_, i) => i);

let seed = 42;
function random(): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
}

function print(text: string, fields?: unknown): void {
  stdout.write(fields === undefined ? `${text}\n` : `${text} ${JSON.stringify(fields)}\n`);
}

function report(name: string, text: string): void {
  print(`${name.padEnd(52)} ${text}`);
}

/** One minute of every series: counts for half of the metrics, times with two decimals for the others. */
function minuteOf(time: number) {
  const value = Float64Array.from(series, (_, i) =>
    i % 2 === 0 ? Math.floor(random() * 5000) : Math.round(random() * 1e5) / 100,
  );
  return {
    metrics,
    sightings: [],
    records: [],
    samples: {series, index: everySeries, time: new Float64Array(series.length).fill(time), value},
  };
}

async function timed(name: string, calls: number, work: () => Promise<unknown>): Promise<number> {
  for (let i = 0; i < 5; i++) await work();
  const times: number[] = [];
  const start = performance.now();
  for (let i = 0; i < calls; i++) {
    const begin = performance.now();
    await work();
    times.push(performance.now() - begin);
  }
  const rate = (calls / (performance.now() - start)) * 1000;
  report(name, `${percentiles(times)}   ${Math.round(rate)} calls/s, one caller`);
  return rate;
}

function percentiles(times: number[]): string {
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(3);
  return `p50 ${at(0.5)} ms  p99 ${at(0.99)} ms  max ${at(1)} ms`;
}

async function ready(readers: Readers) {
  const reader = readers['metrics.query.v1'];
  const writer = readers['ingest.metrics.v1'];
  if (reader === undefined || writer === undefined) throw new Error('The adapter supplies no metrics.');
  return {reader, writer};
}

/** Memory of the process, without the pages of files where the system tells them apart. */
function rss(): string {
  const anonymous =
    existsSync('/proc/self/status') && /RssAnon:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
  return anonymous
    ? `${Math.round(Number(anonymous[1]) / 1000)} MB of memory beside file pages`
    : `${Math.round(memoryUsage().rss / 1e6)} MB of memory`;
}

const path = options.keep ?? (await mkdtemp(join(tmpdir(), 'gateway-bench-')));
const durability = options.durability === 'power' ? 'power' : 'process';
const context: AdapterContext<EmbeddedConfig> = {
  config: {path, durability, memory: 134_217_728},
  log,
  meter: {
    counter: () => ({with: () => silent}),
    gauge: () => ({with: () => silent}),
    histogram: () => ({with: () => silent}),
  },
};

const now = Math.floor(Date.now() / 60_000) * 60;
const start = now - hours * 3600;

let adapter = embedded.create(context);
let {reader, writer} = await ready(await adapter.start(call.signal));

// Load: several batches in flight, as `load` has.
{
  let samples = 0;
  let main = 0;
  const cpuBefore = cpuUsage();
  const begin = performance.now();
  const inFlight = new Set<Promise<void>>();
  for (let time = start; time < now; time += 60) {
    const making = performance.now();
    const batch = minuteOf(time);
    main += performance.now() - making;
    const writing = writer.write(batch, call);
    const settled = writing.finally(() => inFlight.delete(settled));
    inFlight.add(settled);
    samples += series.length;
    if (inFlight.size >= 4) await Promise.race(inFlight);
  }
  await Promise.all(inFlight);
  const seconds = (performance.now() - begin) / 1000;
  const {user, system} = cpuUsage(cpuBefore);
  const cpu = `${(user / 1e6).toFixed(1)} + ${(system / 1e6).toFixed(1)} s of CPU`;
  const own = `${Math.round(main)} ms of it to make the values`;
  report(
    `load ${samples} samples`,
    `${seconds.toFixed(1)} s, ${Math.round(samples / seconds)} samples/s, ${cpu} (${own}); ${rss()}`,
  );
}

await adapter.stop();
adapter = embedded.create(context);
{
  const begin = performance.now();
  ({reader, writer} = await ready(await adapter.start(call.signal)));
  report('start until ready', `${Math.round(performance.now() - begin)} ms`);
}
await new Promise(resolve => setTimeout(resolve, Number(options.settle) * 1000));
report('database after folding', `${Math.round((await stat(join(path, 'gateway.db'))).size / 1e6)} MB; ${rss()}`);

const metric = metrics[0] as MetricDefinition;
const hour = {step: 'minute', first: now - 3600, count: 61} as const;
const oldHour = {step: 'minute', first: start + 3600, count: 61} as const;
const anyInstance = () => {
  const i = Math.floor(random() * services * instances);
  return {layer: 'GENERAL', service: `service-${Math.floor(i / instances)}`, serviceInstance: `instance-${i}`};
};
const values = (window: {step: 'minute' | 'hour' | 'day'; first: number; count: number}) =>
  reader.values({metric, entity: anyInstance(), valueFilters: new Map(), window}, call);
const ranking = (window: typeof hour | typeof oldHour, parentService?: string) => {
  const request = {metric, layer: 'GENERAL', order: 'DES', limit: 10, window} as const;
  return reader.ranking(parentService === undefined ? request : {...request, parentService}, call);
};
const day = {step: 'hour', first: Math.floor(now / 3600) * 3600 - 86_400, count: 25} as const;

const fromHead = await timed('1 series, 61 minutes, from the head', 20_000, () => values(hour));
const fromDisk = await timed('1 series, 61 minutes, from the disk', 1_000, () => values(oldHour));
report('  head / disk', `${(fromHead / fromDisk).toFixed(1)} ×`);
await timed('1 series, 25 hours', 2_000, () => values(day));
await timed('top 10 of 1 service, 61 minutes, from the head', 2_000, () => ranking(hour, 'service-7'));
await timed(`top 10 of ${services * instances}, 61 minutes, from the head`, 200, () => ranking(hour));
await timed('top 10 of 1 service, 61 minutes, from the disk', 500, () => ranking(oldHour, 'service-7'));
await timed(`top 10 of ${services * instances}, 61 minutes, from the disk`, 50, () => ranking(oldHour));

const oneSample = {
  metrics: [],
  sightings: [],
  records: [],
  samples: {
    series: series.slice(0, 1),
    index: Uint32Array.of(0),
    time: Float64Array.of(now),
    value: Float64Array.of(1),
  },
};
await timed(`write 1 sample, durability ${durability}`, 200, () => writer.write(oneSample, call));
const oneMinute = minuteOf(now);
await timed(`write ${series.length} samples, durability ${durability}`, 20, () => writer.write(oneMinute, call));

// 60,000 samples a second for some seconds, with a reader of everything beside it.
{
  const loop = monitorEventLoopDelay({resolution: 1});
  const writes: number[] = [];
  const reads: number[] = [];
  const seconds = 10;
  const batches = Array.from({length: Math.ceil((60_000 * seconds) / series.length)}, (_, i) => minuteOf(now + i * 60));
  loop.enable();
  let done = false;
  const reading = (async () => {
    while (!done) {
      const begin = performance.now();
      await values(hour);
      await ranking(hour, 'service-3');
      await values(oldHour);
      reads.push(performance.now() - begin);
      await new Promise(resolve => setTimeout(resolve, 2));
    }
  })();
  const begin = performance.now();
  const inFlight: Promise<void>[] = [];
  for (const [i, batch] of batches.entries()) {
    const due = begin + (i * series.length) / 60;
    await new Promise(resolve => setTimeout(resolve, Math.max(0, due - performance.now())));
    const sent = performance.now();
    inFlight.push(writer.write(batch, call).then(() => void writes.push(performance.now() - sent)));
  }
  await Promise.all(inFlight);
  const took = (performance.now() - begin) / 1000;
  done = true;
  await reading;
  loop.disable();
  report(
    'write 60,000 samples/s',
    `${Math.round((batches.length * series.length) / took)} samples/s; batch ${percentiles(writes)}`,
  );
  report('  3 reads (head, rank, disk) meanwhile', percentiles(reads));
  report(
    '  event loop delay',
    `p99 ${(loop.percentile(99) / 1e6).toFixed(1)} ms, max ${(loop.max / 1e6).toFixed(1)} ms; ${rss()}`,
  );
}

await adapter.stop();
if (options.keep === undefined) await rm(path, {recursive: true});
