import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {makeOwner} from '../test/support/owner.js';
import {startPostgres} from '../test/support/servers/postgres.js';
import {ROOT, readyLine, start} from './support/processes.js';
import {printTable} from './support/table.js';
import {load} from './support/wrk.js';

const CONNECTIONS = 16;
/**
 * Each way is measured so many times, in turns, after so many times as long: of several workers each is asked less, and
 * compiles later. The best turn is told: what else the machine does only makes it worse.
 */
const ROUNDS = 5;
const WARM_UP = 6;
const WORKERS = [1, 2];
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], {encoding: 'utf8'}));
const MINUTE = Math.floor(Date.now() / 60_000) * 60 - 60;

const CASES: readonly (readonly [name: string, listener: 'metrics' | 'admin', path: string])[] = [
  ['/-/healthy, no storage', 'admin', '/-/healthy'],
  [
    'instant, 1 series',
    'metrics',
    `/api/v1/query?time=${MINUTE}&query=${encodeURIComponent("service_cpm{layer='GENERAL',service='songs'}")}`,
  ],
];

/** The same requests, on connections that are kept, of one process and of several, by the processor time of all of them. */
export async function benchWorkers(seconds: number): Promise<void> {
  const {owner, end} = makeOwner();
  const folder = await mkdtemp(join(tmpdir(), 'query-gateway-bench-'));
  try {
    const server = await startPostgres(owner);
    const rows: string[][] = [];
    const gateways = await Promise.all(WORKERS.map(workers => startGateway(folder, workers, server.url())));
    await fill(gateways[0]?.urls.ingest ?? '');
    for (const [name, listener, path] of CASES) {
      const turns = WORKERS.map(() => [] as {perSecond: number; perProcessorSecond: number}[]);
      for (const {urls} of gateways)
        await load(urls[listener], [path], {connections: CONNECTIONS, seconds: seconds * WARM_UP});
      for (let round = 0; round < ROUNDS; round++) {
        for (const [at, {urls, processorSeconds}] of gateways.entries()) {
          const before = processorSeconds();
          const {requestsPerSecond} = await load(urls[listener], [path], {connections: CONNECTIONS, seconds});
          const used = processorSeconds() - before;
          turns[at]?.push({
            perSecond: requestsPerSecond,
            perProcessorSecond: (requestsPerSecond * seconds) / used,
          });
        }
      }
      const best = (values: readonly number[]): string => Math.round(Math.max(...values)).toLocaleString('en');
      for (const [at, workers] of WORKERS.entries()) {
        const all = turns[at] ?? [];
        rows.push([
          name,
          String(workers),
          best(all.map(({perSecond}) => perSecond)),
          best(all.map(({perProcessorSecond}) => perProcessorSecond)),
        ]);
      }
    }
    for (const gateway of gateways) await gateway.stop();
    printTable(['case', 'workers', 'requests/s', 'requests per processor second'], rows);
  } finally {
    await end();
    await rm(folder, {recursive: true, force: true});
  }
}

async function startGateway(folder: string, workers: number, url: string) {
  const listeners = Object.fromEntries(
    ['metrics', 'ingest', 'admin'].map(name => [name, {host: '127.0.0.1', port: 0}]),
  );
  const plugins = [
    {use: 'promql-subset', listener: 'metrics'},
    {use: 'ingest', listener: 'ingest'},
  ];
  const file = join(folder, `${workers}.json`);
  await writeFile(file, JSON.stringify({workers, listeners, storage: {use: 'postgres', config: {url}}, plugins}));
  const child = start(process.execPath, [join(ROOT, 'dist/core/cli/main.js'), 'serve', '--config', file], folder);
  const {listeners: urls} = await readyLine<{listeners: Record<'metrics' | 'ingest' | 'admin', string>}>(child);
  const pids = [child.pid ?? 0, ...childrenOf(child.pid ?? 0)];
  const processorSeconds = (): number => pids.reduce((sum, pid) => sum + secondsOf(pid), 0);
  return {urls, processorSeconds, stop: () => child.stop()};
}

async function fill(ingest: string): Promise<void> {
  const body = `{"record":"metric","name":"service_cpm","scope":"Service","kind":"common"}
{"record":"sample","metric":"service_cpm","layer":"GENERAL","service":"songs","time":${MINUTE},"value":6}
`;
  const {status} = await fetch(`${ingest}/ingest/v1/metrics`, {method: 'POST', body});
  if (status !== 202) throw new Error(`the sample was answered ${status}`);
}

function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/** User and system time of all threads of a process. */
function secondsOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}
