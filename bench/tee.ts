import {cp, mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {makeOwner} from '../test/support/owner.js';
import {startPostgres} from '../test/support/servers/postgres.js';
import {Relay} from '../test/support/servers/relay.js';
import {metricCases} from './support/cases.js';
import type {DatasetShape} from './support/dataset.js';
import {fillEmbedded} from './support/embedded.js';
import {startGateway} from './support/gateway.js';
import {processorSeconds} from './support/memory.js';
import {printTable} from './support/table.js';
import {load} from './support/wrk.js';

const CONNECTIONS = 16;
/**
 * In turns, so that what else the machine does meets all alike. Of requests a second the best turn is told, and of those per
 * second of the gateway's processor time, which a busy machine changes less, the median.
 */
const ROUNDS = 5;
/** Milliseconds by which the answers of a slow secondary are late. */
const SLOW = 2000;
/** The cheapest reads, on which whatever a tee adds weighs most. */
const CASES = ['instant, 1 series', 'range 1 h, 1 series', 'label values, 10 instances'];

interface Turn {
  readonly rate: number;
  /** Requests per second of the processor. */
  readonly frugality: number;
}

/** Reads of an embedded storage, alone and as the primary of a tee whose secondary, PostgreSQL, is well, slow and gone. */
export async function benchTee(shape: DatasetShape, seconds: number): Promise<void> {
  const {owner, end} = makeOwner();
  const folder = await mkdtemp(join(tmpdir(), 'query-gateway-bench-'));
  try {
    const [alone, both] = [join(folder, 'alone'), join(folder, 'tee')];
    await fillEmbedded(alone, shape);
    await cp(alone, both, {recursive: true});
    const server = await startPostgres(owner);
    const url = new URL(server.url());
    const relay = await Relay.to(owner, Number(url.port));
    url.port = String(relay.port);
    const secondary = {use: 'postgres', config: {url: url.href}};
    const primary = {use: 'embedded', config: {path: join(both, 'embedded')}};
    const tee = {use: 'tee', config: {primary, secondary, secondaryWrites: 'best-effort'}};
    const gateways = {alone: await startGateway(alone), tee: await startGateway(both, {}, tee)};
    const states: readonly (readonly [name: string, enter: () => void])[] = [
      ['there', () => relay.heal()],
      [`${SLOW} ms late`, () => relay.slow(SLOW)],
      ['gone', () => relay.refuse()],
    ];
    const rows: (string | number)[][] = [];
    for (const {name, gateway: paths} of metricCases(shape).filter(({name}) => CASES.includes(name))) {
      const ask = async (of: keyof typeof gateways): Promise<Turn> => {
        const {metrics, pid} = gateways[of];
        const before = processorSeconds(pid);
        const {requestsPerSecond} = await load(metrics, paths, {connections: CONNECTIONS, seconds});
        return {rate: requestsPerSecond, frugality: (requestsPerSecond * seconds) / (processorSeconds(pid) - before)};
      };
      for (const of of ['alone', 'tee'] as const) await ask(of);
      const alone: Turn[] = [];
      const tee: Turn[][] = states.map(() => []);
      for (let round = 0; round < ROUNDS; round++) {
        alone.push(await ask('alone'));
        for (const [at, [, enter]] of states.entries()) {
          enter();
          tee[at]?.push(await ask('tee'));
        }
        relay.heal();
      }
      const shares = tee.map(
        turns => `${share(bestRate(turns), bestRate(alone))}, ${share(frugality(turns), frugality(alone))}`,
      );
      rows.push([name, Math.round(bestRate(alone)).toLocaleString('en'), ...shares]);
    }
    for (const gateway of Object.values(gateways)) await gateway.stop();
    process.stdout.write('with a tee: requests/s, requests per second of the processor; both of those alone\n');
    printTable(['read', 'alone, requests/s', ...states.map(([name]) => `secondary ${name}`)], rows);
  } finally {
    await end();
    await rm(folder, {recursive: true, force: true});
  }
}

function bestRate(turns: readonly Turn[]): number {
  return Math.max(...turns.map(({rate}) => rate));
}

function frugality(turns: readonly Turn[]): number {
  return turns.map(turn => turn.frugality).sort((a, b) => a - b)[turns.length >> 1] ?? 0;
}

function share(of: number, whole: number): string {
  return `${Math.round((of / whole) * 100)} %`;
}
