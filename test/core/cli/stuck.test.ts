import {fileURLToPath} from 'node:url';
import test from 'ava';
import {run} from '../../support/gateway.js';

const STUCK = fileURLToPath(new URL('../../fixtures/stuck-adapter.js', import.meta.url));
const config = {storage: {use: STUCK, config: {pipe: './pipe'}}, startTimeout: 2000, shutdownTimeout: 100};

test('check --connect ends though a thread of the storage hangs in a call to the system', async t => {
  const check = await run(t, {config, args: file => ['check', '--connect', '--config', file]});
  await check.exit;
  t.regex(check.stderr.join('\n'), /its start has not ended within startTimeout, 2 s/);
});

test('a signal ends a gateway whose storage hangs at its start', async t => {
  const gateway = await run(t, {config: {...config, startTimeout: '1h'}});
  await gateway.logged('the thread hangs');
  t.not(await gateway.stop(), 0);
  t.regex(gateway.stderr.join('\n'), /stopping the storage adapter stuck has not ended within/);
});

test('check --connect says why a path of the embedded storage cannot be made', async t => {
  const storage = {use: 'embedded', config: {path: '/proc/nope/data'}};
  const check = await run(t, {config: {storage}, args: file => ['check', '--connect', '--config', file]});
  t.is(await check.exit, 1);
  t.regex(check.stderr.join('\n'), /the folder \/proc\/nope\/data of the embedded storage cannot be written: ENOENT/);
});
