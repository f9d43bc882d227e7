import test from 'ava';
import {startAgent} from './support/agent.js';
import {startEndpoint} from './support/fake-endpoint.js';
import {DATA_HOT, FakeNode} from './support/fake-node.js';
import {runProgram} from './support/program.js';
import {startScene} from './support/scene.js';
import {until} from './support/until.js';

test('an endpoint that hangs delays no other one, and is asked once at a time', async t => {
  const [hanging, good] = await Promise.all([startEndpoint(t, () => undefined), startEndpoint(t, 'good 1\n')]);
  await startAgent(t, {'poll-metrics-ports': `${hanging.port},${good.port}`, 'poll-metrics-interval': '20ms'});
  await until(() => good.requests.length >= 20, 'twenty scrapes of the good one');
  // It is asked again after its timeout at the earliest.
  t.true(hanging.requests.length < 3, `${hanging.requests.length} requests`);
});

test('a node that hangs delays neither the polls of another one nor, but at first, its role', async t => {
  const [hanging, good] = await Promise.all([
    FakeNode.start(t, {node: DATA_HOT, hanging: new Set(['GetClusterState'])}),
    FakeNode.start(t, {node: {...DATA_HOT, labels: {type: 'second'}}}),
  ]);
  const {proxy} = await startScene(t, {flags: {'cluster-state-ports': `${hanging.port},${good.port}`}});
  t.deepEqual((await proxy.registration()).labels, {type: 'hot'});
  await until(() => good.calls.GetClusterState >= 20, 'twenty polls of the good one');
  t.true(hanging.calls.GetClusterState < 3, `${hanging.calls.GetClusterState} polls`);
});

test('many endpoints and cluster state ports give no warning of the runtime', async t => {
  const ports = Array.from({length: 20}, (_, index) => index + 1).join(',');
  const run = runProgram(
    t,
    ...['--prometheus-listen-addr', '127.0.0.1:0', '--poll-metrics-ports', ports, '--cluster-state-ports', ports],
    ...['--poll-metrics-interval', '50ms', '--pod-name', 'p'],
  );
  await run.ready();
  await until(() => run.stderr.filter(line => line.includes('gave no cluster state')).length === 20, 'all ports');
  await until(() => run.stderr.filter(line => line.includes('could not be scraped')).length === 20, 'all endpoints');
  t.is(await run.stop(), 0);
  t.deepEqual(
    run.stderr.filter(line => line.includes('Warning')),
    [],
  );
});
