import {gzipSync} from 'node:zlib';
import test from 'ava';
import {shown, startAgent} from './support/agent.js';
import {startEndpoint} from './support/fake-endpoint.js';
import {startScene} from './support/scene.js';
import {until} from './support/until.js';

const IDENTITY = 'node_role="ROLE_DATA",node_type="hot"';

interface Row {
  readonly title: string;
  readonly page: string;
  /** The latest metrics, with their type and description where they have one. */
  readonly metrics: readonly string[];
}

const ROWS: readonly Row[] = [
  {
    title: 'every series carries who it is from, and the type and help of its family',
    page: '# HELP a_total All of them.\n# TYPE a_total counter\na_total{k="v"} 2\n',
    metrics: [`a_total{k="v",${IDENTITY},pod_name="data-hot-0"} 2 METRIC_TYPE_COUNTER All of them.`],
  },
  {
    title: 'the parts of histograms and summaries have the type and help of the whole',
    page: '# HELP h Times.\n# TYPE h histogram\nh_bucket{le="+Inf"} 3\nh_count 3\n# TYPE s summary\ns{quantile="0.5"} NaN\ns_sum 1\n',
    metrics: [
      `h_bucket{le="+Inf",${IDENTITY},pod_name="data-hot-0"} 3 METRIC_TYPE_HISTOGRAM Times.`,
      `h_count{${IDENTITY},pod_name="data-hot-0"} 3 METRIC_TYPE_HISTOGRAM Times.`,
      `s_sum{${IDENTITY},pod_name="data-hot-0"} 1 METRIC_TYPE_SUMMARY`,
      `s{${IDENTITY},pod_name="data-hot-0",quantile="0.5"} NaN METRIC_TYPE_SUMMARY`,
    ],
  },
  {
    title: 'a type and a help that come after the samples count too',
    page: 'g 1\nh_sum 2\n# TYPE g gauge\n# HELP g Late.\n# TYPE h histogram\n',
    metrics: [
      `g{${IDENTITY},pod_name="data-hot-0"} 1 METRIC_TYPE_GAUGE Late.`,
      `h_sum{${IDENTITY},pod_name="data-hot-0"} 2 METRIC_TYPE_HISTOGRAM`,
    ],
  },
  {
    title: 'a scraped label that an identity label takes the name of is kept as an exported one',
    page: 'a{pod_name="x",node_type="y",exported_pod_name="z"} 1\n',
    metrics: [
      `a{exported_exported_pod_name="x",exported_node_type="y",exported_pod_name="z",${IDENTITY},pod_name="data-hot-0"} 1 METRIC_TYPE_UNTYPED`,
    ],
  },
  {
    title: 'a scraped container name stays where none is configured',
    page: 'a{container_name="x"} 1\n',
    metrics: [`a{container_name="x",${IDENTITY},pod_name="data-hot-0"} 1 METRIC_TYPE_UNTYPED`],
  },
  {
    title: 'of a series that comes twice the last value stands',
    page: 'a{k="v"} 1\nb 2\na{k="v"} 3\n',
    metrics: [
      `a{k="v",${IDENTITY},pod_name="data-hot-0"} 3 METRIC_TYPE_UNTYPED`,
      `b{${IDENTITY},pod_name="data-hot-0"} 2 METRIC_TYPE_UNTYPED`,
    ],
  },
  {
    title: 'values that are no finite numbers, values in any script and long ones arrive as they are',
    page: `a{k="é😀\\"\\n"} +Inf\n{"größe"} -Inf\nb{k="${'x'.repeat(3000)}"} 1\n`,
    metrics: [
      `a{k="é😀"\n",${IDENTITY},pod_name="data-hot-0"} Infinity METRIC_TYPE_UNTYPED`,
      `gr__e{${IDENTITY},pod_name="data-hot-0"} -Infinity METRIC_TYPE_UNTYPED`,
      `b{k="${'x'.repeat(3000)}",${IDENTITY},pod_name="data-hot-0"} 1 METRIC_TYPE_UNTYPED`,
    ],
  },
  {
    title: 'names in quotation marks become what the format allows without them, which those that are so already win',
    page: '# TYPE "utf8.name" counter\n# HELP "utf8.name" Dots.\n{"utf8.name",c="d"} 16\nm{"a.b"="1",a_b="2","c d"="3"} 4\n{"utf8_name"} 5\n',
    metrics: [
      `m{a_b="2",c_d="3",${IDENTITY},pod_name="data-hot-0"} 4 METRIC_TYPE_UNTYPED`,
      `utf8_name{c="d",${IDENTITY},pod_name="data-hot-0"} 16 METRIC_TYPE_COUNTER Dots.`,
      `utf8_name{${IDENTITY},pod_name="data-hot-0"} 5 METRIC_TYPE_COUNTER Dots.`,
    ],
  },
  {
    title: 'a series is the same in whatever order its labels are written, and of several the last one stands',
    page: 'm{a="1",b="2"} 1\nm{b="2",a="1"} 2\n',
    metrics: [`m{a="1",b="2",${IDENTITY},pod_name="data-hot-0"} 2 METRIC_TYPE_UNTYPED`],
  },
  {
    title: 'help texts have the escapes of the format on the wire',
    page: '# HELP e first line\\nsecond "line" \\\\ and \\d\ne 1\n',
    metrics: [`e{${IDENTITY},pod_name="data-hot-0"} 1 METRIC_TYPE_UNTYPED first line\\nsecond "line" \\\\ and \\\\d`],
  },
  {
    title: 'a byte order mark before the first line is no part of it',
    page: '\ufefffirst 1\nsecond{k="é"} 2\n',
    metrics: [
      `first{${IDENTITY},pod_name="data-hot-0"} 1 METRIC_TYPE_UNTYPED`,
      `second{k="é",${IDENTITY},pod_name="data-hot-0"} 2 METRIC_TYPE_UNTYPED`,
    ],
  },
  {
    title: 'lines that are no samples cost only themselves',
    page: 'good 1\n=== 7\nno_value\nbad-name 1\nbad-name not_a_number\nalso_good 2\n',
    metrics: [
      `also_good{${IDENTITY},pod_name="data-hot-0"} 2 METRIC_TYPE_UNTYPED`,
      `good{${IDENTITY},pod_name="data-hot-0"} 1 METRIC_TYPE_UNTYPED`,
    ],
  },
  {title: 'an empty page gives an empty answer', page: '', metrics: []},
];

for (const {title, page, metrics} of ROWS) {
  test(title, async t => {
    const {proxy, scraped} = await startScene(t, {page});
    await proxy.registration();
    await scraped();
    const answer = await proxy.metrics();
    const lines = answer.metrics.map(each => `${shown(each)} ${each.type} ${each.description}`.trim());
    t.deepEqual(lines.sort(), [...metrics].sort());
    t.true(answer.metrics.every(({timestamp}) => timestamp === null));
    t.truthy(answer.timestamp);
  });
}

test('a bad number fails its endpoint visibly, and the endpoint is left out of the latest metrics until it is good again', async t => {
  const other = await startEndpoint(t, 'b 1\n');
  const endpoint = await startEndpoint(t, 'a 1\n');
  const flags = {'poll-metrics-ports': `${endpoint.port},${other.port}`, 'container-names': 'first,second'};
  const {proxy, agent} = await startScene(t, {flags});
  const names = async () => (await proxy.metrics()).metrics.map(({name}) => name);
  const up = `diagnostics_scrape_up{port="${endpoint.port}",container_name="first"}`;
  const state = async (wanted: number) => {
    while ((await agent.own(up)) !== wanted) await new Promise(resolve => setTimeout(resolve, 10));
  };
  await state(1);
  t.deepEqual(await names(), ['a', 'b']);

  endpoint.page = 'a 1\nbroken 12x\n';
  await state(0);
  t.deepEqual(await names(), ['b']);
  const line = await agent.logged('an endpoint could not be scraped');
  t.like(line, {url: `http://localhost:${endpoint.port}/metrics`, reason: 'line 2: "12x" is not a number'});
  t.is(line.text, 'broken 12x');
  t.is(await agent.own(up.replace('first', 'second').replace(`${endpoint.port}`, `${other.port}`)), 1);
  t.is(agent.log.filter(({msg, level}) => msg === line.msg && level === 'warn').length, 1);

  endpoint.page = 'a 2\n';
  await state(1);
  t.deepEqual(await names(), ['a', 'b']);
});

test('the proxy is told with the metrics, and in windows, of each endpoint whether it could be scraped', async t => {
  const endpoint = await startEndpoint(t, 'a 1\n');
  const flags = {'poll-metrics-ports': `${endpoint.port},1`, 'container-names': 'first,second'};
  const {proxy} = await startScene(t, {flags});
  await proxy.registration();
  const ups = async (window = {}) => {
    const {metrics} = await proxy.allMetrics(window);
    return metrics.filter(({name}) => name === 'diagnostics_scrape_up');
  };
  await until(async () => (await ups()).length === 2, 'both scrapes');
  const line = (container: string, port: number, value: number): string =>
    `diagnostics_scrape_up{container_name="${container}",${IDENTITY},pod_name="data-hot-0",port="${port}"} ${value}`;
  t.deepEqual((await ups()).map(shown), [line('first', endpoint.port, 1), line('second', 1, 0)]);
  endpoint.page = 'a x\n';
  await until(async () => (await ups()).map(shown)[0] === line('first', endpoint.port, 0), 'a scrape that failed');
  const history = await ups({start_time: {seconds: '0', nanos: 0}});
  const values = history.filter(({labels}) => labels.port !== '1').map(({value}) => value);
  t.true(values.includes(0) && values.includes(1));
  t.true(history.every(({timestamp, type}) => timestamp !== null && type === 'METRIC_TYPE_GAUGE'));
});

test('skipped lines and repeated samples are counted and logged', async t => {
  const {agent, endpoint, proxy, scraped} = await startScene(t, {page: 'a 1\na 2\nb\n'});
  await proxy.registration();
  await scraped();
  const labels = `{port="${endpoint.port}",container_name=""}`;
  t.true(((await agent.own(`diagnostics_scrape_skipped_lines_total${labels}`)) ?? 0) > 0);
  t.true(((await agent.own(`diagnostics_scrape_repeated_samples_total${labels}`)) ?? 0) > 0);
  t.is(await agent.own(`diagnostics_scrape_samples${labels}`), 1);
  t.like(await agent.logged('lines of a metrics page were skipped'), {
    url: `http://localhost:${endpoint.port}/metrics`,
    lines: 1,
    first: 'line 3: the line has no value',
    text: 'b',
  });
});

const LASTING = [
  {title: 'a bad number', line: (count: number) => `a ${count}x`, message: 'an endpoint could not be scraped'},
  {
    title: 'a line without structure',
    line: (count: number) => `a-b ${count}`,
    message: 'lines of a metrics page were skipped',
  },
];

for (const {title, line, message} of LASTING) {
  test(`${title} that stays on a page is a warning once, and again when it comes back`, async t => {
    let count = 0;
    const {agent, endpoint, proxy, scraped} = await startScene(t);
    await proxy.registration();
    const broken = (_: unknown, response: {end(text: string): void}): void =>
      response.end(`good 1\n${line(count++)}\n`);
    const warnings = () => agent.log.filter(({msg, level}) => msg === message && level === 'warn').length;
    endpoint.page = broken;
    await until(() => agent.log.filter(({msg}) => msg === message).length >= 3, 'three scrapes');
    t.is(warnings(), 1);
    endpoint.page = 'good 1\n';
    await scraped();
    endpoint.page = broken;
    await until(() => warnings() === 2, 'another warning');
  });
}

test('a series that the page no longer has is left out of the latest metrics and stays in windows, with its own time', async t => {
  const before = Date.now();
  const {proxy, endpoint, scraped} = await startScene(t, {page: 'gone 1\nkept 1\n'});
  await proxy.registration();
  await scraped();
  endpoint.page = 'kept 2\n';
  await scraped();
  const changed = Date.now();
  t.deepEqual(
    (await proxy.metrics()).metrics.map(({name, value}) => [name, value]),
    [['kept', 2]],
  );

  const {metrics} = await proxy.metrics({start_time: {seconds: '0', nanos: 0}});
  const times = metrics
    .filter(({name}) => name === 'gone')
    .map(({timestamp}) => Number(timestamp?.seconds) * 1000 + (timestamp?.nanos ?? 0) / 1e6);
  t.true(times.length > 0);
  t.true(times.every(time => time >= before && time <= changed));
  t.deepEqual(
    [...times].sort((a, b) => a - b),
    times,
  );
  const kept = new Set(metrics.filter(({name}) => name === 'kept').map(({value}) => value));
  t.deepEqual(kept, new Set([1, 2]));

  const past = await proxy.metrics({end_time: {seconds: '1', nanos: 0}});
  t.deepEqual(past.metrics, []);
  const last = metrics.at(-1)?.timestamp ?? null;
  const exact = await proxy.metrics({start_time: last, end_time: last});
  t.deepEqual(
    exact.metrics.map(({name}) => name),
    ['kept'],
  );
});

test('a page may be compressed or redirected, and no format is asked for', async t => {
  const {proxy, endpoint} = await startScene(t);
  await proxy.registration();
  endpoint.page = (request, response) => {
    if (request.url === '/metrics') response.writeHead(302, {location: '/elsewhere'}).end();
    else response.writeHead(200, {'content-encoding': 'gzip'}).end(gzipSync('zipped 1\n'));
  };
  const redirected = (): number => endpoint.requests.filter(({url}) => url === '/elsewhere').length;
  await until(() => redirected() >= 2, 'two scrapes');
  t.deepEqual(
    (await proxy.metrics()).metrics.map(({name}) => name),
    ['zipped'],
  );
  const [first] = endpoint.requests;
  t.is(first?.url, '/metrics');
  t.is(first?.headers['accept-encoding'], 'gzip');
  t.is(first?.headers.accept, undefined);
});

for (const coding of ['GZIP', 'x-gzip', 'X-Gzip', 'identity, gzip', 'Identity']) {
  test(`a page may name its coding as ${coding}`, async t => {
    const {proxy, endpoint, scraped} = await startScene(t);
    await proxy.registration();
    endpoint.page = (_, response) => {
      const body = /gzip/i.test(coding) ? gzipSync('coded 1\n') : 'coded 1\n';
      response.writeHead(200, {'content-encoding': coding}).end(body);
    };
    await scraped();
    t.deepEqual(
      (await proxy.metrics()).metrics.map(({name}) => name),
      ['coded'],
    );
  });
}

interface Failure {
  readonly title: string;
  readonly status: number;
  readonly encoding?: string;
  readonly location?: string;
  readonly body?: string | Buffer;
  readonly reason: RegExp;
  /** Requests until it is given up. */
  readonly tries: number;
}

const FAILURES: readonly Failure[] = [
  {
    title: 'a page without a single sample',
    status: 200,
    body: '<!doctype html>\n<html>\n',
    reason: /^line 1: the line does not begin with a metric name$/,
    tries: 1,
  },
  {
    title: 'a redirect in a circle',
    status: 302,
    location: '/metrics?secret=x',
    reason: /^it redirects more than 10 times, at last to http:\/\/localhost:\d+\/metrics$/,
    tries: 11,
  },
  {
    title: 'a redirect to nowhere',
    status: 301,
    location: 'ftp://host/x',
    reason: /^it redirects to "ftp:\/\/host\/x", which is no HTTP address$/,
    tries: 1,
  },
  {
    title: 'a redirect to where nothing listens',
    status: 307,
    location: 'http://localhost:1/',
    reason: /^it redirects to http:\/\/localhost:1\/: .*ECONNREFUSED/,
    tries: 3,
  },
  {
    title: 'a redirect without an address',
    status: 308,
    reason: /^it answered with status 308 without saying where the page is$/,
    tries: 1,
  },
  {title: 'a page that is not there', status: 404, body: 'nothing', reason: /^it answered with status 404$/, tries: 1},
  {title: 'a server that fails', status: 500, body: 'nothing', reason: /^it answered with status 500$/, tries: 3},
  {
    title: 'an unknown encoding',
    status: 200,
    encoding: 'br',
    body: 'x',
    reason: /^its content encoding is br/,
    tries: 1,
  },
  {
    title: 'a page that is compressed twice',
    status: 200,
    encoding: 'gzip, gzip',
    body: 'x',
    reason: /^its content encoding is gzip, gzip/,
    tries: 1,
  },
  {
    title: 'bad compression',
    status: 200,
    encoding: 'gzip',
    body: 'x',
    reason: /^its gzip content cannot be read/,
    tries: 1,
  },
  {
    title: 'a bomb',
    status: 200,
    encoding: 'gzip',
    body: gzipSync(Buffer.alloc(2 ** 26 + 1)),
    reason: /^its page has more than 67108864 bytes$/,
    tries: 1,
  },
];

for (const {title, status, encoding, location, body, reason, tries} of FAILURES) {
  test(`${title} is reported after ${tries} requests`, async t => {
    const endpoint = await startEndpoint(t, (_, response) => {
      if (encoding !== undefined) response.setHeader('content-encoding', encoding);
      if (location !== undefined) response.setHeader('location', location);
      response.writeHead(status).end(body);
    });
    const agent = await startAgent(t, {'poll-metrics-ports': endpoint.port, 'poll-metrics-interval': '1h'});
    const line = await agent.logged('an endpoint could not be scraped');
    t.regex(String(line.reason), reason);
    // On a machine under load a chain of redirects may be cut by the timeout and begun anew: its last attempt counts.
    const begun = tries > 3 ? endpoint.requests.findLastIndex(({url}) => url === '/metrics') : 0;
    t.is(endpoint.requests.length - begun, tries);
    t.is(await agent.own(`diagnostics_scrape_failures_total{port="${endpoint.port}",container_name=""}`), 1);
  });
}

test('an endpoint where nothing listens is reported with its address', async t => {
  const agent = await startAgent(t, {'poll-metrics-ports': 1});
  const line = await agent.logged('an endpoint could not be scraped');
  t.regex(String(line.reason), /ECONNREFUSED/);
  t.is(line.url, 'http://localhost:1/metrics');
});

test('an endpoint that fails does not hold up the others', async t => {
  const slow = await startEndpoint(t, () => undefined);
  const {agent} = await startScene(t);
  const endpoint = await startEndpoint(t, 'a 1\n');
  const both = await startAgent(t, {'poll-metrics-ports': `${slow.port},${endpoint.port}`});
  await until(() => endpoint.requests.length > 0, 'a scrape');
  while ((await both.own(`diagnostics_scrape_up{port="${endpoint.port}",container_name=""}`)) !== 1) {
    await new Promise(resolve => setTimeout(resolve, 10));
  }
  t.is(await both.own(`diagnostics_scrape_up{port="${slow.port}",container_name=""}`), 0);
  await agent.stop();
});
