import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import test from 'ava';
import {embedded, SHAKY, tee} from '../../storage-adapters/tee/scene.js';
import {TestBrowser} from '../../support/browser.js';
import {scratchFolder} from '../../support/gateway.js';
import {get} from '../../support/http.js';
import {suiteWith} from '../../support/programs.js';
import {callsOf, lastMinute, startConsole, writeMetrics} from './gateway.js';

suiteWith(test, 'chromium', 'differences of two storages in a browser', () => {
  test('the overview shows where the two storages of a tee differ', async t => {
    const folder = await scratchFolder(t);
    const sign = join(folder, 'sign-');
    const secondary = {use: SHAKY, config: {path: join(folder, 'b'), sign}};
    const storage = tee(embedded(join(folder, 'a')), secondary);
    const {urls} = await startConsole(t, {config: {storage}});
    await writeMetrics(urls.ingest ?? '', callsOf(['songs'], 1));
    await writeFile(`${sign}lies`, '');
    const query = "service_cpm{layer='GENERAL',service='songs'}";
    await get(`${urls.metrics}/api/v1/query`, {query, time: `${lastMinute()}`});
    const found = async () =>
      (await get(`${urls.admin}/-/plugins`)).json<{storage: {differences: object[]}}>().storage.differences.length;
    while ((await found()) === 0) await sleep(20);
    const browser = await TestBrowser.open();
    t.teardown(() => browser.close());
    const watched = await browser.page({});
    const {page} = watched;
    await page.goto(urls.console ?? '');
    const table = page.getByRole('table', {name: 'Last differences of the two storages', exact: true});
    await table
      .getByRole('row', {name: /metrics\.query\.v1 values \{"metric":"service_cpm".* \[0\]\.values\[\d\] \d+ \d+$/})
      .waitFor();
    await watched.close();
    t.pass();
  });
});
