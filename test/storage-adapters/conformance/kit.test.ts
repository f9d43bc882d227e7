import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import {CAPABILITY_NAMES} from '../../../core/api/adapter.js';
import {METRICS, NATIVE, WRITING} from '../../fixtures/broken/broken.js';
import {changing} from '../../fixtures/broken/change.js';
import journal from '../../fixtures/journal-adapter.js';
import memory, {memoryStore} from '../../fixtures/memory-adapter.js';
import {scratchFolder} from '../../support/gateway.js';
import {runKit} from './recorder.js';

const JOURNAL = fileURLToPath(new URL('../../fixtures/journal-adapter.js', import.meta.url));
const KILLED = 'every batch of native segments that was acknowledged survives the kill of the process';

/** What reads after a stop or a kill. The rest does not tell adapters apart that differ in this alone. */
const RESTARTING = /restart|survives|cut off|history|exemption/;

async function runJournal(t: ExecutionContext, hasty: boolean, module?: string, which?: RegExp) {
  const folder = await scratchFolder(t);
  const config = ({name}: {readonly name: string}) => ({config: {file: join(folder, name), hasty}});
  return runKit({adapter: journal, config, expects: NATIVE, ...(module !== undefined && {module})}, which);
}

test('an adapter with a file behind it passes, with processes that are killed', async t => {
  const {failed, passed, skipped} = await runJournal(t, false, JOURNAL);
  t.deepEqual([...failed], []);
  t.true(passed.includes(KILLED));
  t.deepEqual(skipped, []);
});

test('an adapter that acknowledges batches before they are safe is found out', async t => {
  const {failed} = await runJournal(t, true, JOURNAL, RESTARTING);
  t.deepEqual([...failed.keys()], [KILLED]);
});

test('an adapter whose module is not given is not killed, and that is shown', async t => {
  const {failed, skipped} = await runJournal(t, false, undefined, RESTARTING);
  t.deepEqual([...failed], []);
  t.deepEqual(skipped, [`${KILLED} (the option module is not given)`]);
});

/** What an adapter fails that forgets everything, for each kind of data: the history, and what runs on no such adapter. */
const FORGOTTEN = [
  {
    expects: METRICS,
    history: 'a random history of metric batches is read as a simple model reads it, after each batch',
    killed: 'every batch of metric records that was acknowledged survives the kill of the process',
    restarted: [
      'sums and means are the same after a restart',
      '-0 is read as 0 after a restart',
      'every declaration, value, label set and sampled record is read after a restart as before it',
      'metric records are there after a restart, and writing goes on',
      'metric records that were cut off while they were written are there whole or not at all, and hinder nothing',
    ],
  },
  {
    expects: NATIVE,
    history: 'a random history of native batches is read as a simple model reads it, after each batch',
    killed: KILLED,
    restarted: [
      'native segments are read after a restart as before it, with every member',
      'native segments are there after a restart, and writing goes on',
      'native segments that were cut off while they were written are there whole or not at all, and hinder nothing',
    ],
  },
];

for (const {expects, history, killed, restarted} of FORGOTTEN) {
  test(`an adapter that forgets at its stop what it was given of ${expects[0]} is found out, or excused where it says so`, async t => {
    const without = CAPABILITY_NAMES.filter(name => !expects.includes(name));
    const options = {adapter: memory, config: () => ({config: {without}}), expects};
    t.deepEqual([...(await runKit(options)).failed.keys()], [history, ...restarted]);

    const {failed, passed, skipped} = await runKit({...options, cannotRestart: 'it keeps nothing'}, RESTARTING);
    t.deepEqual([...failed], []);
    t.true(passed.includes(history));
    t.deepEqual([...skipped].sort(), [killed, ...restarted].map(title => `${title} (it keeps nothing)`).sort());
  });
}

test('a brief run has the tests of a whole one, and asks less in those of random questions and texts', async t => {
  const run = async (brief: boolean) => {
    let searches = 0;
    const adapter = changing('traces.native.v2')({
      search: original => (request, call) => {
        searches++;
        return original(request, call);
      },
    });
    const without = CAPABILITY_NAMES.filter(name => !NATIVE.includes(name));
    const options = {adapter, config: ({name}: {readonly name: string}) => memoryStore(name, without), expects: NATIVE};
    const outcome = await runKit({...options, brief}, /random|any characters/);
    return {...outcome, searches};
  };
  const [whole, brief] = [await run(false), await run(true)];
  t.deepEqual([[...whole.failed], [...brief.failed]], [[], []]);
  t.deepEqual(brief.passed, whole.passed);
  t.true(brief.searches > 50 && brief.searches < whole.searches / 2, `${brief.searches} of ${whole.searches}`);
});

const STOP = 'stop is safe without start';

test('a test that is exempt is shown as skipped with its reason', async t => {
  const options = {adapter: memory, config: ({name}: {readonly name: string}) => memoryStore(name), expects: WRITING};
  const {passed, skipped} = await runKit({...options, exempt: {[STOP]: 'it does not stop'}}, /stop/);
  t.deepEqual(skipped, [`${STOP} (it does not stop)`]);
  t.false(passed.includes(STOP));
});

test('an exemption that names no test is a failure', async t => {
  const options = {adapter: memory, config: ({name}: {readonly name: string}) => memoryStore(name), expects: WRITING};
  const {failed} = await runKit({...options, exempt: {'no such test': 'why not'}}, RESTARTING);
  t.true(failed.has('every exemption names a test that applies'));
});

test('an adapter that does not write needs a function that does', async t => {
  const without = [
    'ingest.metrics.v1',
    'ingest.compat.v1',
    'ingest.native.v1',
    'traces.compat.v1',
    'traces.native.v2',
    'metrics.query.v1',
  ];
  const {failed} = await runKit({adapter: memory, config: {without}, expects: ['metadata.query.v1']});
  t.regex(failed.get('layers are those of the data, in code point order') ?? '', /give testAdapter the function seed/);
  t.false(failed.has(STOP));
});
