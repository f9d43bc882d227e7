import test from 'ava';
import type {Page} from 'playwright-core';
import {TestBrowser, type WatchedPage} from '../../support/browser.js';
import {ownerOf} from '../../support/owner.js';
import {suiteWith} from '../../support/programs.js';
import {drawingOf, recordDrawings} from './drawings.js';
import {callsOf, HOSTILE, lastMinute, startConsole, writeMetrics} from './gateway.js';
import {moveBelow} from './moving-proxy.js';
import {visitor} from './visit.js';

const owner = ownerOf(test);
const shared: {browser?: TestBrowser; url: string} = {url: ''};
const CPM = "service_cpm{layer='GENERAL',service='songs'}";
const APP_CPM = "service_cpm{layer='GENERAL',service='app'}";
/** A series as the legend names it, in an address. */
const APP = encodeURIComponent('service_cpm{layer="GENERAL", scope="Service", service="app"}');
const ALL = "service_cpm{layer='GENERAL',top_n='100',order='DES'}";

const visit = visitor(shared);
/** The last minute that has values, where an address says no other end: the tests may take as long as they want. */
const END = lastMinute();
const queryPath = (expression: string, more = ''): string =>
  `/query?expr=${encodeURIComponent(expression)}${more}${more.includes('&end=') ? '' : `&end=${END}`}`;
let ingest = '';
/** A value of now, for what is asked without an end. */
const writeFresh = (): Promise<void> => writeMetrics(ingest, callsOf(['songs'], 1));

suiteWith(test, 'chromium', 'the pages of the console in a browser', () => {
  test.before(async () => {
    const gateway = await startConsole(owner, {prefix: '/ui'});
    ingest = gateway.urls.ingest ?? '';
    await writeMetrics(ingest, callsOf(['songs', 'app', ...HOSTILE], 30, END));
    await writeMetrics(ingest, thriceYesterday(callsOf(['songs', 'app'], 30, END)));
    shared.url = `${gateway.urls.console}/ui`;
    shared.browser = await TestBrowser.open();
    owner.teardown(() => shared.browser?.close());
  });

  for (const [path, heading, ready] of [
    ['/', 'Overview', 'table "Plugins"'],
    [queryPath(CPM), 'Query', 'figure "Plot"'],
  ] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test.serial(`${heading} has no barriers in ${colorScheme}, and at 360 pixels no way sideways`, async t => {
        const [, role = '', name = ''] = /^(\w+) "(.*)"$/.exec(ready) ?? [];
        const look = async (watched: WatchedPage): Promise<void> => {
          await watched.page.getByRole('heading', {name: heading, level: 1, exact: true}).waitFor();
          await watched.page.getByRole(role as 'table', {name, exact: true}).waitFor();
          t.deepEqual(await watched.barriers(), []);
          t.true((await watched.sideways()) <= 0);
        };
        await visit(t, path, look, {colorScheme});
        await visit(t, path, look, {colorScheme, viewport: {width: 360, height: 700}});
      });
    }
  }

  test.serial('the overview tells the state of the plugins, the storage and the traffic', async t => {
    await visit(t, '/', async ({page}) => {
      const table = page.getByRole('table', {name: 'Plugins', exact: true});
      await table.getByRole('row', {name: /^promql-subset ok metrics/}).waitFor();
      await page.getByText('metrics.query.v1', {exact: true}).waitFor();
      await page.getByText('Requests answered').waitFor();
      t.is(await page.title(), 'Overview · query-gateway');
    });
  });

  test.serial(
    'an expression is written, run by Enter, and stands in the address, which shows the same again',
    async t => {
      await writeFresh();
      await visit(t, '/query', async ({page}) => {
        const editor = page.getByRole('textbox', {name: 'Expression', exact: true});
        await editor.click();
        await page.keyboard.type(CPM);
        await page.keyboard.press('Enter');
        const table = page.getByRole('table', {name: 'Result', exact: true});
        await table.getByRole('row', {name: /service="songs".* 10$/}).waitFor();
        const address = page.url();
        t.is(new URL(address).searchParams.get('expr'), CPM);
        await page.goto('about:blank');
        await page.goto(address);
        await table.getByRole('row', {name: /service="songs".* 10$/}).waitFor();
        const legend = page.getByRole('figure', {name: 'Plot'}).getByRole('list', {name: 'Legend'});
        t.is(await legend.getByRole('listitem').count(), 1);
      });
    },
  );

  test.serial('suggestions are names, labels and values of this gateway, taken by keyboard', async t => {
    await visit(t, '/query', async ({page}) => {
      await page.getByRole('textbox', {name: 'Expression', exact: true}).click();
      await page.keyboard.type('service_c');
      await take(page, 'service_cpm');
      await page.keyboard.type('{lay');
      await take(page, 'layer');
      await page.keyboard.type("GENERAL',serv");
      await take(page, 'service');
      // The list of values comes by itself.
      for (const name of HOSTILE) await page.getByRole('option', {name, exact: true}).waitFor({state: 'attached'});
      await page.keyboard.type('song');
      await take(page, 'songs');
      await page.keyboard.type('}');
      await page.keyboard.press('Enter');
      await page
        .getByRole('table', {name: 'Result'})
        .getByRole('row', {name: /service="songs"/})
        .waitFor();
      t.is(new URL(page.url()).searchParams.get('expr'), CPM);
    });
  });

  test.serial(
    'what the subset refuses is told while one types, and after a run in an alert, with line and column',
    async t => {
      await visit(t, '/query', async ({page}) => {
        await page.getByRole('textbox', {name: 'Expression', exact: true}).click();
        await page.keyboard.type('rate(service_cpm[5m])');
        await page
          .getByText(/"rate" is not in this subset.*\(line 1, column 1\)/)
          .first()
          .waitFor();
        t.is(await page.getByRole('alert').count(), 0);
        await page.keyboard.press('Enter');
        await page
          .getByRole('alert')
          .getByText(/\(line 1, column 1\)/)
          .waitFor();
        t.is(await page.getByRole('alert').count(), 1);
      });
    },
  );

  test.serial('hostile names are text in the legend and the table, and change nothing', async t => {
    await visit(t, queryPath(ALL), async ({page}) => {
      const table = page.getByRole('table', {name: 'Result', exact: true});
      await table.getByRole('row').nth(HOSTILE.length).waitFor();
      const texts = (await table.textContent()) ?? '';
      for (const name of HOSTILE) t.true(texts.includes(JSON.stringify(name)), name);
      t.is(await page.locator('main img, main script').count(), 0);
    });
  });

  test.serial('the legend isolates a series, and the address remembers it', async t => {
    await visit(t, queryPath(ALL), async ({page}) => {
      const legend = page.getByRole('list', {name: 'Legend'});
      const item = legend.getByRole('button', {name: /service="songs"/});
      await item.click();
      await legend.getByRole('button', {name: /service="app"/, pressed: false}).waitFor();
      t.true(new URL(page.url()).searchParams.get('only')?.includes('service="songs"'));
      await item.press('Enter');
      await legend.getByRole('button', {name: /service="app"/, pressed: true}).waitFor();
    });
  });

  test.serial('every control of the query page is reached by Tab, the editor left by it', async t => {
    await visit(t, queryPath(CPM), async ({page}) => {
      await page.getByRole('figure', {name: 'Plot'}).waitFor();
      const names: string[] = [];
      for (let i = 0; i < 24; i++) {
        await page.keyboard.press('Tab');
        names.push(
          await page.evaluate(() => {
            const {activeElement: active} = (globalThis as unknown as {document: {activeElement: Focused}}).document;
            return active.getAttribute('aria-label') ?? active.labels?.[0]?.textContent ?? active.textContent ?? '';
          }),
        );
      }
      const wanted = [
        'Skip to content',
        'Overview',
        'Query',
        'Expression',
        'Run',
        'Range',
        'Time zone',
        'Auto refresh',
      ];
      t.deepEqual(
        wanted.filter(name => !names.includes(name)),
        [],
      );
    });
  });

  test.serial('UTC, a range and the day before are taken from the address', async t => {
    await visit(t, queryPath(CPM, '&zone=utc&range=15m&yesterday=1&stacked=1'), async ({page}) => {
      await page.getByRole('figure', {name: 'Plot'}).waitFor();
      t.is(await page.getByRole('combobox', {name: 'Range'}).inputValue(), '15m');
      t.is(await page.getByRole('combobox', {name: 'Time zone'}).inputValue(), 'utc');
      t.true(await page.getByRole('checkbox', {name: 'Compare with yesterday'}).isChecked());
      t.true(await page.getByRole('checkbox', {name: 'Stacked'}).isChecked());
    });
  });

  for (const [what, more, wanted] of [
    // Minutes had 10 to 39 calls of one service and 20 to 49 of the other, on the day before three times as many.
    ['expressions are a stack from zero', '&stacked=1', {lowest: 0, highest: 80, areas: 2, dashed: 0}],
    ['the day before is a stack of its own', '&stacked=1&yesterday=1', {lowest: 0, highest: 250, areas: 2, dashed: 2}],
    ['the day before is no stack unless asked', '&yesterday=1', {lowest: 0, highest: 150, areas: 0, dashed: 2}],
    ['an area alone stands on zero', `&stacked=1&range=5m&only=${APP}`, {lowest: 0, highest: 25, areas: 1, dashed: 0}],
  ] as const) {
    test.serial(`in a plot ${what}`, async t => {
      await visit(t, '/query', async ({page}) => {
        await recordDrawings(page);
        await page.goto(shared.url + queryPath(CPM, `&expr=${encodeURIComponent(APP_CPM)}${more}`));
        await page.getByRole('figure', {name: 'Plot'}).locator('canvas').waitFor();
        const {labels, areas, dashed} = await drawingOf(page);
        const values = labels.map(({text}) => Number(text)).filter(Number.isFinite);
        t.deepEqual({lowest: Math.min(...values), highest: Math.max(...values), areas, dashed}, wanted);
      });
    });
  }

  test.serial('no label of an axis is cut, however large its number', async t => {
    await visit(t, '/query', async ({page}) => {
      await recordDrawings(page);
      await page.goto(shared.url + queryPath(`-1e15*${CPM}`));
      await page.getByRole('figure', {name: 'Plot'}).locator('canvas').waitFor();
      const {labels} = await drawingOf(page);
      t.true(labels.some(({text}) => /e\+1\d$/.test(text)));
      t.deepEqual(
        labels.filter(({left}) => left < 0),
        [],
      );
    });
  });

  test.serial('values that cannot be drawn are counted beside the plot', async t => {
    await visit(t, queryPath(`${CPM}/0`), async ({page}) => {
      const status = page.getByRole('figure', {name: 'Plot'}).getByRole('status');
      await status.getByText('30 values are not finite and not drawn.', {exact: true}).waitFor();
      await page.goto(shared.url + queryPath(CPM));
      await page.getByRole('figure', {name: 'Plot'}).locator('canvas').waitFor();
      t.is(await status.count(), 0);
    });
  });

  for (const row of [
    ['range=abc, 1h', 'end=abc, now', 'zone=mars, local', 'refresh=1ms, off', 'stacked=0, off', 'yesterday=no, off'],
    ['range=0, 1h', 'end=0, now', 'refresh=30d, off'],
    ['range=-5, 1h', 'end=-5, now'],
    ['range=1e99, 1h', 'end=1e99, now'],
    ['range=0s, 1h', 'end=9999999999999, now'],
    ['range=99999999w, 1h'],
  ]) {
    const values = row.map(text => text.split(', '));
    const written = values.map(([value]) => value).join('&');
    test.serial(`${written} in the address is told not to be understood, with what is used`, async t => {
      await writeFresh();
      await visit(t, queryPath(CPM, `&${written}`), async ({page}) => {
        for (const [value, used] of values) {
          const told = `The address has ${value}, which is not understood: ${used} is used.`;
          await page.getByRole('status').getByText(told, {exact: true}).waitFor();
        }
        await page
          .getByRole('table', {name: 'Result'})
          .getByRole('row', {name: /service="songs".* 10$/})
          .waitFor();
        t.is(await page.getByRole('combobox', {name: 'Range'}).inputValue(), '1h');
        t.is(await page.getByRole('alert').count(), 0);
      });
    });
  }

  for (const side of ['left', 'right'] as const) {
    test.serial(
      `the narrowest drawing at the ${side} of a plot still chooses five minutes, within what is shown`,
      async t => {
        await visit(t, queryPath(CPM, '&range=1h'), async ({page}) => {
          const plot = page.getByRole('figure', {name: 'Plot'}).locator('.u-over');
          await plot.waitFor();
          await page.locator('section[aria-label="Answer"][aria-busy="false"]').waitFor();
          const {x, y, width} = (await plot.boundingBox()) ?? {x: 0, y: 0, width: 0};
          const begin = side === 'left' ? x + 5 : x + width - 15;
          await page.mouse.move(begin, y + 50);
          await page.mouse.down();
          await page.mouse.move(begin + 10, y + 50);
          await page.mouse.up();
          await page.waitForURL(/range=300s/);
          t.is(new URL(page.url()).searchParams.get('end'), String(side === 'left' ? END - 3300 : END));
        });
      },
    );
  }

  test.serial('the legend calls a number what the table calls it', async t => {
    await visit(t, `${queryPath('1+1', '&yesterday=1')}&expr=3`, async ({page}) => {
      await page
        .getByRole('table', {name: 'Result'})
        .getByRole('row', {name: /scalar .* 2$/})
        .waitFor();
      const items = page.getByRole('list', {name: 'Legend'}).getByRole('listitem');
      t.deepEqual(await items.allTextContents(), [
        'scalar',
        'scalar (yesterday)',
        'scalar (2)',
        'scalar (2) (yesterday)',
      ]);
    });
  });

  test.serial('the first view and the query page are small', async t => {
    for (const [path, most] of [
      ['/', 200_000],
      [queryPath(CPM), 500 * 1024],
    ] as const) {
      const watched = await shared.browser?.page();
      if (watched === undefined) throw new Error('the browser has not started');
      const sizes: Promise<number>[] = [];
      watched.page.on('requestfinished', request => {
        sizes.push(request.sizes().then(({responseBodySize}) => responseBodySize));
      });
      await watched.page.goto(shared.url + path, {waitUntil: 'networkidle'});
      const sum = (await Promise.all(sizes)).reduce((total, each) => total + each, 0);
      t.log(`${path}: ${sum} bytes`);
      t.true(sum > 10_000 && sum <= most, `${sum} bytes`);
      await watched.close();
    }
  });

  test.serial('behind a proxy that moves it below another path, every page and answer is found', async t => {
    const proxy = await moveBelow('/tools/gateway', `${shared.url}`);
    const watched = await shared.browser?.page();
    if (watched === undefined) throw new Error('the browser has not started');
    try {
      await watched.page.goto(`${proxy.url}/tools/gateway${queryPath(CPM)}`);
      await watched.page
        .getByRole('table', {name: 'Result'})
        .getByRole('row', {name: /service="songs"/})
        .waitFor();
      await watched.page.getByRole('navigation', {name: 'Pages'}).getByRole('link', {name: 'Overview'}).click();
      await watched.page.getByRole('row', {name: /^promql-subset ok/}).waitFor();
      t.is(watched.page.url(), `${proxy.url}/tools/gateway/`);
      await watched.page.getByRole('navigation', {name: 'Pages'}).getByRole('link', {name: 'Services'}).click();
      const topology = watched.page.getByRole('figure', {name: 'Topology', exact: true});
      await topology.getByRole('link', {name: 'songs', exact: true}).waitFor();
      t.deepEqual(watched.complaints, []);
    } finally {
      await watched.close();
      await proxy.close();
    }
  });
});

/** The same services a day earlier, with three times the calls. */
function thriceYesterday(records: readonly object[]): readonly object[] {
  const samples = records as readonly {readonly time?: number; readonly value?: number}[];
  return samples.flatMap(({time, value = 0, ...rest}) =>
    time === undefined ? [] : [{...rest, time: time - 86_400, value: value * 3}],
  );
}

/**
 * Chooses a suggestion by keyboard. In its first moments the list takes no keys, since they are meant for the text that one
 * is writing: so the arrow is pressed until it has reached the suggestion.
 */
async function take(page: Page, name: string): Promise<void> {
  const option = page.getByRole('option', {name, exact: true});
  await option.waitFor({state: 'attached'});
  for (let i = 0; (await option.getAttribute('aria-selected')) !== 'true'; i++) {
    if (i === 500) throw new Error(`the suggestion ${name} cannot be reached`);
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
}

interface Focused {
  getAttribute(name: string): string | null;
  readonly labels?: readonly {readonly textContent: string | null}[];
  readonly textContent: string | null;
}
