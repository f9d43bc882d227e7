import type {CapabilityName} from '../../../core/api/adapter.js';
import {call} from '../call.js';
import type {Group} from '../group.js';
import type {TestContext} from '../runner.js';
import type {Subject} from '../subject.js';
import {writeAndKill} from '../writer/kill.js';
import {
  compatId,
  DECLARATIONS,
  LAYER,
  METRIC,
  nativeId,
  ROUNDS,
  SERVICES,
  START,
  serviceOf,
  UNITS,
  type Written,
} from '../writer/rounds.js';

type Check = (t: TestContext, subject: Subject, rounds: number) => Promise<void>;

/** Whether every round from 0 up to `rounds` is there, whole. */
const CHECKS: Readonly<Record<Written, Check>> = {
  metrics: async (t, subject, rounds) => {
    const window = {step: 'minute', first: START, count: rounds} as const;
    const metric = await subject.metric(METRIC);
    for (let i = 0; i < SERVICES; i++) {
      const entity = {layer: LAYER, service: serviceOf(i)};
      const [column] = await subject.metrics.values({metric, entity, valueFilters: new Map(), window}, call);
      const expected = Array.from({length: rounds}, (_, round) => round * 100 + i);
      t.deepEqual([...(column?.values ?? [])], expected, `minutes of ${serviceOf(i)}`);
    }
  },
  compat: async (t, {compat}, rounds) => {
    for (let round = 0; round < rounds; round++) {
      t.is((await compat.trace(compatId(round), call))?.spans.length, UNITS, `spans of trace ${round}`);
    }
  },
  native: async (t, {native}, rounds) => {
    for (let round = 0; round < rounds; round++) {
      t.is((await native.trace(nativeId(round), call))?.segments.length, UNITS, `segments of trace ${round}`);
    }
  },
};

function durability(
  what: Written,
  needs: readonly CapabilityName[],
  title: string,
  restarted: string,
): readonly Group[] {
  const killing: Group = {
    name: `${what}_killed`,
    needs,
    manual: true,
    kills: true,
    tests: {
      [title]: async (t, subject) => {
        const {module = '', expects} = subject.options;
        let first = 0;
        for (const rounds of [5, 17]) {
          const order = {module, config: subject.store.config, expects, what, first};
          first = (await writeAndKill(order, rounds)) + 1;
          await subject.start();
          await CHECKS[what](t, subject, first);
          await subject.stop();
        }
      },
    },
  };
  const restarting: Group = {
    name: `${what}_restarted`,
    needs,
    tests: {
      [restarted]: async (t, subject) => {
        const rounds = 6;
        await subject.write(DECLARATIONS[what]);
        for (let round = 0; round < rounds; round++) await subject.write(ROUNDS[what](round));
        await subject.restart();
        await CHECKS[what](t, subject, rounds);
        await subject.write(ROUNDS[what](rounds));
        await CHECKS[what](t, subject, rounds + 1);
      },
    },
  };
  return [killing, restarting];
}

export const DURABILITY: readonly Group[] = [
  ...durability(
    'metrics',
    ['metrics.query.v1', 'ingest.metrics.v1'],
    'every batch of metric records that was acknowledged survives the kill of the process',
    'metric records are there after a restart, and writing goes on',
  ),
  ...durability(
    'compat',
    ['traces.compat.v1', 'ingest.compat.v1'],
    'every batch of compat spans that was acknowledged survives the kill of the process',
    'compat spans are there after a restart, and writing goes on',
  ),
  ...durability(
    'native',
    ['traces.native.v2', 'ingest.native.v1'],
    'every batch of native segments that was acknowledged survives the kill of the process',
    'native segments are there after a restart, and writing goes on',
  ),
];
