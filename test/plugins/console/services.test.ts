import test from 'ava';
import {TestBrowser, type WatchedPage} from '../../support/browser.js';
import {ask} from '../../support/http.js';
import {ownerOf} from '../../support/owner.js';
import {suiteWith} from '../../support/programs.js';
import {callsOf, HOSTILE, lastMinute, startConsole, writeMetrics} from './gateway.js';
import {writeTrace} from './spans.js';
import {visitor} from './visit.js';

const owner = ownerOf(test);
const shared: {browser?: TestBrowser; url: string} = {url: ''};
const visit = visitor(shared);
const [MARKUP = '', SCRIPT = ''] = HOSTILE;
const TRACE = '463ac35c9f6413ad48485a3953bb6124';

function relation(from: string, to: string, calls: number, good: number): readonly object[] {
  const ends = {layer: 'GENERAL', service: from, destLayer: 'GENERAL', destService: to, time: lastMinute()};
  return [
    {record: 'sample', metric: 'service_relation_client_cpm', ...ends, value: calls},
    {record: 'sample', metric: 'service_relation_client_call_sla', ...ends, value: good},
  ];
}

const RELATIONS = [
  ...['cpm', 'call_sla'].map(what => ({
    record: 'metric',
    name: `service_relation_client_${what}`,
    scope: 'ServiceRelation',
    kind: 'common',
  })),
  ...relation('app', 'songs', 12, 10_000),
  ...relation('songs', 'db', 24, 7500),
  // A circle.
  ...relation('db', 'app', 1, 10_000),
  ...relation(MARKUP, SCRIPT, 2, 10_000),
];

test.before(async () => {
  const {urls} = await startConsole(owner);
  const ingest = urls.ingest ?? '';
  await writeMetrics(ingest, [...callsOf(['songs', 'alone', '..', ...HOSTILE], 5), ...RELATIONS]);
  const at = lastMinute();
  await writeMetrics(ingest, [
    {record: 'metric', name: 'endpoint_resp_time', scope: 'Endpoint', kind: 'common'},
    {
      record: 'sample',
      metric: 'endpoint_resp_time',
      layer: 'GENERAL',
      service: 'songs',
      endpoint: 'GET:/songs',
      time: at,
      value: 7,
    },
    // Quiet by now, and slower before: the list is about the range.
    {
      record: 'sample',
      metric: 'endpoint_resp_time',
      layer: 'GENERAL',
      service: 'songs',
      endpoint: 'GET:/charts',
      time: at - 1200,
      value: 90,
    },
    {
      record: 'entity',
      scope: 'ServiceInstance',
      layer: 'GENERAL',
      service: 'songs',
      serviceInstance: 'songs-0',
      time: at,
    },
  ]);
  await writeTrace(ingest, TRACE, [
    {id: 1, service: 'songs', name: 'get /songs', at: 0, took: 9000, tags: {error: 'true'}},
  ]);
  shared.url = urls.console ?? '';
});

interface Answer {
  readonly relations: readonly Readonly<Record<string, unknown>>[];
  readonly services: readonly Readonly<Record<string, unknown>>[];
}

test('the topology has each relation with its numbers, and services that have none', async t => {
  const answer = await ask(`${shared.url}/api/console/topology?range=3600`);
  t.is(answer.status, 200);
  const {relations, services} = answer.json<Answer>();
  const ends = {layer: 'GENERAL', service: 'songs', destLayer: 'GENERAL', destService: 'db'};
  t.deepEqual(
    relations.find(({service}) => service === 'songs'),
    {...ends, calls: 24, errors: 0.25},
  );
  t.is(relations.length, 4);
  t.true(services.some(({service}) => service === 'alone'));
});

for (const [title, query, message] of [
  ['another scope', 'scope=Service', /^scope: found "Service", expected one of ServiceRelation, /],
  [
    'a service without its layer',
    'service=songs',
    /^service: a service has a layer and a name, and there is no layer$/,
  ],
  [
    'a layer without its service',
    'layer=GENERAL',
    /^layer: a service has a layer and a name, and there is no service$/,
  ],
  ['a range that is none', 'range=soon', /^range: found "soon", expected a whole number of seconds$/],
] as const) {
  test(`the topology of ${title} is refused`, async t => {
    const {status, json} = await ask(`${shared.url}/api/console/topology?${query}`);
    t.is(status, 400);
    t.regex(json<{error: string}>().error, message);
  });
}

suiteWith(test, 'chromium', 'the pages of services in a browser', () => {
  test.before(async () => {
    shared.browser = await TestBrowser.open();
    owner.teardown(() => shared.browser?.close());
  });

  for (const [path, heading] of [
    ['/services', 'Services'],
    ['/services/GENERAL/songs', 'songs'],
    [`/services/GENERAL/${encodeURIComponent(MARKUP)}`, MARKUP],
    ['/fleet', 'Fleet'],
  ] as const) {
    test.serial(`${path} has no barriers, light or dark, and at 360 pixels no way sideways`, async t => {
      for (const options of [{}, {colorScheme: 'dark', viewport: {width: 360, height: 700}}] as const) {
        await visit(
          t,
          path,
          async watched => {
            await watched.page.getByRole('heading', {name: heading, level: 1, exact: true}).waitFor();
            const role = path === '/fleet' ? 'table' : 'figure';
            await watched.page.getByRole(role).first().waitFor();
            t.deepEqual(await watched.barriers(), []);
            t.true((await watched.sideways()) <= 0);
          },
          options,
        );
      }
    });
  }

  test.serial(
    'nodes and lines of the picture have names, the table says the same, and twice it is the same picture',
    async t => {
      const pictures: string[] = [];
      for (let i = 0; i < 2; i++) {
        await visit(t, '/services', async ({page}) => {
          const figure = page.getByRole('figure', {name: 'Topology', exact: true});
          await figure.getByRole('link', {name: 'alone', exact: true}).waitFor();
          for (const name of ['app to songs', 'songs to db', 'db to app', `${MARKUP} to ${SCRIPT}`]) {
            t.is(await figure.getByRole('img', {name, exact: true}).count(), 1, name);
          }
          for (const name of HOSTILE) t.is(await figure.getByRole('link', {name, exact: true}).count(), 1, name);
          const table = page.getByRole('table', {name: 'Services', exact: true});
          t.is(await table.getByRole('row', {name: /^songs GENERAL db GENERAL 24 25 %/}).count(), 1);
          t.is(await table.getByRole('row', {name: /^alone GENERAL nobody/}).count(), 1);
          pictures.push(
            await figure
              .locator('svg')
              .first()
              .evaluate(svg => (svg as unknown as {outerHTML: string}).outerHTML),
          );
        });
      }
      t.is(pictures[0], pictures[1]);
    },
  );

  test.serial('a picture whose worker is gone says so, and the table is there', async t => {
    const gone = async ({page}: WatchedPage): Promise<void> => {
      await page.route('**/layout-worker-*.js', route => route.fulfill({status: 404, body: ''}));
      await page.goto(`${shared.url}/services`);
      await page.getByRole('alert').getByText('The picture cannot be drawn').waitFor();
      await page.getByRole('table', {name: 'Services', exact: true}).waitFor();
    };
    await visit(t, '/query', gone);
  });

  test.serial('a service leads to its page: metrics, endpoints, instances and traces', async t => {
    await visit(t, '/services', async ({page}) => {
      const figure = page.getByRole('figure', {name: 'Topology', exact: true});
      await figure.getByRole('link', {name: 'songs', exact: true}).press('Enter');
      await page.getByRole('heading', {name: 'songs', level: 1}).waitFor();
      await page.getByRole('figure', {name: 'service_cpm', exact: true}).waitFor();
      await page.getByRole('row', {name: /^GET:\/songs 7 ms/}).waitFor();
      await page.getByRole('row', {name: /^GET:\/charts 90 ms/}).waitFor();
      await page.getByText('songs-0', {exact: true}).waitFor();
      await page.getByRole('link', {name: 'songs get /songs'}).first().click();
      await page.getByRole('tree', {name: 'Spans'}).waitFor();
      t.regex(page.url(), new RegExp(`/traces/compat/${TRACE}$`));
    });
  });

  test.serial('a service has a page under any name, and one that was never seen is told from a quiet one', async t => {
    const unseen = 'No service of this name was seen in this layer in the range.';
    await visit(t, '/services', async ({page}) => {
      const figure = page.getByRole('figure', {name: 'Topology', exact: true});
      await figure.getByRole('link', {name: '..', exact: true}).press('Enter');
      await page.getByRole('heading', {name: '..', level: 1, exact: true}).waitFor();
      await page.getByRole('figure', {name: 'service_cpm', exact: true}).waitFor();
      t.is(await page.getByText(unseen).count(), 0);
      await page.reload();
      await page.getByRole('heading', {name: '..', level: 1, exact: true}).waitFor();
      await page.goto(`${shared.url}/services/GENERAL/nobody`);
      await page.getByText(unseen).waitFor();
    });
  });

  test.serial('a fleet without agents says so', async t => {
    await visit(t, '/fleet', async ({page}) => {
      await page.getByText(/^No agent is registered/).waitFor();
      t.is(await page.getByRole('table', {name: 'Agents', exact: true}).count(), 1);
    });
  });
});
