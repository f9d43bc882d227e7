import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import {startGateway} from '../../support/gateway.js';
import {ask} from '../../support/http.js';
import {connectAgent} from './support/fake-agent.js';
import {agentsOf, agentsUntil} from './support/proxy.js';

const configOf = (maxAgents: number, limits: object = {}) => ({
  listeners: {admin: {port: 0}, diagnostics: {host: '127.0.0.1', port: 0}},
  plugins: [{use: 'diagnostics-proxy', config: {grpcListenAddr: '127.0.0.1:0', maxAgents}}],
  limits,
});

test('agents stay through a reload that leaves the plugin as it is, and come to the same address of one made anew', async t => {
  const gateway = await startGateway(t, {config: configOf(10)});
  const {admin, diagnostics: url = '', grpc = ''} = gateway.urls;
  const reload = async (config: object): Promise<number> => {
    await writeFile(join(gateway.folder, 'gateway.config.json'), JSON.stringify(config));
    return (await ask(`${admin}/-/reload`, {method: 'POST'})).status;
  };
  const first = await connectAgent(t, grpc, {pod: 'a'});
  t.is(await reload(configOf(10, {queryTimeout: '20s'})), 200);
  t.deepEqual(first.ended, {});
  t.is((await agentsOf({url}))[0]?.agent_id, first.id);

  t.is(await reload(configOf(11)), 200);
  await first.end('RegisterAgent');
  const second = await connectAgent(t, grpc, {pod: 'a'});
  const [row] = await agentsUntil({url}, agents => agents.length > 0);
  t.like(row, {agent_id: second.id, pod_name: 'a', status: 'online'});
  t.is(await gateway.stop(), 0);
});
