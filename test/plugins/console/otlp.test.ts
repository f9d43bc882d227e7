import test from 'ava';
import {TestBrowser} from '../../support/browser.js';
import {ask} from '../../support/http.js';
import {ownerOf} from '../../support/owner.js';
import {suiteWith} from '../../support/programs.js';
import {HOSTILE, startConsole} from './gateway.js';
import {visitor} from './visit.js';

const owner = ownerOf(test);
const shared: {browser?: TestBrowser; url: string} = {url: ''};
const visit = visitor(shared);

const CALL = '0102030405060708090a0b0c0d0e0f10';
const JOB = '0102030405060708090a0b0c0d0e0f11';
const [MARKUP = ''] = HOSTILE;

/** An attribute as a sender writes it, and as the page shows it. */
const ATTRIBUTES = [
  ['text', {stringValue: MARKUP}, MARKUP],
  ['empty', {stringValue: ''}, ''],
  ['integer', {intValue: '9223372036854775807'}, '9223372036854775807'],
  ['zero', {intValue: 0}, '0'],
  ['double', {doubleValue: 0.5}, '0.5'],
  ['no', {boolValue: false}, 'false'],
  [
    'list',
    {arrayValue: {values: [{intValue: '9007199254740993'}, {stringValue: 'a"b'}, {boolValue: true}, {}]}},
    '[9007199254740993, "a\\"b", true, null]',
  ],
  ['map', {kvlistValue: {values: [{key: 'k', value: {arrayValue: {values: [{doubleValue: 1.5}]}}}]}}, '{"k": [1.5]}'],
] as const;

/** Two traces: a call with an event, and a job that links to a span of it. */
function requestAt(begin: bigint): object {
  const span = (spanId: string, name: string, more: object): object => ({
    spanId,
    name,
    kind: 2,
    startTimeUnixNano: String(begin),
    endTimeUnixNano: String(begin + 5_000_000n),
    ...more,
  });
  const call = span('1112131415161718', 'GET /users', {
    traceId: CALL,
    attributes: ATTRIBUTES.map(([key, value]) => ({key, value})),
    events: [
      {
        name: 'exception',
        timeUnixNano: String(begin + 2_000_000n),
        attributes: [{key: 'exception.escaped', value: {boolValue: true}}],
      },
    ],
    status: {code: 2, message: 'it broke'},
  });
  const job = span('2122232425262728', 'resize', {
    traceId: JOB,
    links: [
      {traceId: CALL, spanId: '1112131415161718', attributes: [{key: 'why', value: {stringValue: 'retry'}}]},
      {traceId: JOB, spanId: '3132333435363738'},
    ],
  });
  const part = span('3132333435363738', 'decode', {traceId: JOB, parentSpanId: '2122232425262728'});
  const ofService = (key: string, name: string, ...spans: readonly object[]): object => ({
    resource: {attributes: [{key, value: {stringValue: name}}]},
    scopeSpans: [{spans}],
  });
  return {resourceSpans: [ofService('service.name', 'users', call), ofService('faas.name', 'thumbnails', job, part)]};
}

suiteWith(test, 'chromium', 'traces of OTLP in a browser', () => {
  test.before(async () => {
    const {urls} = await startConsole(owner);
    const {status, text} = await ask(`${urls.otlp}/v1/traces`, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify(requestAt(BigInt(Date.now() - 60_000) * 1_000_000n)),
    });
    if (status !== 200 || text.includes('rejected')) throw new Error(`the spans were answered ${status}: ${text}`);
    shared.url = urls.console ?? '';
    shared.browser = await TestBrowser.open();
    owner.teardown(() => shared.browser?.close());
  });

  test.serial(
    'a search finds a trace by a typed attribute, and the span has its values and events as they came',
    async t => {
      await visit(
        t,
        `/traces?source=otlp&q=${encodeURIComponent('{span.integer=9223372036854775807}')}`,
        async watched => {
          const {page} = watched;
          const table = page.getByRole('table', {name: 'Traces', exact: true});
          await page.getByText('1 trace', {exact: true}).waitFor();
          await table.getByRole('link', {name: 'users GET /users'}).click();
          const region = page.getByRole('region', {name: 'Span', exact: true});
          await region.getByText('exception at 2 ms', {exact: true}).waitFor();
          t.regex((await page.getByTitle('exception', {exact: true}).getAttribute('style')) ?? '', /left: 40%/);
          const pairs = new Map(
            await region.locator('dl > div').evaluateAll(rows =>
              rows.map(row => {
                const [key, value] = (row as unknown as {children: {textContent: string}[]}).children;
                return [key?.textContent ?? '', value?.textContent] as const;
              }),
            ),
          );
          for (const [key, , shown] of ATTRIBUTES) t.is(pairs.get(key), shown, key);
          t.is(pairs.get('exception.escaped'), 'true');
          t.is(pairs.get('status'), 'it broke · error');
          t.is(pairs.get('service.name'), 'users');
          t.deepEqual(await watched.barriers(), []);
        },
      );
    },
  );

  test.serial(
    'a service named by its function is called so, and a link leads to the span of another trace',
    async t => {
      await visit(t, `/traces/otlp/${JOB}`, async ({page}) => {
        await page.getByRole('heading', {name: 'thumbnails resize', level: 1}).waitFor();
        const region = page.getByRole('region', {name: 'Span', exact: true});
        await region.getByText('retry', {exact: true}).waitFor();
        await region.getByRole('link', {name: `trace ${CALL}`}).press('Enter');
        await page.getByRole('heading', {name: 'users GET /users', level: 1}).waitFor();
        await page.getByRole('treeitem', {selected: true}).getByText('GET /users', {exact: true}).waitFor();
        t.regex(page.url(), new RegExp(`/traces/otlp/${CALL}\\?span=1112131415161718$`));
      });
    },
  );

  test.serial('a link to a span that is folded away unfolds what hides it', async t => {
    await visit(t, `/traces/otlp/${JOB}`, async ({page}) => {
      const items = page.getByRole('treeitem');
      await items.nth(1).waitFor();
      await page.getByRole('button', {name: 'Fold all', exact: true}).click();
      await items.nth(1).waitFor({state: 'detached'});
      await page.getByRole('link', {name: 'span 3132333435363738 of this trace'}).click();
      await page.getByRole('treeitem', {selected: true}).getByText('decode', {exact: true}).waitFor();
      t.is(await items.count(), 2);
    });
  });
});
