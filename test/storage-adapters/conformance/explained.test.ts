import {join} from 'node:path';
import test from 'ava';
import {CAPABILITY_NAMES} from '../../../core/api/adapter.js';
import {COMPAT, METRICS} from '../../fixtures/broken/broken.js';
import {changing} from '../../fixtures/broken/change.js';
import {FORGETFUL} from '../../fixtures/broken/forgetful.js';
import {memoryStore} from '../../fixtures/memory-adapter.js';
import {scratchFolder} from '../../support/gateway.js';
import {runKit} from './recorder.js';

const only = (name: string, expects: typeof METRICS) =>
  memoryStore(
    name,
    CAPABILITY_NAMES.filter(capability => !expects.includes(capability)),
  );

test('a failure of the kit shows what was written and asked, where the answer differs, and the line of the kit', async t => {
  const adapter = changing('traces.compat.v1')({
    trace: original => async (id, call) => {
      const trace = await original(id, call);
      return trace && {...trace, spans: trace.spans.map(({parentId: _, ...span}) => span)};
    },
  });
  const title = 'every member of a compat span comes back as it was';
  const config = ({name}: {readonly name: string}) => only(name, COMPAT);
  const message = (await runKit({adapter, config, expects: COMPAT}, new RegExp(title))).failed.get(title) ?? '';
  t.regex(message, /^the trace\n/);
  t.regex(message, /^ {2}at {8}\$\.fragments\[\d\]\.parentId$/m);
  t.regex(message, /^ {2}expected {2}"00000000000000ff"$/m);
  t.regex(message, /^ {2}got {7}nothing$/m);
  t.regex(message, /^ {2}asked {5}traces\.compat\.v1 trace\("00000000f0110001"\)$/m);
  t.regex(message, /^ {12}\{"traceId":"00000000f0110001","id":"0000000000000001",.*"parentId":"00000000000000ff"/m);
  t.regex(message, /storage-adapters\/conformance\/cases\/traces\/compat-spans\.ts:\d+$/m);
  t.regex(message, /^> +\d+ \| +t\.deepEqual\(comparableTrace\(compat, trace\)/m);
});

test('a failure after a restart says so, and shows the records that the question is about', async t => {
  const {adapter} = FORGETFUL.find(({loses}) => loses === 'trace ids of records') ?? {};
  if (adapter === undefined) return t.fail('there is no such adapter');
  const folder = await scratchFolder(t);
  const title = 'every declaration, value, label set and sampled record is read after a restart as before it';
  const config = ({name}: {readonly name: string}) => ({config: {file: join(folder, name), supplies: METRICS}});
  const message = (await runKit({adapter, config, expects: METRICS}, new RegExp(title))).failed.get(title) ?? '';
  t.regex(message, /^sampledRecords\(\{"metric":"kit_again_metrics_records",.*\}\) after a restart$/m);
  t.regex(message, /^ {2}after {5}1 restart of the adapter$/m);
  t.regex(message, /^ {12}\{"record":"sampled-record","metric":"kit_again_metrics_records",.*"traceId":"t1"\}$/m);
});

test('what an adapter throws is shown with the request, and with its own stack', async t => {
  const adapter = changing('metrics.query.v1')({
    ranking: () => async () => {
      throw new TypeError('not in this engine');
    },
  });
  const config = ({name}: {readonly name: string}) => only(name, METRICS);
  const {failed} = await runKit({adapter, config, expects: METRICS}, /^equal means/);
  const [message = ''] = failed.values();
  t.regex(message, /^TypeError: not in this engine\n {4}at .*explained\.test/);
  t.regex(message, /^ {2}asked {5}metrics\.query\.v1 ranking\(\{/m);
  t.regex(message, /^> +\d+ \| /m);
});
