import test from 'ava';
import type {Page} from 'playwright-core';
import {TestBrowser} from '../../support/browser.js';
import {ownerOf} from '../../support/owner.js';
import {suiteWith} from '../../support/programs.js';
import {connectAgent, gauge} from '../diagnostics-proxy/support/fake-agent.js';
import {callsOf, startConsole, writeMetrics} from './gateway.js';
import {writeTrace} from './spans.js';
import {visitor} from './visit.js';

const owner = ownerOf(test);
const shared: {browser?: TestBrowser; url: string} = {url: ''};
const visit = visitor(shared);

const TRACE = '463ac35c9f6413ad48485a3953bb6124';
/** More steps than any page has. */
const MOST = 120;

interface Focused {
  getAttribute(name: string): string | null;
  readonly labels?: readonly {readonly textContent: string | null}[];
  readonly textContent: string | null;
}

/** Presses Tab until what has the focus is called so. */
async function tabTo(page: Page, name: RegExp | string): Promise<void> {
  const seen: string[] = [];
  for (let i = 0; i < MOST; i++) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(() => {
      const {activeElement: active} = (globalThis as unknown as {document: {activeElement: Focused}}).document;
      const label = active.labels?.[0]?.textContent;
      return (active.getAttribute('aria-label') ?? label ?? active.textContent ?? '').trim();
    });
    if (typeof name === 'string' ? found === name : name.test(found)) return;
    seen.push(found);
  }
  throw new Error(`Tab does not lead to ${name}, but to ${seen.join(' | ')}`);
}

async function open(page: Page, link: RegExp | string, heading: string): Promise<void> {
  await tabTo(page, link);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', {name: heading, level: 1, exact: true}).waitFor();
}

suiteWith(test, 'chromium', 'the console by keyboard alone', () => {
  test.before(async () => {
    const {urls} = await startConsole(owner);
    const ingest = urls.ingest ?? '';
    await writeMetrics(ingest, callsOf(['songs', 'app'], 10));
    await writeTrace(ingest, TRACE, [
      {id: 1, service: 'songs', name: 'get /songs', at: 0, took: 9000},
      {id: 2, parent: 1, service: 'db', name: 'select', at: 1000, took: 5000},
    ]);
    const {grpc} = urls;
    await connectAgent(owner, grpc, {
      pod: 'data-0',
      containers: ['data'],
      labels: {type: 'hot'},
      metrics: () => [gauge('data-0', 'memory', 5), gauge('data-0', 'disk', 7)],
      topology: () => ({nodes: [{metadata: {name: 'data-0:1'}, roles: ['ROLE_DATA']}]}),
    });
    await connectAgent(owner, grpc, {pod: 'liaison-0', role: 'ROLE_LIAISON', metrics: () => []});
    shared.url = urls.console ?? '';
    shared.browser = await TestBrowser.open();
    owner.teardown(() => shared.browser?.close());
  });

  test.serial('from the overview through a query, a trace, a service and the fleet, and back', async t => {
    await visit(t, '/', async ({page}) => {
      await page.getByRole('table', {name: 'Plugins', exact: true}).waitFor();

      await open(page, 'Query', 'Query');
      await tabTo(page, 'Expression');
      await page.keyboard.type("service_cpm{layer='GENERAL',service='songs'}");
      await page.keyboard.press('Escape');
      await page.keyboard.press('Enter');
      const row = page
        .getByRole('table', {name: 'Result', exact: true})
        .getByRole('row', {name: /service="songs".* 10$/});
      await row.waitFor();
      await tabTo(page, 'Range');
      await page.keyboard.press('ArrowDown');
      await page.waitForURL(/range=/);
      await tabTo(page, 'Compare with yesterday');
      await page.keyboard.press('Space');
      await page.waitForURL(/yesterday=/);
      await tabTo(page, /service="songs"/);
      await page.keyboard.press('Enter');
      await page.waitForURL(/only=/);

      await open(page, 'Traces', 'Traces');
      await tabTo(page, 'Source');
      await page.keyboard.press('c');
      await page.waitForURL(/source=compat/);
      await tabTo(page, 'Query');
      await page.keyboard.press('Escape');
      await tabTo(page, 'Search');
      await page.keyboard.press('Enter');
      await page.getByRole('table', {name: 'Traces', exact: true}).getByRole('link').waitFor();
      await open(page, 'songs get /songs', 'songs get /songs');
      await tabTo(page, 'Find in trace');
      await page.keyboard.type('select');
      await page.keyboard.press('Enter');
      await page.getByText('1 found').waitFor();
      await tabTo(page, 'Fold all');
      await page.keyboard.press('Enter');
      await page.getByText(/1 row shown/).waitFor();
      await tabTo(page, 'Unfold all');
      await page.keyboard.press('Enter');
      await tabTo(page, 'Spans');
      await page.keyboard.press('ArrowDown');
      await page.getByRole('region', {name: 'Span', exact: true}).getByText('db', {exact: true}).first().waitFor();

      await open(page, 'Services', 'Services');
      await page.getByRole('figure', {name: 'Topology', exact: true}).getByRole('link', {name: 'songs'}).waitFor();
      await open(page, 'songs', 'songs');
      await page.getByRole('figure', {name: 'service_cpm', exact: true}).waitFor();
      await open(page, 'service_cpm', 'Query');

      await open(page, 'Fleet', 'Fleet');
      await page.getByRole('option', {name: 'memory', exact: true}).waitFor({state: 'attached'});
      await tabTo(page, 'Metric');
      await page.keyboard.press('m');
      await page.waitForURL(/metric=memory/);

      await open(page, 'Overview', 'Overview');
    });
  });

  test.serial('the fleet page has the agents by role and state, the cluster, and a window of a metric', async t => {
    await visit(t, '/fleet', async watched => {
      const {page} = watched;
      const table = page.getByRole('table', {name: 'Agents', exact: true});
      await table.getByRole('row', {name: /^data-0 data online .* data type=hot/i}).waitFor();
      await table.getByRole('row', {name: /^liaison-0 liaison online/i}).waitFor();
      await page.getByRole('img', {name: 'data-0:1', exact: true}).waitFor();
      const metric = page.getByRole('combobox', {name: 'Metric', exact: true});
      await metric.getByRole('option', {name: 'memory', exact: true}).waitFor({state: 'attached'});
      t.deepEqual(await metric.getByRole('option').allTextContents(), ['disk', 'memory']);
      t.deepEqual(await watched.barriers(), []);
    });
  });
});
