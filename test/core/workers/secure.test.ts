import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {copyFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import anyTest, {type TestFn} from 'ava';
import {LOCAL_NAMES, TestAuthority} from '../../support/certificates.js';
import {scratchFolder, startGateway} from '../../support/gateway.js';
import {askSecurely} from '../../support/https.js';
import {testWith} from '../../support/programs.js';
import {PID, until} from './scene.js';

const test = anyTest as TestFn;

testWith(test, 'openssl', 'a certificate and an access file that change, change in every worker', async t => {
  const folder = await scratchFolder(t);
  const authority = new TestAuthority(folder);
  const [certificate, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  const show = async (name: string): Promise<void> => {
    const files = authority.issue({name, names: LOCAL_NAMES});
    await copyFile(files.certificate, certificate);
    await copyFile(files.key, key);
  };
  const know = (...tokens: readonly string[]): Promise<void> => {
    const entries = tokens.map(name => ({
      name,
      sha256: createHash('sha256').update(name).digest('hex'),
      rights: ['read'],
    }));
    return writeFile(join(folder, 'access.json'), JSON.stringify({tokens: entries}));
  };
  await show('before');
  await know('old');
  const gateway = await startGateway(t, {
    folder,
    config: {
      workers: 2,
      access: {file: './access.json'},
      listeners: {pid: {port: 0, tls: {certificate, key}}},
      plugins: [{use: PID}],
    },
  });
  t.regex(gateway.urls.pid ?? '', /^https:/);
  const ca = readFileSync(authority.ca);
  const askAs = (token: string) =>
    askSecurely(`${gateway.urls.pid}/pid`, {ca, headers: {authorization: `Bearer ${token}`}});
  const several = (token: string) => Promise.all(Array.from({length: 6}, () => askAs(token)));
  const before = await several('old');
  t.deepEqual([...new Set(before.map(({status, shown}) => `${status} ${shown}`))], ['200 before']);
  t.is(new Set(before.map(({text}) => text)).size, 2);
  await show('after');
  await know('new');
  await until(async () => (await several('new')).every(({status, shown}) => status === 200 && shown === 'after'));
  t.deepEqual([...new Set((await several('old')).map(({status}) => status))], [401]);
});
