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
import {printTable} from './support/table.js';
import {load} from './support/wrk.js';

const CONNECTIONS = 16;
/** In turns, so that what else the machine does meets all alike. The best turn is told. */
const ROUNDS = 5;
/** Milliseconds by which the answers of a slow secondary are late. */
const SLOW = 2000;
/** The cheapest reads, on which whatever a tee adds weighs most. */
const CASES = ['instant, 1 series', 'range 1 h, 1 series', 'label values, 10 instances'];

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
      const ask = async (of: keyof typeof gateways): Promise<number> =>
        (await load(gateways[of].metrics, paths, {connections: CONNECTIONS, seconds})).requestsPerSecond;
      for (const of of ['alone', 'tee'] as const) await ask(of);
      const best = {alone: 0, tee: states.map(() => 0)};
      for (let round = 0; round < ROUNDS; round++) {
        best.alone = Math.max(best.alone, await ask('alone'));
        for (const [at, [, enter]] of states.entries()) {
          enter();
          best.tee[at] = Math.max(best.tee[at] ?? 0, await ask('tee'));
        }
        relay.heal();
      }
      const shares = best.tee.map(each => `${Math.round((each / best.alone) * 100)} %`);
      rows.push([name, Math.round(best.alone).toLocaleString('en'), ...shares]);
    }
    for (const gateway of Object.values(gateways)) await gateway.stop();
    printTable(['read', 'alone, requests/s', ...states.map(([name]) => `secondary ${name}`)], rows);
  } finally {
    await end();
    await rm(folder, {recursive: true, force: true});
  }
}
