import {createHash} from 'node:crypto';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {hashSync} from 'bcryptjs';
import {LOCAL_NAMES, TestAuthority} from '../test/support/certificates.js';
import {metricCases} from './support/cases.js';
import type {DatasetShape} from './support/dataset.js';
import {fillEmbedded} from './support/embedded.js';
import {percentiles, timed} from './support/percentiles.js';
import {ROOT, readyLine, start} from './support/processes.js';
import {printTable} from './support/table.js';
import {load} from './support/wrk.js';

const CONNECTIONS = 16;
/** Each way is measured so many times, in turns. The best one is told: what else the machine does only makes it worse. */
const ROUNDS = 5;
const FILL_MILLISECONDS = 5000;
const CASES = ['instant, 1 series', 'range 1 h, 1 series'];
/** At the cost that `htpasswd -B` is told to use for servers. */
const BCRYPT_COST = 10;
const [USER, PASSWORD, TOKEN] = ['ops', 'a password', 'qg_a-token-of-a-benchmark'] as const;

const basic = (password: string): string => `Basic ${Buffer.from(`${USER}:${password}`).toString('base64')}`;

interface Way {
  readonly name: string;
  /** The listener, each with the same plugin over the same storage. */
  readonly listener: 'plain' | 'asking' | 'tls' | 'both';
  readonly authorization?: string;
}

const WAYS: readonly Way[] = [
  {name: 'plain', listener: 'plain'},
  {name: 'token', listener: 'asking', authorization: `Bearer ${TOKEN}`},
  {name: 'password, warm', listener: 'asking', authorization: basic(PASSWORD)},
  {name: 'TLS', listener: 'tls'},
  {name: 'TLS + token', listener: 'both', authorization: `Bearer ${TOKEN}`},
  {name: 'TLS + password, warm', listener: 'both', authorization: basic(PASSWORD)},
];

/**
 * The same queries on keep-alive connections with and without TLS and credentials, in turns, and what a small query waits
 * while passwords are checked that nobody knows.
 */
export async function benchAccess(shape: DatasetShape, seconds: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'query-gateway-bench-'));
  try {
    await fillEmbedded(folder, shape);
    const gateway = await startGateway(folder);
    try {
      await setTimeout(FILL_MILLISECONDS);
      await measureWays(gateway, shape, seconds);
      await measureChecks(gateway.urls, shape, seconds);
    } finally {
      await gateway.stop();
    }
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

async function startGateway(folder: string) {
  const tls = new TestAuthority(folder).issue({name: 'gateway', names: LOCAL_NAMES});
  const address = {host: '127.0.0.1', port: 0};
  const listeners = {
    plain: {...address, access: 'open'},
    asking: address,
    tls: {...address, tls, access: 'open'},
    both: {...address, tls},
  };
  const sha256 = createHash('sha256').update(TOKEN).digest('hex');
  const config = {
    listeners,
    access: {
      tokens: [{name: 'bench', sha256, rights: ['read']}],
      users: [{name: USER, password: hashSync(PASSWORD, BCRYPT_COST), rights: ['read']}],
    },
    storage: {use: 'embedded', config: {path: join(folder, 'embedded')}},
    plugins: Object.keys(listeners).map(listener => ({use: 'promql-subset', listener})),
  };
  const file = join(folder, 'gateway.config.json');
  await writeFile(file, JSON.stringify(config));
  const child = start(process.execPath, [join(ROOT, 'dist/core/cli/main.js'), 'serve', '--config', file], folder);
  const {listeners: urls} = await readyLine<{listeners: Record<Way['listener'], string>}>(child);
  return {urls, pid: child.pid ?? 0, stop: () => child.stop()};
}

interface Turn {
  readonly rate: number;
  /** Microseconds of processor time of the gateway per request: what others do on the machine changes it little. */
  readonly cost: number;
}

async function measureWays(
  {urls, pid}: {readonly urls: Record<Way['listener'], string>; readonly pid: number},
  shape: DatasetShape,
  seconds: number,
): Promise<void> {
  const rows: (string | number)[][] = [];
  for (const {name, gateway: paths} of metricCases(shape).filter(one => CASES.includes(one.name))) {
    const measured = new Map<Way, Turn[]>(WAYS.map(way => [way, []]));
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [way, turns] of measured) {
        const headers = way.authorization === undefined ? {} : {authorization: way.authorization};
        const before = await processorMicroseconds(pid);
        const {requestsPerSecond: rate} = await load(urls[way.listener], paths, {
          connections: CONNECTIONS,
          seconds,
          headers,
        });
        const cost = ((await processorMicroseconds(pid)) - before) / (rate * seconds);
        // The first round is for the compiler.
        if (round > 0) turns.push({rate, cost});
      }
    }
    const best = [...measured].map(([way, turns]) => ({
      way,
      rate: Math.max(...turns.map(turn => turn.rate)),
      cost: Math.min(...turns.map(turn => turn.cost)),
    }));
    const [plain] = best;
    for (const {way, rate, cost} of best)
      rows.push([name, way.name, rate, rate / (plain?.rate ?? 1), cost, (plain?.cost ?? 1) / cost]);
  }
  process.stdout.write(`best of ${ROUNDS} turns, ${CONNECTIONS} connections that are kept\n`);
  printTable(['query', 'way', 'requests/s', 'of plain', 'processor µs/request', 'of plain, by that'], rows);
}

/** Of a process, all its threads, in steps of 10 ms. */
async function processorMicroseconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Of small queries one after the other, the time of each; alone, and beside senders of wrong passwords. */
async function measureChecks(
  urls: Record<Way['listener'], string>,
  shape: DatasetShape,
  seconds: number,
): Promise<void> {
  const [path = ''] = metricCases(shape)[0]?.gateway ?? [];
  const rows: (string | number)[][] = [];
  for (const senders of [0, 8]) {
    const end = performance.now() + seconds * 1000;
    let checks = 0;
    const wrong = Array.from({length: senders}, async () => {
      while (performance.now() < end) {
        const headers = {authorization: basic(`wrong ${checks++}`)};
        await (await fetch(urls.asking + path, {headers})).arrayBuffer();
      }
    });
    const times: number[] = [];
    while (performance.now() < end) times.push(await timed(async () => (await fetch(urls.plain + path)).arrayBuffer()));
    await Promise.all(wrong);
    const {p50, p99} = percentiles(times);
    rows.push([senders === 0 ? 'alone' : `${senders} senders`, checks, p50, p99, Math.max(...times)]);
  }
  process.stdout.write('a small query while wrong passwords are checked, milliseconds\n');
  printTable(['wrong passwords', 'checked', 'p50', 'p99', 'longest'], rows);
}
