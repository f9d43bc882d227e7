import {setTimeout as sleep} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {type CompatSpan, GatewayError} from '../../../core/api/adapter.js';
import {suiteWith} from '../../support/programs.js';
import {type PostgresServer, startPostgres, startStandby} from '../../support/servers/postgres.js';
import {Relay} from '../../support/servers/relay.js';
import {plain} from '../support/answers.js';
import {metric} from '../support/batches.js';
import {call} from '../support/calls.js';
import {Harness} from './harness.js';

const START = 1_700_000_040;
const load = metric('load');
const entity = {layer: 'L', service: 'a'};
const at = (minute: number, value: number, name = 'load') => ({metric: name, entity, time: START + minute * 60, value});
const span = (id: string): CompatSpan => ({
  traceId: 'a'.repeat(16),
  id,
  name: id,
  timestamp: START * 1e6,
  localEndpoint: {serviceName: 'a'},
  annotations: [],
  tags: new Map(),
});

async function values({metrics}: Harness, definition = load): Promise<unknown> {
  const window = {step: 'minute', first: START, count: 3} as const;
  const request = {metric: definition, entity, valueFilters: new Map(), window};
  return (await metrics.values(request, call)).map(plain)[0]?.values;
}

const spansOf = async ({compat}: Harness): Promise<number | undefined> =>
  (await compat.trace('a'.repeat(16), call))?.spans.length;

/** A gateway's storage that reaches its server by an address which can move, and a server that follows that one. */
async function cluster(t: ExecutionContext) {
  const primary = await startPostgres(t);
  const relay = await Relay.to(t, primary.port);
  const url = primary.url('postgres', 'postgres', relay.port);
  const harness = await Harness.open(t, primary, {url});
  await harness.write({metrics: [load], samples: [at(0, 1)]});
  await harness.spans.write([span('1')], call);
  const standby = await startStandby(t, primary);
  return {primary, standby, relay, harness, url};
}

/** Waits until the standby has all that the primary has now. */
async function caughtUp(primary: PostgresServer, standby: PostgresServer): Promise<void> {
  const [{lsn} = {}] = await primary.sql('SELECT pg_current_wal_lsn() AS lsn');
  const isThere = async (): Promise<boolean> =>
    (await standby.sql('SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS yes', [lsn]))[0]?.yes === true;
  while (!(await isThere())) await sleep(20);
}

async function refused(t: ExecutionContext, work: Promise<unknown>): Promise<void> {
  const error = await t.throwsAsync(work, {instanceOf: GatewayError, message: /is a standby and takes no writes/});
  t.is(error?.code, 'storage_unavailable');
}

suiteWith(test, 'postgres', 'a PostgreSQL server that is a hot standby', () => {
  test('it answers queries, refuses writes and starts, and takes writes once it is promoted', async t => {
    const {primary, standby, relay, harness, url} = await cluster(t);
    await harness.write({samples: [at(1, 2)]});
    await caughtUp(primary, standby);
    relay.moveTo(standby.port);
    t.deepEqual(await values(harness), [1, 2, null]);
    t.is(await spansOf(harness), 1);
    await refused(t, harness.write({samples: [at(2, 3)]}));
    await refused(t, harness.write({metrics: [metric('other')]}));
    await refused(t, harness.spans.write([span('2')], call));
    t.like(await harness.storage.health(call.signal), {status: 'degraded'});
    await refused(t, new Harness({url}).start());

    await primary.stop();
    await standby.sql('SELECT pg_promote()');
    await harness.write({samples: [at(2, 3)]});
    await harness.spans.write([span('2')], call);
    t.deepEqual(await values(harness), [1, 2, 3]);
    t.is(await spansOf(harness), 2);
    t.is((await harness.storage.health(call.signal)).status, 'ok');
  });

  test('nothing is remembered of what the old primary had and the promoted one has never got', async t => {
    const {primary, standby, relay, harness} = await cluster(t);
    await standby.stop();
    const [lost, other] = [metric('lost'), metric('other')];
    await harness.write({metrics: [lost], samples: [at(1, 2), at(1, 2, 'lost')]});
    await primary.stop();
    await standby.process.start();
    await standby.sql('SELECT pg_promote()');
    relay.moveTo(standby.port);
    t.deepEqual(await values(harness), [1, null, null]);
    // The catalog has as many changes now as the old primary's had.
    await harness.write({metrics: [other], samples: [at(2, 5, 'other')]});
    const declared = await harness.writer.declared(call);
    t.deepEqual(
      declared.map(({name}) => name),
      ['load', 'other'],
    );
    t.deepEqual(await values(harness, other), [null, null, 5]);
    await t.throwsAsync(harness.write({samples: [at(2, 7, 'lost')]}), {message: /lost/});
    await harness.write({metrics: [lost], samples: [at(2, 7, 'lost')]});
    t.deepEqual(await values(harness, lost), [null, null, 7]);
  });
});
