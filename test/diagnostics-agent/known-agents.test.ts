import {createHash} from 'node:crypto';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import test from 'ava';
import {startProgram as startProxy} from '../plugins/diagnostics-proxy/support/proxy.js';
import {run, scratchFolder} from '../support/gateway.js';
import {type Answer, ask} from '../support/http.js';
import {startAgentProgram} from './support/agent-program.js';

const token = (name: string, ...rights: readonly string[]) => ({
  name,
  rights,
  sha256: createHash('sha256').update(name).digest('hex'),
});

const asked = (url: string, path: string, name?: string): Promise<Answer> =>
  ask(`${url}${path}`, {headers: name === undefined ? {} : {authorization: `Bearer ${name}`}});

async function agents(url: string): Promise<readonly {readonly pod_name: string; readonly status: string}[]> {
  return (await asked(url, '/agents', 'reader')).json();
}

test('with an access file agents need the right agent and readers the right read, and both change while it runs', async t => {
  const folder = await scratchFolder(t);
  const file = join(folder, 'access.json');
  const tokenFile = join(folder, 'token');
  const allow = (...tokens: readonly object[]) => writeFile(file, JSON.stringify({tokens}));
  await allow(token('first', 'agent'), token('reader', 'read'));
  await writeFile(tokenFile, 'first\n');
  const proxy = await startProxy(t, [`--access-file=${file}`]);

  t.is((await asked(proxy.url, '/agents')).status, 401);
  t.is((await asked(proxy.url, '/agents', 'first')).status, 403);
  t.is((await asked(proxy.url, '/health')).status, 200);

  const agent = await startAgentProgram(t, proxy.grpc, `--proxy-token-file=${tokenFile}`);
  await agent.run.logged('the token goes to the proxy in plain text, because --proxy-tls is not set');
  await agent.run.logged('registered with the proxy');
  t.deepEqual(
    (await agents(proxy.url)).map(({pod_name}) => pod_name),
    ['data-hot-0'],
  );

  // Another token stands beside it, then takes its place: the agent stays.
  await allow(token('first', 'agent'), token('second', 'agent'), token('reader', 'read'));
  await writeFile(tokenFile, 'second');
  await agent.run.logged('files that have changed are in use');
  await allow(token('second', 'agent'), token('reader', 'read'));
  const registrations = (): number => agent.run.log.filter(({msg}) => msg === 'registered with the proxy').length;
  while (registrations() < 2) await sleep(20);

  // One that is taken away loses what it had, and is told why.
  await allow(token('second', 'read'), token('reader', 'read'));
  const reasons = () => agent.run.log.map(({reason}) => reason);
  while (!reasons().includes('"second" lacks the right "agent"')) await sleep(20);
  const told = await proxy.run.logged('a caller is refused');
  t.like(told, {level: 'warn', socket: 'grpc', peer: '127.0.0.1'});
  await allow(token('second', 'agent'), token('reader', 'read'));
  while (registrations() < 3) await sleep(20);
});

const REFUSED: readonly (readonly [title: string, token: string | undefined, reason: RegExp])[] = [
  ['no token', undefined, /^this call asks for credentials; expected the metadata "authorization"/],
  ['a wrong token', 'nobody', /^the credentials in the metadata "authorization" are not known$/],
  ['a token of other rights', 'reader', /^"reader" lacks the right "agent"$/],
];

test('agents without credentials that are good are refused, told why, and counted', async t => {
  const folder = await scratchFolder(t);
  const tokens = [token('reader', 'read', 'write'), token('ops', 'admin')];
  const gateway = await run(t, {
    config: {
      access: {tokens},
      listeners: {
        diagnostics: {host: '127.0.0.1', port: 0},
        admin: {host: '127.0.0.1', port: 0},
      },
      plugins: [{use: 'diagnostics-proxy', config: {grpcListenAddr: '127.0.0.1:0', grpcAccess: true}}],
    },
  });
  const {grpc = '', admin = ''} = await gateway.ready();
  for (const [title, value, reason] of REFUSED) {
    const path = join(folder, 'token');
    if (value !== undefined) await writeFile(path, value);
    const agent = await startAgentProgram(t, grpc, ...(value === undefined ? [] : [`--proxy-token-file=${path}`]));
    const line = await agent.run.logged('the proxy refuses the agent, which tries again');
    t.regex(String(line.reason), reason, title);
    await agent.run.stop();
  }
  const page = (await asked(admin, '/metrics', 'ops')).text;
  for (const reason of ['missing', 'wrong', 'right']) {
    t.regex(
      page,
      new RegExp(`^query_gateway_access_refused_total\\{.*listener="grpc",reason="${reason}"\\} [1-9]`, 'm'),
    );
  }
});

test('to ask agents for credentials where nobody has any is a mistake', async t => {
  const plugin = {use: 'diagnostics-proxy', config: {grpcListenAddr: '127.0.0.1:0', grpcAccess: true}};
  const gateway = await run(t, {config: {listeners: {diagnostics: {port: 0}}, plugins: [plugin]}});
  t.is(await gateway.exit, 2);
  t.regex(
    gateway.stderr.join('\n'),
    /plugins\[0\]\.config\.grpcAccess: found true without the block access, expected it beside: nobody is known/,
  );
});
