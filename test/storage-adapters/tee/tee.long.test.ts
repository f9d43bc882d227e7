import test from 'ava';
import {get} from '../../support/http.js';
import {BEST_EFFORT, embedded, shaky, TeeScene, tee} from './scene.js';

test('a secondary that is not required may be down at the start, and comes when it is there', async t => {
  const scene = await TeeScene.in(t);
  await scene.takes('down', true);
  await scene.start(tee(embedded('./a'), shaky('./b'), BEST_EFFORT));
  t.is((await scene.write('early_cpm', 1)).status, 202);
  t.is(await scene.read('early_cpm'), 1);
  const {state, message} = await scene.status();
  t.is(state, 'degraded');
  t.regex(message ?? '', /^the secondary storage: .*shaky, does not start: nothing listens at /);
  t.is((await get(`${scene.gateway.urls.admin}/-/ready`)).status, 200);
  t.is(await scene.failedWrites(), 1);
  t.true((await scene.compared('skipped')) > 0);
  await scene.takes('down', false);
  await scene.until(async () => (await scene.status()).state === 'ok');
  t.is((await scene.write('early_cpm', 2, 1)).status, 202);
  t.is(await scene.read('early_cpm', 1), 2);
  await scene.until(async () => (await scene.compared('equal')) > 0);
  t.is(await scene.failedWrites(), 1);
  await scene.stop();
  await scene.start(embedded('./b'));
  t.is(await scene.read('early_cpm'), undefined);
  t.is(await scene.read('early_cpm', 1), 2);
});

test('a secondary that is not required may go and come back, or answer nobody, and no read or write fails', async t => {
  const scene = await TeeScene.in(t);
  await scene.start(tee(embedded('./a'), shaky('./b'), BEST_EFFORT));
  await scene.until(async () => (await scene.status()).state === 'ok');
  for (const [n, state] of (['down', 'stuck'] as const).entries()) {
    const [during, after] = [2 * n, 2 * n + 1];
    await scene.takes(state, true);
    t.is((await scene.write('a_cpm', during, during)).status, 202, state);
    for (let i = 0; i < 100; i++) t.is(await scene.read('a_cpm', during), during, state);
    await scene.takes(state, false);
    t.is((await scene.write('a_cpm', after, after)).status, 202, state);
    const equal = await scene.compared('equal');
    await scene.until(async () => {
      t.is(await scene.read('a_cpm', after), after, state);
      return (await scene.compared('equal')) > equal;
    });
  }
  t.is(await scene.failedWrites(), 1);
  t.true((await scene.compared('error')) + (await scene.compared('skipped')) > 0);
  await scene.stop();
  await scene.start(embedded('./b'));
  t.deepEqual(await Promise.all([0, 1, 2, 3].map(minute => scene.read('a_cpm', minute))), [undefined, 1, 2, 3]);
});
