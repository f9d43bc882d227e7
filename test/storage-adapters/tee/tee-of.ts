import type {AdapterDefinition, Counter, Labelled, Meter, NestedStorage} from '../../../core/api/adapter.js';
import type {ComparerLimits} from '../../../storage-adapters/tee/compare/comparer.js';
import type {TeeConfig} from '../../../storage-adapters/tee/config.js';
import {TeeStorage} from '../../../storage-adapters/tee/storage.js';
import type {MemoryConfig} from '../../fixtures/memory-adapter.js';

/** Everything is compared, at once. */
export const ALL: ComparerLimits = {
  atOnce: 8,
  waiting: 1_000_000,
  perSecond: 1_000_000,
  pauses: [5, 20],
};

/** What became of comparisons: `traces.compat.v1 equal` → how many. */
export type Tally = Map<string, number>;

const nothing = {add: () => undefined, set: () => undefined, observe: () => undefined};
const none = {with: () => nothing};

/** Counts what tees tell of their comparisons, and of writes that failed. */
export function tallying(tally: Tally): Meter {
  const counter = (name: string): Labelled<Counter> => ({
    with: ({capability = '', result = 'failed'}) => ({
      add: (amount = 1) => {
        if (!name.startsWith('query_gateway_tee')) return;
        const key = `${capability} ${result}`.trim();
        tally.set(key, (tally.get(key) ?? 0) + amount);
      },
    }),
  });
  return {counter, gauge: () => none, histogram: () => none};
}

/** A tee as an adapter for the kit: `config` of each storage is made of the name of the store. */
export function teeOf(
  primary: AdapterDefinition,
  secondary: AdapterDefinition,
  {
    tally,
    secondaryWrites = 'required',
  }: {readonly tally: Tally; readonly secondaryWrites?: TeeConfig['secondaryWrites']},
): AdapterDefinition {
  const adapter: AdapterDefinition<{readonly primary: object; readonly secondary: object}> = {
    kind: 'storage-adapter',
    apiVersion: 1,
    name: 'tee',
    configSchema: {
      type: 'object',
      properties: {
        primary: {type: 'object', additionalProperties: true, description: 'The one.'},
        secondary: {type: 'object', additionalProperties: true, description: 'The other.'},
      },
    },
    create: ({config, log}) => {
      const meter = tallying(tally);
      const part = (definition: AdapterDefinition, own: object): NestedStorage => ({definition, config: own});
      const parts = {primary: part(primary, config.primary), secondary: part(secondary, config.secondary)};
      const storages = {
        primary: primary.create({config: config.primary, log, meter}),
        secondary: secondary.create({config: config.secondary, log, meter}),
      };
      const tee = new TeeStorage({config: {...parts, secondaryWrites, compare: {share: 1}}, log, meter, storages}, ALL);
      // The kit stops an adapter with its last question, which is to be compared too.
      return {
        start: signal => tee.start(signal),
        health: signal => tee.health(signal),
        stop: async () => {
          await tee.settled();
          await tee.stop();
        },
      };
    },
  };
  return adapter;
}

/** The memory adapter's configuration, complete. */
export function memoryConfig(space: string): MemoryConfig {
  return {space, compatSpans: [], segments: [], pause: 0, without: []};
}

/** Two memories for a store of the kit. */
export const memories = ({name}: {readonly name: string}) => ({
  config: {primary: memoryConfig(`${name}_primary`), secondary: memoryConfig(`${name}_secondary`)},
});
