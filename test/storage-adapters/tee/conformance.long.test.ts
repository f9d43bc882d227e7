import test from 'ava';
import {CAPABILITY_NAMES} from '../../../core/api/adapter.js';
import memory from '../../fixtures/memory-adapter.js';
import {runKit} from '../conformance/recorder.js';
import {memories, type Tally, teeOf} from './tee-of.js';

for (const secondaryWrites of ['required', 'best-effort'] as const) {
  test.serial(`two equal storages pass the kit as one, and never differ, with writes ${secondaryWrites}`, async t => {
    const tally: Tally = new Map();
    const adapter = teeOf(memory, memory, {tally, secondaryWrites});
    const {failed} = await runKit({adapter, config: memories, expects: CAPABILITY_NAMES});
    t.log([...tally]);
    t.deepEqual([...failed], []);
    t.deepEqual(
      [...tally.keys()].filter(key => key.endsWith('differs')),
      [],
    );
  });
}
