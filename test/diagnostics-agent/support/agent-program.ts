import type {ExecutionContext} from 'ava';
import {type Run, scratchFolder} from '../../support/gateway.js';
import {startEndpoint} from './fake-endpoint.js';
import {DATA_HOT, FakeNode} from './fake-node.js';
import {runProgram} from './program.js';

/** The agent as a process of its own, next to a database node, with a proxy at this address. */
export async function startAgentProgram(
  t: ExecutionContext,
  proxy: string,
  ...more: readonly string[]
): Promise<{readonly run: Run; readonly url: string}> {
  const endpoint = await startEndpoint(t, '# TYPE requests_total counter\nrequests_total 7\n');
  const node = await FakeNode.start(t, {node: DATA_HOT, groups: [{name: 'g'}]});
  const run = runProgram(
    t,
    `--poll-metrics-ports=${endpoint.port}`,
    '--poll-metrics-interval=100ms',
    '--prometheus-listen-addr=127.0.0.1:0',
    `--proxy-addr=${proxy}`,
    '--pod-name=data-hot-0',
    '--container-names=data',
    '--reconnect-interval=100ms',
    `--cluster-state-ports=${node.port}`,
    `--lifecycle-port=${node.port}`,
    `--lifecycle-report-dir=${await scratchFolder(t)}`,
    ...more,
  );
  const {metrics = ''} = await run.ready();
  return {run, url: metrics};
}
