import test from 'ava';
import {TestBrowser} from '../../support/browser.js';
import {ownerOf} from '../../support/owner.js';
import {suiteWith} from '../../support/programs.js';
import {HOSTILE, startConsole} from './gateway.js';
import {type SpanSketch, spanId, writeTrace} from './spans.js';
import {visitor} from './visit.js';

const owner = ownerOf(test);
const shared: {browser?: TestBrowser; url: string} = {url: ''};
const visit = visitor(shared);

const SHOP = '463ac35c9f6413ad48485a3953bb6124';
const NAMES = '463ac35c9f6413ad48485a3953bb6125';
const ORDER: readonly SpanSketch[] = [
  {id: 1, service: 'gateway', name: 'post /order', at: 0, took: 100_000},
  {id: 2, parent: 1, service: 'orders', name: 'create', at: 10_000, took: 80_000, tags: {'http.method': 'POST'}},
  {
    id: 3,
    parent: 2,
    service: 'orders-db',
    name: 'insert',
    at: 20_000,
    took: 20_000,
    tags: {'db.statement': 'insert into t'},
  },
  {id: 4, parent: 2, service: 'payment', name: 'charge', at: 45_000, took: 40_000, tags: {error: 'true'}},
  {id: 5, parent: 1, service: 'mail', name: 'send', at: 92_000, took: 5000},
];

suiteWith(test, 'chromium', 'the pages of traces in a browser', () => {
  test.before(async () => {
    const {urls} = await startConsole(owner);
    const ingest = urls.ingest ?? '';
    await writeTrace(ingest, SHOP, ORDER);
    const hostile = HOSTILE.map((name, i) => ({id: i + 1, service: name, name, at: i, took: 10, tags: {key: name}}));
    await writeTrace(ingest, NAMES, hostile);
    shared.url = urls.console ?? '';
    shared.browser = await TestBrowser.open();
    owner.teardown(() => shared.browser?.close());
  });

  for (const [path, heading, role, name] of [
    ['/traces?source=compat', 'Traces', 'table', 'Traces'],
    [`/traces/compat/${SHOP}`, 'gateway post /order', 'tree', 'Spans'],
    [`/traces/compat/${NAMES}`, /img/, 'tree', 'Spans'],
  ] as const) {
    test.serial(`${path} has no barriers, light or dark, and at 360 pixels no way sideways`, async t => {
      for (const options of [{}, {colorScheme: 'dark', viewport: {width: 360, height: 700}}] as const) {
        await visit(
          t,
          path,
          async watched => {
            await watched.page.getByRole('heading', {name: heading, level: 1}).waitFor();
            await watched.page.getByRole(role, {name, exact: true}).waitFor();
            t.deepEqual(await watched.barriers(), []);
            t.true((await watched.sideways()) <= 0);
          },
          options,
        );
      }
    });
  }

  test.serial('a search by the form says the same in its text, and its rows lead to the traces', async t => {
    await visit(t, '/traces?source=compat', async ({page}) => {
      await page.getByRole('combobox', {name: 'Service', exact: true}).fill('payment');
      await page.getByRole('checkbox', {name: 'Failed'}).check();
      const text = page.getByRole('textbox', {name: 'Query', exact: true});
      await page.getByText('{resource.service.name="payment" && status=error}').waitFor();
      await page.getByRole('button', {name: 'Search', exact: true}).click();
      const table = page.getByRole('table', {name: 'Traces', exact: true});
      await table.getByRole('link', {name: 'gateway post /order'}).waitFor();
      await page.waitForURL(/q=/);
      await page.getByText('1 trace', {exact: true}).waitFor();
      t.is(await table.getByRole('link').count(), 1);
      await text.click();
      await page.keyboard.press('Control+A');
      await page.keyboard.type('{resource.service.name="mail"}');
      await page.getByRole('combobox', {name: 'Service', exact: true}).waitFor();
      t.is(await page.getByRole('combobox', {name: 'Service', exact: true}).inputValue(), 'mail');
      t.false(await page.getByRole('checkbox', {name: 'Failed'}).isChecked());
      await table.getByRole('link').click();
      await page.getByRole('tree', {name: 'Spans'}).waitFor();
      t.regex(page.url(), new RegExp(`/traces/compat/${SHOP}$`));
      await page.reload();
      await page.getByRole('link', {name: 'All traces'}).click();
      await table.getByRole('link', {name: 'gateway post /order'}).waitFor();
      t.regex(page.url(), /q=/);
    });
  });

  test.serial('a refused query and an unknown trace are told in an alert, and the navigation stays', async t => {
    await visit(t, `/traces?source=compat&q=${encodeURIComponent('{a |}')}`, async ({page}) => {
      await page
        .getByRole('alert')
        .getByText(/\(line 1, column 4\)/)
        .waitFor();
      await page.getByRole('textbox', {name: 'Trace ID'}).fill('abcdef0123456789');
      await page.getByRole('textbox', {name: 'Trace ID'}).press('Enter');
      await page.getByRole('alert').getByText('The trace cannot be shown').waitFor();
      await page.getByRole('navigation', {name: 'Pages'}).getByRole('link', {name: 'Query'}).waitFor();
    });
  });

  test.serial('a native id is taken as agents log it, and a span that a trace lacks is told', async t => {
    await visit(t, '/traces?source=native', async ({page}) => {
      await page.getByRole('textbox', {name: 'Trace ID'}).fill('orders-1.55.17');
      await page.getByRole('textbox', {name: 'Trace ID'}).press('Enter');
      await page.waitForURL(`**/traces/native/${Buffer.from('orders-1.55.17').toString('hex')}`);
      await page.getByText('orders-1.55.17', {exact: true}).waitFor();
      await page.getByRole('alert').getByText('The trace cannot be shown').waitFor();
    });
    await visit(t, `/traces/compat/${SHOP}?span=${spanId(77)}`, async ({page}) => {
      await page
        .getByRole('status')
        .getByText(`The span ${spanId(77)} of the address is not in this trace.`)
        .waitFor();
    });
  });

  test.serial('a page whose gateway cannot be reached asks again until it can', async t => {
    const {page, close} = await openPage();
    await page.route('**/api/**', route => route.abort());
    await page.goto(`${shared.url}/traces?source=compat`);
    await page
      .getByRole('alert')
      .getByText(/cannot be reached/)
      .waitFor();
    await page.unroute('**/api/**');
    await page.getByRole('table', {name: 'Traces', exact: true}).waitFor();
    t.is(await page.getByRole('alert').count(), 0);
    await close();
  });

  test.serial('the waterfall is a tree by its keys, and the selected span is in the address', async t => {
    await visit(t, `/traces/compat/${SHOP}`, async ({page}) => {
      const tree = page.getByRole('tree', {name: 'Spans'});
      await page.getByText(/^5 spans of 5 services/).waitFor();
      const items = tree.getByRole('treeitem');
      t.deepEqual(
        await items.evaluateAll(all => all.map(item => (item as unknown as Attributed).getAttribute('aria-level'))),
        ['1', '2', '3', '3', '2'],
      );
      t.regex((await items.nth(3).textContent()) ?? '', /error/);
      const selected = tree.getByRole('treeitem', {selected: true});
      const region = page.getByRole('region', {name: 'Span', exact: true});
      await tree.focus();
      for (const [key, service] of [
        ['ArrowDown', 'orders'],
        ['ArrowRight', 'orders-db'],
        ['ArrowDown', 'payment'],
        ['ArrowLeft', 'orders'],
        ['End', 'mail'],
        ['Home', 'gateway'],
        ['ArrowDown', 'orders'],
      ] as const) {
        await page.keyboard.press(key);
        await selected.getByText(service, {exact: true}).waitFor();
        await region.getByText(service, {exact: true}).first().waitFor();
      }
      await page.keyboard.press('ArrowLeft');
      t.is(await items.count(), 3);
      t.is(await selected.getAttribute('aria-expanded'), 'false');
      await page.keyboard.press('ArrowRight');
      t.is(await items.count(), 5);
      await page.waitForURL(`**/compat/${SHOP}?span=${spanId(2)}`);
      await page.reload();
      await selected.getByText('orders', {exact: true}).waitFor();
      await tree.focus();
      await page.keyboard.press('ArrowLeft');
      await page.waitForURL(new RegExp(`folded=${spanId(2)}$`));
      await page.reload();
      await selected.getByText('orders', {exact: true}).waitFor();
      t.is(await items.count(), 3);
      await page.getByRole('button', {name: 'Fold all', exact: true}).click();
      await page.waitForURL(/folded=all$/);
      await page.reload();
      await page.getByText(/1 row shown/).waitFor();
    });
  });

  test.serial('a text is found in attributes, a service shown with what leads to it', async t => {
    await visit(t, `/traces/compat/${SHOP}`, async ({page}) => {
      const tree = page.getByRole('tree', {name: 'Spans'});
      const find = page.getByRole('searchbox', {name: 'Find in trace'});
      await page.getByRole('button', {name: 'Fold all', exact: true}).click();
      await find.fill('insert INTO');
      await find.press('Enter');
      await page.getByText('1 found').waitFor();
      await tree.getByRole('treeitem', {selected: true}).getByText('orders-db', {exact: true}).waitFor();
      await page.getByRole('combobox', {name: 'Service'}).selectOption('payment');
      await page.getByText(/3 rows shown/).waitFor();
      t.is(await tree.getByRole('treeitem').count(), 3);
    });
  });

  test.serial('what is typed stays while the page around it changes', async t => {
    await visit(t, `/traces/compat/${SHOP}`, async ({page}) => {
      await page.getByText(/^5 spans of 5 services/).waitFor();
      const find = page.getByRole('searchbox', {name: 'Find in trace'});
      await find.pressSequentially('insert ');
      // Selects a span, which the address tells a little later.
      await page.getByRole('tree', {name: 'Spans'}).getByRole('treeitem').nth(1).dispatchEvent('click');
      await page.waitForURL(new RegExp(`span=${spanId(2)}`));
      t.is(await find.inputValue(), 'insert ');
      await find.pressSequentially('INTO');
      await page.getByText('1 found').waitFor();
    });
    await visit(t, '/traces?source=compat', async ({page}) => {
      const name = page.getByRole('textbox', {name: 'Span name'});
      await name.pressSequentially('GET /cart 1');
      const least = page.getByRole('textbox', {name: 'Took at least'});
      await least.pressSequentially('1O ms');
      await page.getByText('a number and its unit, as 100ms').waitFor();
      await least.fill('10');
      await page.getByRole('checkbox', {name: 'Failed'}).check();
      t.is(await name.inputValue(), 'GET /cart 1');
      t.is(await least.inputValue(), '10');
      await least.press('End');
      await least.pressSequentially(' ms');
      t.regex(
        (await page.getByRole('textbox', {name: 'Query', exact: true}).textContent()) ?? '',
        /"GET \/cart 1".*10ms/,
      );
    });
  });

  test.serial('hostile names are text in the tree and beside it', async t => {
    await visit(t, `/traces/compat/${NAMES}`, async ({page}) => {
      const tree = page.getByRole('tree', {name: 'Spans'});
      await tree
        .getByRole('treeitem')
        .nth(HOSTILE.length - 1)
        .waitFor();
      const texts = (await tree.textContent()) ?? '';
      for (const name of HOSTILE) t.true(texts.toLowerCase().includes(name.toLowerCase()), name);
      t.is(await page.locator('main img, main script').count(), 0);
    });
  });
});

async function openPage() {
  const watched = await shared.browser?.page();
  if (watched === undefined) throw new Error('the browser has not started');
  return {page: watched.page, close: () => watched.close()};
}

interface Attributed {
  readonly id: string;
  getAttribute(name: string): string | null;
}
