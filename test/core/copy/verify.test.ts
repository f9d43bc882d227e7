import test from 'ava';
import type {CompatSpan, Readers} from '../../../core/api/adapter.js';
import type {CopyKind} from '../../../core/copy/kind.js';
import {COPY_KINDS} from '../../../core/copy/kinds.js';
import {verifyKind} from '../../../core/copy/verify/verify.js';
import {call} from '../../../storage-adapters/conformance/call.js';
import {createOracle} from '../../../storage-adapters/conformance/oracle/oracle.js';

const SPANS = 150;

const spanAt = (i: number, name = 'get'): CompatSpan => ({
  traceId: Math.floor(i / 3 + 1)
    .toString(16)
    .padStart(16, '0'),
  id: (i + 1).toString(16).padStart(16, '0'),
  name,
  timestamp: 1_700_000_040_000_000 + i,
  annotations: [],
  tags: new Map([['a', String(i)]]),
});

async function holding(spans: readonly CompatSpan[]): Promise<Required<Readers>> {
  const readers = createOracle();
  await readers['ingest.compat.v1'].write(spans, call);
  return readers;
}

for (const mostItems of [SPANS * 2, 40, 10]) {
  test(`what is missing, differs or is more is counted to the last, with ${mostItems} in memory at most`, async t => {
    const all = Array.from({length: SPANS}, (_, i) => spanAt(i));
    const lost = (i: number): boolean => i % 17 === 5;
    const changed = (i: number): boolean => i % 19 === 7 && !lost(i);
    const more = Array.from({length: 9}, (_, i) => spanAt(SPANS + i));
    const from = await holding(all);
    const to = await holding([...all.filter((_, i) => !lost(i)).map(span => span), ...more]);
    await to['ingest.compat.v1'].write(
      all.flatMap((_, i) => (changed(i) ? [spanAt(i, 'put')] : [])),
      call,
    );
    const kind = COPY_KINDS.find(({name}) => name === 'compat') as CopyKind;
    const tally = await verifyKind(kind, {from, to, window: {}, onPage: () => undefined, call, mostItems});
    const count = (is: (i: number) => boolean): number => all.filter((_, i) => is(i)).length;
    const [missing, differing] = [count(lost), count(changed)];
    t.true(missing > 5 && differing > 5);
    const {equal, more: beyond, examples} = tally;
    t.deepEqual(
      {equal, missing: tally.missing, differing: tally.differing, beyond, examples: examples.length},
      {equal: SPANS - missing - differing, missing, differing, beyond: 9, examples: 10},
    );
  });
}
