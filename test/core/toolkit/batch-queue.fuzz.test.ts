import {setImmediate as turn} from 'node:timers/promises';
import test from 'ava';
import fc from 'fast-check';
import {GatewayError} from '../../../core/api/adapter.js';
import {BatchQueue} from '../../../core/toolkit/batch-queue.js';
import {FUZZ_RUNS} from '../../support/fuzz.js';

interface Batch {
  readonly id: number;
  readonly size: number;
  /** Turns of the event loop before it is written. */
  readonly after: number;
  readonly goesAlone: boolean;
  /** What storing it fails with. */
  readonly fails: 'bad_request' | 'storage_unavailable' | undefined;
}

const batches: fc.Arbitrary<readonly Batch[]> = fc
  .array(
    fc.record({
      size: fc.nat(12),
      after: fc.nat(2),
      goesAlone: fc.oneof({weight: 5, arbitrary: fc.constant(false)}, fc.constant(true)),
      fails: fc.oneof(
        {weight: 8, arbitrary: fc.constant(undefined)},
        fc.constantFrom('bad_request' as const, 'storage_unavailable' as const),
      ),
    }),
    {maxLength: 20},
  )
  .map(all => all.map((batch, id) => ({id, ...batch})));

const limits = fc.record({limit: fc.integer({min: 1, max: 40}), together: fc.integer({min: 1, max: 20})});

const sum = (all: readonly Batch[]): number => all.reduce((total, {size}) => total + size, 0);
const codeOf = (error: unknown): string => GatewayError.from(error).code;

test('batches are stored once, in their order, within the limits; one that is refused takes no other with it', async t => {
  await fc.assert(
    fc.asyncProperty(batches, limits, async (all, {limit, together}) => {
      const groups: (readonly Batch[])[] = [];
      const stored: number[] = [];
      const unavailable = new Set<number>();
      let isStoring = false;
      const store = async (group: readonly Batch[]): Promise<void> => {
        t.false(isStoring, 'one after the other');
        isStoring = true;
        groups.push(group);
        await turn();
        isStoring = false;
        const failing = group.find(({fails}) => fails !== undefined);
        if (failing?.fails === 'storage_unavailable') for (const {id} of group) unavailable.add(id);
        if (failing?.fails !== undefined) throw new GatewayError(failing.fails, `batch ${failing.id}`);
        stored.push(...group.map(({id}) => id));
      };
      const size = (batch: Batch): number => batch.size;
      const goesAlone = (batch: Batch): boolean => batch.goesAlone;
      const queue = new BatchQueue<Batch>({storage: 'test', unit: 'rows', size, limit, together, goesAlone, store});

      const outcomes: Promise<string>[] = [];
      let outstanding = 0;
      for (const batch of all) {
        for (let i = 0; i < batch.after; i++) await turn();
        const isFull = outstanding > 0 && outstanding + batch.size > limit;
        outstanding += batch.size;
        const outcome = queue
          .write(batch)
          .then(() => 'stored', codeOf)
          .finally(() => {
            outstanding -= batch.size;
          });
        outcomes.push(outcome);
        if (!isFull) continue;
        t.is(await outcome, 'overloaded');
        await turn();
      }
      const results = await Promise.all(outcomes);
      await queue.settled();

      const idsOf = (result: string): number[] => all.map(({id}) => id).filter(id => results[id] === result);
      t.deepEqual(stored, idsOf('stored'));
      const refused = idsOf('bad_request');
      t.true(refused.every(id => all[id]?.fails === 'bad_request'));
      t.true(idsOf('storage_unavailable').every(id => unavailable.has(id)));
      for (const group of groups) {
        t.true(group.length === 1 || sum(group) <= together, `${sum(group)} together`);
        t.true(group.length === 1 || group.every(batch => !batch.goesAlone));
      }
    }),
    {numRuns: Math.ceil(FUZZ_RUNS / 10)},
  );
});

const plain = {
  storage: 'test',
  unit: 'rows',
  size: (rows: readonly string[]) => rows.length,
  limit: 4,
  together: 100,
};

test('what comes while others are stored goes together, and is told of', async t => {
  const groups: string[][] = [];
  const queued: number[] = [];
  const queue = new BatchQueue<readonly string[]>({
    ...plain,
    queued: count => queued.push(count),
    store: async group => {
      groups.push(group.flat());
      await turn();
    },
  });
  const first = queue.write(['a']);
  await Promise.resolve();
  await Promise.all([first, queue.write(['b']), queue.write(['c', 'd'])]);
  t.deepEqual(groups, [['a'], ['b', 'c', 'd']]);
  t.deepEqual(queued, [1, 0, 1, 2, 0]);
});

test('a batch is refused when too much waits, says what and how much, and fits again later', async t => {
  const queue = new BatchQueue<readonly string[]>({...plain, store: () => turn()});
  const first = queue.write(['a', 'b', 'c']);
  const refused = await t.throwsAsync(queue.write(['d', 'e']), {instanceOf: GatewayError});
  t.like(refused, {
    code: 'overloaded',
    message: 'the test storage has 3 rows waiting to be written, at most 4 may wait; send the batch again in a second',
  });
  await first;
  await queue.write(['d', 'e', 'f', 'g', 'h', 'i']);
});

test('what comes before the pace allows goes together', async t => {
  const groups: string[][] = [];
  let allow: () => void = () => undefined;
  const pace = (): Promise<void> => new Promise(resolve => (allow = resolve));
  const store = async (group: readonly (readonly string[])[]): Promise<void> => void groups.push(group.flat());
  const queue = new BatchQueue<readonly string[]>({...plain, pace, store});
  const writes = [queue.write(['a']), queue.write(['b'])];
  await turn();
  t.deepEqual(groups, []);
  allow();
  await Promise.all(writes);
  t.deepEqual(groups, [['a', 'b']]);
});

test('whoever asks for what came so far does not wait for what comes later', async t => {
  const queue = new BatchQueue<number>({
    storage: 'test',
    unit: 'rows',
    size: () => 1,
    limit: 100,
    together: 1,
    store: async () => {
      await turn();
    },
  });
  let isOver = false;
  const writeOn = async (): Promise<void> => {
    while (!isOver) await queue.write(0);
  };
  const writers = [writeOn(), writeOn()];
  await queue.settled();
  isOver = true;
  await Promise.all(writers);
  t.pass();
});
