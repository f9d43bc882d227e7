import {setImmediate as turn} from 'node:timers/promises';
import test from 'ava';
import {GatewayError} from '../../../core/api/errors.js';
import type {CopyState} from '../../../core/copy/checkpoint.js';
import {type CopyOptions, copyKinds} from '../../../core/copy/copy.js';
import type {CopyKind, CopyPage} from '../../../core/copy/kind.js';
import {Throttle} from '../../../core/copy/throttle.js';
import {call} from '../../../storage-adapters/conformance/call.js';

const PAGES = 8;
const BEGUN: CopyState = {version: 1, from: '', to: '', since: null, until: null, extent: null, kinds: {}};

/** A kind of eight pages. `write` stores one; those of `kept` hold hours. */
function kindOf(write: (page: number) => Promise<void>, kept: readonly number[] = []): CopyKind {
  const page = (n: number) =>
    ({
      resume: String(n),
      counts: {things: 1},
      units: 1,
      position: undefined,
      seen: undefined,
      write: () => write(n),
      visit: () => undefined,
      kept: kept.includes(n) ? {} : undefined,
    }) as unknown as CopyPage;
  return {
    name: 'things',
    async *pages(_: unknown, {after}: {readonly after?: string}) {
      for (let n = after === undefined ? 0 : Number(after) + 1; n < PAGES; n++) yield page(n);
    },
  } as unknown as CopyKind;
}

const optionsOf = (more: Partial<CopyOptions> = {}): CopyOptions => ({
  from: {},
  to: {},
  window: {},
  throttle: new Throttle(),
  save: async () => undefined,
  onPage: () => undefined,
  call,
  ...more,
});

const afterOf = ({kinds}: CopyState): number => Number(kinds.things?.after ?? -1);

test('several pages are written at a time, but the first and those with hours alone, and what is noted has come before', async t => {
  const [underWay, ended] = [new Set<number>(), new Set<number>()];
  const beside = new Map<number, number>();
  const kind = kindOf(
    async n => {
      underWay.add(n);
      for (const other of underWay) beside.set(other, Math.max(beside.get(other) ?? 0, underWay.size));
      // The later ones end first.
      for (let i = n % 3; i < 4; i++) await turn();
      underWay.delete(n);
      ended.add(n);
    },
    [5],
  );
  const told: number[] = [];
  const saved: CopyState[] = [];
  let isSaving = false;
  await copyKinds([kind], BEGUN, {
    ...optionsOf({onPage: (_, {resume}) => void told.push(Number(resume))}),
    save: async state => {
      t.false(isSaving, 'one at a time');
      for (let n = 0; n <= afterOf(state); n++) t.true(ended.has(n), `${n} is noted and not there`);
      isSaving = true;
      await turn();
      isSaving = false;
      saved.push(state);
    },
  });
  t.deepEqual(told, [0, 1, 2, 3, 4, 5, 6, 7]);
  t.deepEqual(saved.at(-1)?.kinds, {things: {after: '7', ended: true, counts: {things: 8}}});
  t.deepEqual([beside.get(0), beside.get(5)], [1, 1]);
  t.is(Math.max(...beside.values()), 3);
});

test('a page that fails for a passing reason is read and written again, with those behind it', async t => {
  const written: number[] = [];
  let failures = 2;
  const kind = kindOf(async n => {
    await turn();
    if (n === 3 && failures-- > 0) throw new GatewayError('overloaded', 'later');
    written.push(n);
  });
  let last = BEGUN;
  const save = async (state: CopyState): Promise<void> => {
    last = state;
  };
  await copyKinds([kind], BEGUN, optionsOf({save}));
  t.deepEqual([...new Set(written)].sort(), [0, 1, 2, 3, 4, 5, 6, 7]);
  t.is(last.kinds.things?.counts.things, 8, 'what was written twice is counted once');
});

test('what fails for good ends the copy, and the pages before it are noted', async t => {
  const kind = kindOf(async n => {
    if (n === 4) throw new GatewayError('bad_request', 'no');
    await turn();
  });
  let last = BEGUN;
  const save = async (state: CopyState): Promise<void> => {
    last = state;
  };
  await t.throwsAsync(copyKinds([kind], BEGUN, optionsOf({save})), {message: 'no'});
  t.is(afterOf(last), 3);
});

test('a state that cannot be saved ends the copy', async t => {
  const written: number[] = [];
  const kind = kindOf(async n => {
    await turn();
    written.push(n);
  });
  const save = () => Promise.reject(new Error('no space'));
  await t.throwsAsync(copyKinds([kind], BEGUN, optionsOf({save})), {message: 'no space'});
  t.true(written.length < PAGES, String(written));
});
