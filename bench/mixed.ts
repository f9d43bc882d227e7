import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {type DatasetShape, instanceName, LAYER, recordLines, serviceName} from './support/dataset.js';
import {fillEmbedded} from './support/embedded.js';
import {type RunningGateway, startGateway} from './support/gateway.js';
import {anonymousMegabytes} from './support/memory.js';
import {percentiles} from './support/percentiles.js';
import {probe} from './support/prober.js';
import {ROOT, readyLine, start} from './support/processes.js';
import {printTable} from './support/table.js';
import {TRACE_KINDS, traceCases} from './support/trace-cases.js';
import type {TraceShape} from './support/trace-dataset.js';
import {prepareTraces} from './support/trace-fill.js';
import {type Body, bodies, INGEST_PATHS, ingestAtRate, SPANS_PER_SECOND} from './support/trace-sender.js';
import {load} from './support/wrk.js';

/** What runs beside the small query, until the signal aborts. */
interface Companion {
  readonly name: string;
  readonly isMixed?: boolean;
  readonly play: (gateway: RunningGateway, seconds: number, stop: AbortSignal) => Promise<unknown>;
}

export interface MixedShape {
  /** Some minutes of many instances. */
  readonly metrics: DatasetShape;
  readonly traces: TraceShape;
  readonly agents: number;
}

/**
 * A small instant query, 5 ms after the answer of the one before: alone, beside each kind of heavy request, beside a mix of them
 * (four connections for traces, one each for the page and for rankings, spans sent at their rate), and beside all of them at
 * once. The query is asked from a thread of its own; the clients share the machine with the gateway. `hold` is the longest that the
 * event loop was held.
 */
export async function benchMixed(shape: MixedShape, seconds: number, only: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'query-gateway-bench-'));
  try {
    await fillEmbedded(folder, shape.metrics);
    for (const kind of TRACE_KINDS) await prepareTraces(folder, kind, shape.traces);
    // Before, since making them costs as much as what the gateway does with them.
    const sent = [...bodies('compat', shape.traces, SPANS_PER_SECOND * seconds)];
    const each = companions(shape, 4, sent);
    const mix = together(
      'the mix',
      companions(shape, 1, sent).filter(({isMixed}) => isMixed),
    );
    const kinds = [...each, mix, together('all of them', each)].filter(({name}) => name.includes(only));
    const rows: (string | number)[][] = [];
    for (const companion of [ALONE, ...kinds]) {
      const gateway = await startGateway(folder, {}, undefined, {grpcListenAddr: '127.0.0.1:0', maxAgents: 2000});
      const agents = start(process.execPath, [AGENTS, gateway.grpc ?? '', String(shape.agents), '100'], ROOT);
      try {
        await readyLine(agents);
        // The first page of all agents is read whole, later ones by what has changed: a proxy that has run for a while is what is measured.
        await (await fetch(`${gateway.diagnostics}/metrics`)).text();
        rows.push([companion.name, ...(await measure(gateway, shape.metrics, seconds, companion))]);
      } finally {
        await agents.stop();
        await gateway.stop();
      }
    }
    printTable(['a small query beside', 'p50 ms', 'p99 ms', 'longest ms', 'hold ms', 'MB'], rows);
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

const AGENTS = join(ROOT, 'dist/bench/support/simulated-agents.js');
const ALONE: Companion = {name: '(nothing)', play: (_gateway, seconds) => sleep(seconds * 1000)};

function together(name: string, each: readonly Companion[]): Companion {
  return {name, play: (...of) => Promise.all(each.map(one => one.play(...of)))};
}

function companions({metrics, traces}: MixedShape, connections: number, sent: readonly Body[]): readonly Companion[] {
  const hour = `start=${metrics.start}&end=${metrics.start + (metrics.minutes - 1) * 60}&step=60`;
  const ranking = `instance_cpm{layer='${LAYER}',top_n='10',order='DES'}`;
  const next = {...metrics, start: metrics.start + metrics.minutes * 60, minutes: 10_000};
  return [
    ...TRACE_KINDS.flatMap(kind =>
      traceCases(kind, traces)
        .filter(({name}) => name.startsWith(`trace by id, ${traces.large} spans`))
        .map(({name, gateway: paths, headers = {}}): Companion => {
          const prefixed = paths.map(path => `/${kind}${path}`);
          return {
            name: `${kind}, ${name}`,
            isMixed: true,
            play: ({traces: base}, seconds) => load(base, prefixed, {connections, seconds, headers}),
          };
        }),
    ),
    {
      name: `rankings of ${metrics.services * metrics.instances} instances`,
      isMixed: true,
      play: ({metrics: base}, seconds) =>
        load(base, [`/api/v1/query_range?query=${encodeURIComponent(ranking)}&${hour}`], {connections: 1, seconds}),
    },
    {
      name: 'the page of all agents',
      isMixed: true,
      play: ({diagnostics = ''}, seconds) => load(diagnostics, ['/metrics'], {connections: 1, seconds}),
    },
    {
      name: `ingest of ${SPANS_PER_SECOND} spans a second`,
      isMixed: true,
      play: ({ingest}, _seconds, stop) => ingestAtRate(ingest + INGEST_PATHS.compat, sent.values(), stop),
    },
    {name: 'ingest of samples in large bodies', play: ({ingest}, _seconds, stop) => ingestSamples(ingest, next, stop)},
  ];
}

/** Bodies of many minutes, one after the other. */
async function ingestSamples(ingest: string, shape: DatasetShape, stop: AbortSignal): Promise<void> {
  const lines = recordLines(shape);
  while (!stop.aborted) {
    let body = '';
    while (body.length < LARGE_BODY) body += lines.next().value;
    const response = await fetch(`${ingest}/ingest/v1/metrics`, {method: 'POST', body});
    if (response.status !== 202) throw new Error(`ingest answered ${response.status}: ${await response.text()}`);
  }
}

const LARGE_BODY = 40e6;

async function measure(
  gateway: RunningGateway,
  {start, minutes}: DatasetShape,
  seconds: number,
  {play}: Companion,
): Promise<readonly number[]> {
  const instance = `layer='${LAYER}',service='${serviceName(0)}',service_instance='${instanceName(0, 0)}'`;
  const query = encodeURIComponent(`instance_cpm{${instance}}`);
  const probed = await probe(`${gateway.metrics}/api/v1/query?query=${query}&time=${start + (minutes - 1) * 60}`);
  await longestHold(gateway);
  const stop = new AbortController();
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, anonymousMegabytes(gateway.pid));
  }, 50);
  setTimeout(() => stop.abort(), seconds * 1000);
  try {
    await play(gateway, seconds, stop.signal);
  } finally {
    clearInterval(watch);
  }
  const times = await probed();
  const {p50, p99} = percentiles(times);
  return [p50, p99, Math.max(...times), await longestHold(gateway), peak];
}

/** How far apart the gateway looks at its event loop. */
const BETWEEN_LOOKS_MS = 10;

/** Milliseconds since the last time that this was asked. */
async function longestHold({admin}: RunningGateway): Promise<number> {
  const page = await (await fetch(`${admin}/metrics`)).text();
  const [, seconds] = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(page) ?? [];
  return Math.max(0, Number(seconds) * 1000 - BETWEEN_LOOKS_MS);
}
