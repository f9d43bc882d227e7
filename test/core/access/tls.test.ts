import {createHash} from 'node:crypto';
import {copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {Agent} from 'node:https';
import {connect as connectPlain} from 'node:net';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {connect} from 'node:tls';
import test, {type ExecutionContext} from 'ava';
import {type CertificateFiles, LOCAL_NAMES, TestAuthority} from '../../support/certificates.js';
import {scratchFolder} from '../../support/gateway.js';
import {askSecurely, type SecureAsk} from '../../support/https.js';
import {fixtureConfig, openGateway} from '../../support/library.js';

/** How many times each kind of rotation is made; by hand also 250, which makes a thousand. */
const ROTATIONS = Number(process.env.ROTATIONS ?? 1);
const CLIENTS = 8;

async function scene(t: ExecutionContext) {
  const folder = await scratchFolder(t);
  const authority = new TestAuthority(folder);
  const issue = (name: string): CertificateFiles => authority.issue({name, names: LOCAL_NAMES});
  return {folder, authority, issue, ca: readFileSync(authority.ca)};
}

const until = async (isTrue: () => Promise<boolean>): Promise<void> => {
  while (!(await isTrue())) await sleep(50);
};

const pemOf = ({certificate, key}: CertificateFiles) => ({cert: readFileSync(certificate), key: readFileSync(key)});

test('a listener with TLS says so, shows its certificate, and tells when it ends', async t => {
  const {issue, ca} = await scene(t);
  const tls = {...issue('server'), minVersion: 'TLSv1.3'};
  const {urls, gateway} = await openGateway(
    t,
    fixtureConfig({listeners: {fixture: {host: '127.0.0.1', port: 0, tls}, admin: {port: 0}}}),
  );
  t.regex(urls.fixture ?? '', /^https:\/\/127\.0\.0\.1:\d+$/);
  t.regex(urls.admin ?? '', /^http:/);
  t.like(await askSecurely(`${urls.fixture}/hello`, {ca}), {status: 200, shown: 'server'});
  await t.throwsAsync(askSecurely(`${urls.fixture}/hello`, {ca, maxVersion: 'TLSv1.2'}));
  await t.throwsAsync(askSecurely(`${urls.fixture}/hello`.replace('https', 'http')));
  const {text} = await askSecurely(`${urls.admin}/metrics`);
  const [, expires] = /tls_certificate_expiry_seconds\{[^}]*listener="fixture"\} (\d+)/.exec(text) ?? [];
  t.is(Math.round((Number(expires) - Date.now() / 1000) / 86_400), 30);
  t.regex(text, /reload_success\{[^}]*what="tls:fixture"\} 1/);

  // Those who have shaken hands, or not even that, and ask nothing, keep no gateway from its end.
  const port = Number(new URL(urls.fixture ?? '').port);
  const silent = connect({port, host: '127.0.0.1', ca});
  await new Promise(resolve => silent.once('secureConnect', resolve));
  const mute = connectPlain({port, host: '127.0.0.1'});
  await new Promise(resolve => mute.once('connect', resolve));
  await gateway.stop();
  t.pass();
});

test('clients without a certificate of the authorities are turned away', async t => {
  const {folder, authority, issue, ca} = await scene(t);
  const other = new TestAuthority(folder, 'other');
  const tls = {...issue('server'), clientCa: join(folder, 'clients.pem')};
  copyFileSync(authority.ca, tls.clientCa);
  const {urls} = await openGateway(t, fixtureConfig({listeners: {fixture: {host: '127.0.0.1', port: 0, tls}}}));
  const hello = (options: SecureAsk) => askSecurely(`${urls.fixture}/hello`, {ca, ...options});
  const [ours, theirs] = [pemOf(issue('client')), pemOf(other.issue({name: 'stranger'}))];
  t.is((await hello(ours)).status, 200);
  await t.throwsAsync(hello({}));
  await t.throwsAsync(hello(theirs));

  // A connection of before is good for one more answer, and its session for none.
  const agent = new Agent({keepAlive: true, maxSockets: 1, ca, ...ours});
  t.teardown(() => agent.destroy());
  t.is((await hello({agent})).status, 200);
  copyFileSync(other.ca, tls.clientCa);
  await until(() =>
    hello(theirs).then(
      () => true,
      () => false,
    ),
  );
  t.is((await hello({agent})).headers.connection, 'close');
  await t.throwsAsync(hello({agent}));
});

const nameOf = ({certificate}: CertificateFiles): string => /(\w+)-\d+-of/.exec(certificate)?.[1] ?? '';

/** The ways in which files change, as Kubernetes, certbot and people make them. */
const WAYS = ['in place', 'by a link', 'torn', 'missing'] as const;

test('certificates change under load without a failed request, and what cannot be used changes nothing', async t => {
  const {folder, issue, ca} = await scene(t);
  const pairs = [issue('first'), issue('second')];
  const link = join(folder, '..data');
  const at: CertificateFiles = {certificate: join(link, 'tls.crt'), key: join(link, 'tls.key')};
  let version = 0;
  const put = ({certificate, key}: CertificateFiles): void => {
    copyFileSync(certificate, at.certificate);
    copyFileSync(key, at.key);
  };
  const swap = (pair: CertificateFiles): void => {
    const name = `version ${++version}`;
    mkdirSync(join(folder, name));
    copyFileSync(pair.certificate, join(folder, name, 'tls.crt'));
    copyFileSync(pair.key, join(folder, name, 'tls.key'));
    symlinkSync(name, join(folder, '..next'));
    renameSync(join(folder, '..next'), link);
  };
  swap(issue('zeroth'));
  const sha256 = createHash('sha256').update('token').digest('hex');
  const {urls, lines} = await openGateway(
    t,
    fixtureConfig({
      access: {tokens: [{name: 'all', sha256, rights: ['read', 'write', 'admin']}]},
      listeners: {fixture: {host: '127.0.0.1', port: 0, tls: at}, admin: {port: 0}},
    }),
  );
  const headers = {authorization: 'Bearer token'};
  const success = async (): Promise<string> => {
    const {text} = await askSecurely(`${urls.admin}/metrics`, {headers});
    return /reload_success\{[^}]*what="tls:fixture"\} (\d)/.exec(text)?.[1] ?? '';
  };

  let isOver = false;
  const failures: unknown[] = [];
  let requests = 0;
  const load = Array.from({length: CLIENTS}, async (_, index) => {
    const agent = new Agent({keepAlive: true, maxSockets: 1, ca});
    for (; !isOver; requests++) {
      const asks = index % 2 === 0 ? {ca} : {agent};
      const write = index % 3 === 0 ? {method: 'POST', body: 'x'.repeat(1000)} : {};
      const path = index % 3 === 0 ? '/change' : '/hello';
      const answer = await askSecurely(urls.fixture + path, {headers, ...asks, ...write}).catch(
        (error: unknown) => error,
      );
      if ((answer as {status?: number}).status !== 200) failures.push(answer);
    }
    agent.destroy();
  });
  const shown = async () => (await askSecurely(`${urls.fixture}/hello`, {ca, headers})).shown;

  for (let round = 0; round < ROTATIONS; round++) {
    for (const [turn, way] of WAYS.entries()) {
      const before = await shown();
      const pair = pairs[(round + turn) % 2] as CertificateFiles;
      if (way === 'in place') put(pair);
      else if (way === 'by a link') swap(pair);
      else if (way === 'torn') writeFileSync(at.certificate, readFileSync(pair.certificate).subarray(0, 200));
      else rmSync(at.key);
      const isGood = way === 'in place' || way === 'by a link';
      if (isGood) await until(async () => (await shown()) === nameOf(pair));
      else {
        await until(async () => (await success()) === '0');
        t.is(await shown(), before, way);
        swap(pair);
        await until(async () => (await success()) === '1');
      }
    }
  }
  isOver = true;
  await Promise.all(load);
  t.deepEqual(failures, []);
  t.log(`${requests} requests over ${ROTATIONS * WAYS.length} rotations`);
  t.true(requests > CLIENTS);
  t.is(lines.filter(({level}) => level === 'error').length, 0);
});

test('the access file is read again, and what is wrong in it leaves those who are known', async t => {
  const folder = await scratchFolder(t);
  const file = join(folder, 'access.json');
  const entry = (token: string) => ({
    name: 'all',
    sha256: createHash('sha256').update(token).digest('hex'),
    rights: ['read'],
  });
  const put = (...tokens: readonly string[]): void => writeFileSync(file, JSON.stringify({tokens: tokens.map(entry)}));
  put('old');
  const inline = {...entry('admin'), rights: ['admin']};
  const {urls, lines} = await openGateway(
    t,
    fixtureConfig({access: {file, tokens: [inline]}, listeners: {fixture: {port: 0}, admin: {port: 0}}}),
  );
  const statusOf = async (token: string): Promise<number> =>
    (await askSecurely(`${urls.fixture}/hello`, {headers: {authorization: `Bearer ${token}`}})).status;
  const success = async (): Promise<string> => {
    const {text} = await askSecurely(`${urls.admin}/metrics`, {headers: {authorization: 'Bearer admin'}});
    return /reload_success\{[^}]*what="access"\} (\d)/.exec(text)?.[1] ?? '';
  };
  t.is(await statusOf('old'), 200);
  put('old', 'new');
  await until(async () => (await statusOf('new')) === 200);
  t.is(await statusOf('old'), 200);
  put('new');
  await until(async () => (await statusOf('old')) === 401);

  writeFileSync(file, readFileSync(file).subarray(0, 40));
  await until(async () => (await success()) === '0');
  t.is(await statusOf('new'), 200);
  put('new', 'admin');
  await until(async () => lines.filter(({level}) => level === 'warn').length === 2);
  t.is(await statusOf('new'), 200);
  const problems = lines.flatMap(({level, fields}) => (level === 'warn' ? [String(fields.problem)] : []));
  t.regex(problems[0] ?? '', /^access\.json is not JSON: line 1, column \d+/);
  t.is(problems[1], 'access.json: tokens[1].sha256 found the digest of access.tokens[0], expected one of its own');
  put('newest');
  await until(async () => (await statusOf('newest')) === 200);
  t.is(await success(), '1');
});
