import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {startGateway} from './support/gateway.js';
import {probe} from './support/prober.js';
import {printTable} from './support/table.js';

const COUNT = 250_000;
const TICKS_PER_SECOND = 100;

interface Kind {
  readonly name: string;
  /** What the declaration of the metric says. */
  readonly metric: object;
  /** What names the series in its sample. */
  names(i: number): object;
}

const KINDS: readonly Kind[] = [
  {name: 'services', metric: {scope: 'Service', kind: 'common'}, names: i => ({service: `service-${i}`})},
  {
    name: 'endpoints of one service',
    metric: {scope: 'Endpoint', kind: 'common'},
    names: i => ({service: 'agent::songs', endpoint: `GET:/songs/${i}`}),
  },
  {
    name: 'instances of one service',
    metric: {scope: 'ServiceInstance', kind: 'common'},
    names: i => ({service: 'agent::songs', serviceInstance: `instance-${i}@10.0.0.1`}),
  },
  {
    name: 'sets of labels of one service',
    metric: {scope: 'Service', kind: 'labeled', valueLabels: ['p']},
    names: i => ({service: 'agent::songs', labels: {p: `value-${i}`}}),
  },
];

/** Of the main thread of a process, which serves; fields 14 and 15 of its `stat`, behind the name in parentheses. */
async function servingSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/task/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function bodyOf({metric, names}: Kind, time: number): string {
  const lines = [JSON.stringify({record: 'metric', name: 'load', ...metric})];
  for (let i = 0; i < COUNT; i++) {
    lines.push(JSON.stringify({record: 'sample', metric: 'load', layer: 'GENERAL', ...names(i), time, value: i % 100}));
  }
  return lines.join('\n');
}

async function measure(kind: Kind): Promise<(string | number)[]> {
  const folder = await mkdtemp(join(tmpdir(), 'query-gateway-bench-'));
  const gateway = await startGateway(folder);
  try {
    const body = bodyOf(kind, Math.floor(Date.now() / 60_000) * 60);
    const stop = await probe(`${gateway.admin}/-/ready`);
    const before = await servingSeconds(gateway.pid);
    const begun = performance.now();
    const response = await fetch(`${gateway.ingest}/ingest/v1/metrics`, {method: 'POST', body});
    const seconds = (performance.now() - begun) / 1000;
    if (response.status !== 202) throw new Error(`ingest answered ${response.status}: ${await response.text()}`);
    const serving = (await servingSeconds(gateway.pid)) - before;
    return [kind.name, body.length / 1e6, seconds, serving, COUNT / serving, Math.max(...(await stop()))];
  } finally {
    await gateway.stop();
    await rm(folder, {recursive: true, force: true});
  }
}

/** What a body costs in which every sample is the first of its series. */
export async function benchNewSeries(): Promise<void> {
  const rows: (string | number)[][] = [];
  for (const kind of KINDS) rows.push(await measure(kind));
  const titles = ['new', 'MB', 'seconds', 'serving thread, s', 'series/s of it', 'longest small request, ms'];
  printTable(titles, rows);
}
