import test from 'ava';
import {CAPABILITY_NAMES} from '../../../core/api/adapter.js';
import {HISTORY, METRIC_EXPORT, OTLP_EXPORT, TRACE_EXPORT} from '../../fixtures/broken/broken.js';
import {
  BROKEN_HISTORY,
  BROKEN_METRIC_EXPORTS,
  BROKEN_OTLP_EXPORTS,
  BROKEN_TRACE_EXPORTS,
} from '../../fixtures/broken/export.js';
import {memoryStore} from '../../fixtures/memory-adapter.js';
import {expectFailures} from './expect-failures.js';
import {runKit} from './recorder.js';

expectFailures(test, BROKEN_METRIC_EXPORTS, METRIC_EXPORT);
expectFailures(test, BROKEN_TRACE_EXPORTS, TRACE_EXPORT);
expectFailures(test, BROKEN_OTLP_EXPORTS, OTLP_EXPORT);

/** The tests of history alone: those of metrics take long, and such an adapter passes them. */
const OF_HISTORY = /taken back|minutes are gone|hour or day twice/;

for (const {breaks, adapter, fails, also = []} of BROKEN_HISTORY) {
  test.serial(`an adapter that ${breaks} is found out`, async t => {
    const without = CAPABILITY_NAMES.filter(name => !HISTORY.includes(name));
    const config = ({name}: {readonly name: string}) => memoryStore(name, without);
    const {failed} = await runKit({adapter, config, expects: HISTORY}, OF_HISTORY);
    t.deepEqual([...failed.keys()].sort(), [fails, ...also].map(String).sort());
  });
}
