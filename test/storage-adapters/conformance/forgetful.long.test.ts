import {join} from 'node:path';
import test from 'ava';
import {CAPABILITY_NAMES} from '../../../core/api/adapter.js';
import {FORGETFUL} from '../../fixtures/broken/forgetful.js';
import journal from '../../fixtures/journal-adapter.js';
import {scratchFolder} from '../../support/gateway.js';
import {runKit} from './recorder.js';

/** The tests that start the adapter again. */
const RESTARTS = /restart|^a random history|cut off/;

for (const {loses, of, adapter, fails} of FORGETFUL) {
  test.serial(`an adapter that loses ${loses} when it is started again is found out`, async t => {
    const folder = await scratchFolder(t);
    const expects = CAPABILITY_NAMES.filter(
      name => name.includes(of) || (of === 'metrics' && name.startsWith('metadata')),
    );
    const config = ({name}: {readonly name: string}) => ({config: {file: join(folder, name), supplies: expects}});
    const {failed} = await runKit({adapter, config, expects}, RESTARTS);
    t.true(
      [...failed.keys()].some(title => fails.test(title)),
      [...failed.keys()].join('\n'),
    );
  });
}

test.serial('an adapter that loses nothing when it is started again is not blamed', async t => {
  const folder = await scratchFolder(t);
  const config = ({name}: {readonly name: string}) => ({
    config: {file: join(folder, name), supplies: CAPABILITY_NAMES},
  });
  const {failed, passed} = await runKit({adapter: journal, config, expects: CAPABILITY_NAMES}, RESTARTS);
  t.deepEqual([...failed], []);
  t.is(passed.length, 25);
});
