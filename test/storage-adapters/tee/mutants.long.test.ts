import test from 'ava';
import {CAPABILITY_NAMES} from '../../../core/api/adapter.js';
import {BROKEN_METADATA} from '../../fixtures/broken/metadata.js';
import {BROKEN_METRICS} from '../../fixtures/broken/metrics.js';
import {BROKEN_NATIVE} from '../../fixtures/broken/native.js';
import {BROKEN_OTLP} from '../../fixtures/broken/otlp.js';
import {BROKEN_SUMS} from '../../fixtures/broken/sums.js';
import {BROKEN_TOPOLOGY} from '../../fixtures/broken/topology.js';
import {BROKEN_TRACES} from '../../fixtures/broken/traces.js';
import memory from '../../fixtures/memory-adapter.js';
import {runKit} from '../conformance/recorder.js';
import {memories, type Tally, teeOf} from './tee-of.js';

const ALL_BROKEN = [
  ...BROKEN_METRICS,
  ...BROKEN_SUMS,
  ...BROKEN_METADATA,
  ...BROKEN_TOPOLOGY,
  ...BROKEN_TRACES,
  ...BROKEN_NATIVE,
  ...BROKEN_OTLP,
];

/** Broken rules that no answer shows: what becomes of arrays and of calls that are cancelled, and what lasts a moment. */
const UNSEEN = [
  'keeps the arrays that it hands out',
  'makes a new array of the catalog for each call',
  'changes the array of the catalog that it has handed out',
  'searches on when it was cancelled',
  'rejects with an error of its own when it was cancelled',
  'stores a batch in two parts, with a reader between them',
];

for (const {breaks, adapter, fails} of ALL_BROKEN) {
  const isSeen = !UNSEEN.includes(breaks);
  test.serial(`a secondary that ${breaks} is ${isSeen ? '' : 'not '}told from the primary`, async t => {
    const tally: Tally = new Map();
    const tee = teeOf(memory, adapter, {tally});
    const {failed} = await runKit({adapter: tee, config: memories, expects: CAPABILITY_NAMES}, titled(fails));
    t.deepEqual([...failed], []);
    t.is(
      [...tally.keys()].some(key => key.endsWith('differs')),
      isSeen,
    );
  });
}

function titled(title: string): RegExp {
  return new RegExp(`^${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}
