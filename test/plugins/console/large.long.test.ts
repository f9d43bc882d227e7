import test from 'ava';
import {TestBrowser} from '../../support/browser.js';
import {ownerOf} from '../../support/owner.js';
import {suiteWith} from '../../support/programs.js';
import {startConsole} from './gateway.js';
import {largeTrace, writeTrace} from './spans.js';
import {visitor} from './visit.js';

/** How many spans the large trace has. */
const SPANS = Number(process.env.CONSOLE_SPANS ?? 50_000);
const TRACE = '463ac35c9f6413ad48485a3953bb6124';
const ROW = 26;

const owner = ownerOf(test);
const shared: {browser?: TestBrowser; url: string} = {url: ''};
const visit = visitor(shared);

suiteWith(test, 'chromium', 'a large trace in a browser', () => {
  test.serial.before(async () => {
    const {urls} = await startConsole(owner);
    await writeTrace(urls.ingest ?? '', TRACE, largeTrace(SPANS, 6));
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
});
