import type {EntryType} from 'node:perf_hooks';
import test from 'ava';
import {TestBrowser} from '../../support/browser.js';
import {ownerOf} from '../../support/owner.js';
import {suiteWith} from '../../support/programs.js';
import {lastMinute, startConsole, writeMetrics} from './gateway.js';
import {largeTrace, writeTrace} from './spans.js';
import {visitor} from './visit.js';

/** How many spans the large trace has. */
const SPANS = Number(process.env.CONSOLE_SPANS ?? 50_000);
const TRACE = '463ac35c9f6413ad48485a3953bb6124';
const ROW = 26;
const SERVICES = 500;
const CALLS = 4;

const owner = ownerOf(test);
const shared: {browser?: TestBrowser; url: string} = {url: ''};
const visit = visitor(shared);

/** Each service calls others that come after it, near and far. */
function manyRelations(): readonly object[] {
  const name = (i: number): string => `service-${String(i % SERVICES).padStart(3, '0')}`;
  const [layer, time] = ['GENERAL', lastMinute()];
  const metric = 'service_relation_client_cpm';
  const samples = Array.from({length: SERVICES * CALLS}, (_, i) => {
    const from = i % SERVICES;
    const call = Math.floor(i / SERVICES);
    const ends = {layer, service: name(from), destLayer: layer, destService: name(from + 1 + call * (call + 3))};
    return {record: 'sample', metric, ...ends, time, value: 1 + (i % 97)};
  });
  return [{record: 'metric', name: metric, scope: 'ServiceRelation', kind: 'common'}, ...samples];
}

suiteWith(test, 'chromium', 'large things in a browser', () => {
  test.serial.before(async () => {
    const {urls} = await startConsole(owner);
    await writeTrace(urls.ingest ?? '', TRACE, largeTrace(SPANS, 6));
    await writeMetrics(urls.ingest ?? '', manyRelations());
    shared.url = urls.console ?? '';
    shared.browser = await TestBrowser.open();
    owner.teardown(() => shared.browser?.close());
  });

  test.serial('a large trace opens, scrolls to its end and is searched, with few rows in the page', async t => {
    await visit(t, '/traces?source=compat', async ({page}) => {
      const link = page.getByRole('table', {name: 'Traces'}).getByRole('link').first();
      await link.waitFor();
      const clicked = performance.now();
      await link.click();
      const tree = page.getByRole('tree', {name: 'Spans'});
      await tree.getByRole('treeitem').first().waitFor();
      const took = performance.now() - clicked;
      const answer = await page.evaluate(
        () =>
          performance.getEntriesByType('resource').find(({name}) => name.includes('/api/v2/traces/'))?.duration ?? 0,
      );
      const own = Math.round(took - answer);
      t.log(`from the click to the first rows ${Math.round(took)} ms, of which ${own} ms are not the server's answer`);
      await page.getByText(new RegExp(`^${SPANS.toLocaleString('en')} spans of 12 services`)).waitFor();
      t.true((await tree.getByRole('treeitem').count()) < 100);
      const frames = await tree.evaluate(async (element, row) => {
        const scroller = element as unknown as {scrollTop: number};
        const {requestAnimationFrame: next} = globalThis as unknown as {
          requestAnimationFrame(done: (at: number) => void): void;
        };
        const times: number[] = [];
        for (let i = 0; i < 120; i++) {
          scroller.scrollTop += 20 * row;
          times.push(await new Promise<number>(resolve => next(resolve)));
        }
        return times.slice(1).map((at, i) => at - (times[i] ?? at));
      }, ROW);
      frames.sort((a, b) => a - b);
      t.log(
        `of ${frames.length} frames of scrolling the median took ${frames[frames.length >> 1]?.toFixed(1)} ms, the 95th of 100 ${frames[Math.floor(frames.length * 0.95)]?.toFixed(1)} ms`,
      );
      await tree.focus();
      await page.keyboard.press('End');
      await tree.getByRole('treeitem', {selected: true}).waitFor();
      t.true((await tree.getByRole('treeitem').count()) < 100);
      await page.keyboard.press('Home');
      const find = page.getByRole('searchbox', {name: 'Find in trace'});
      await find.fill('operation 49');
      await find.press('Enter');
      await page.getByText(/^[\d,]+ found$/).waitFor();
    });
  });

  test.serial('a topology of 500 services and 2,000 relations is drawn whole, placed by another thread', async t => {
    await visit(t, '/fleet', async ({page}) => {
      await page.getByRole('heading', {name: 'Fleet', level: 1}).waitFor();
      const from = await page.evaluate(() => {
        const held = globalThis as unknown as {longest: number};
        held.longest = 0;
        new PerformanceObserver(list => {
          for (const {duration} of list.getEntries()) held.longest = Math.max(held.longest, duration);
        }).observe({type: 'longtask' as EntryType});
        return performance.now();
      });
      await page.getByRole('link', {name: 'Services', exact: true}).click();
      const figure = page.getByRole('figure', {name: 'Topology'});
      await figure.getByRole('link', {name: /^service-499/}).waitFor();
      const [shown, answered, longest] = await page.evaluate(() => {
        const asked = performance.getEntriesByType('resource').filter(({name}) => name.includes('/console/topology'));
        const end = Math.max(...asked.map(({startTime, duration}) => startTime + duration));
        return [performance.now(), end, (globalThis as unknown as {longest: number}).longest] as const;
      });
      t.log(
        `from the click to the picture ${Math.round(shown - from)} ms, from the answer ${Math.round(shown - answered)} ms; the page was held for at most ${Math.round(longest)} ms`,
      );
      t.is(await figure.getByRole('link').count(), SERVICES);
      t.is(await figure.locator('g.edge').count(), SERVICES * CALLS);
      const rows = page.getByRole('table', {name: 'Services'}).locator('tbody tr');
      await rows.nth(SERVICES * CALLS - 1).waitFor();
      t.is(await rows.count(), SERVICES * CALLS);
      const held = await page.evaluate(() => (globalThis as unknown as {longest: number}).longest);
      t.log(`with all rows of the table, for at most ${Math.round(held)} ms`);
    });
  });

  test.serial('the page of queries is usable from its first answer on', async t => {
    await visit(t, '/query', async ({page}) => {
      const editor = page.getByRole('textbox', {name: 'Expression', exact: true});
      await editor.waitFor();
      const usable = await page.evaluate(() => {
        const [load] = performance.getEntriesByType('navigation' as EntryType) as unknown as {responseStart: number}[];
        return performance.now() - (load?.responseStart ?? 0);
      });
      t.log(`usable ${Math.round(usable)} ms after the first byte`);
      await editor.pressSequentially('service_relation');
      await page.getByRole('option', {name: /service_relation_client_cpm/}).waitFor();
    });
  });
});
