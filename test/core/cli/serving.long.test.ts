import test from 'ava';
import {runProgram as runAgent} from '../../diagnostics-agent/support/program.js';
import {startProgram as startProxy} from '../../plugins/diagnostics-proxy/support/proxy.js';
import {run} from '../../support/gateway.js';
import {get} from '../../support/http.js';
import {hangUp} from './hang-up.js';

test('the demo, the proxy and the agent go on after SIGHUP', async t => {
  const demo = await run(t, {config: {}, args: () => ['demo', '--port-base', '0']});
  const {metrics, admin} = await demo.ready();
  // The demo logs warnings only.
  const readAt = async (): Promise<string | undefined> =>
    /^query_gateway_config_reload_timestamp_seconds\S* (\S+)$/m.exec((await get(`${admin}/metrics`)).text)?.[1];
  const before = await readAt();
  demo.process.kill('SIGHUP');
  while ((await readAt()) === before);
  t.is((await get(`${metrics}/api/v1/labels`)).status, 200);
  t.is(await demo.stop(), 0);

  const proxy = await startProxy(t);
  await hangUp(proxy.run);
  t.is((await get(`${proxy.url}/health`)).status, 200);
  const agent = runAgent(t, `--proxy-addr=${proxy.grpc}`, '--prometheus-listen-addr=127.0.0.1:0');
  const page = await agent.ready();
  await hangUp(agent);
  t.is((await get(`${page.metrics}/metrics`)).status, 200);
  t.deepEqual([await agent.stop(), await proxy.run.stop()], [0, 0]);
});
