import http from 'node:http';
import test from 'ava';
import {type Answer, ask, encode, post} from '../../support/http.js';
import {M0, M1, M2} from './scene.js';
import {textOf, withScene} from './support.js';

const scene = withScene(test);

const SA = "service_cpm{service='A',layer='GENERAL'}";
const FORM = {'content-type': 'application/x-www-form-urlencoded'};

/** GET with a body, which some clients send. The body is not escaped. */
function getWithBody(path: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {...FORM, 'content-length': Buffer.byteLength(body)};
    const request = http.request(scene.url(path), {method: 'GET', headers}, response => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', chunk => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
    });
    request.on('error', reject);
    request.end(body);
  });
}

const ENDPOINTS: readonly (readonly [path: string, parameters: Readonly<Record<string, string>>])[] = [
  ['/api/v1/query', {query: `${SA} == ${SA}`, time: String(M2)}],
  ['/api/v1/query_range', {query: `100 - ${SA}`, start: String(M0), end: String(M2), step: '60'}],
  ['/api/v1/series', {'match[]': "service_traffic{layer='GENERAL'}", start: String(M0), end: String(M2)}],
  ['/api/v1/labels', {'match[]': 'service_cpm'}],
  ['/api/v1/format_query', {query: 'sum by (p) (x)/2'}],
];

for (const [path, parameters] of ENDPOINTS) {
  test(`${path} answers the same to GET, POST and a form body on GET`, async t => {
    const asGet = await scene.get(path, parameters);
    t.is(asGet.status, 200);
    t.is((await post(scene.url(path), parameters)).text, asGet.text);
    t.is((await post(scene.url(`${path}?${encode(parameters)}`))).text, asGet.text);
    const raw = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
    t.is(await getWithBody(path, raw.join('&')), asGet.text);
    const [first = '', ...others] = raw;
    t.is(await getWithBody(`${path}?${encodeURI(first)}`, others.join('&')), asGet.text);
  });
}

test('a form body on GET serves label values and metadata too', async t => {
  const values = await getWithBody('/api/v1/label/service/values', "match[]=service_traffic{layer='MY_LAYER'}");
  t.is(values, '{"status":"success","data":["order.service"]}');
  const metadata = await getWithBody('/api/v1/metadata', 'metric=service_cpm');
  t.is(
    metadata,
    '{"status":"success","data":{"service_cpm":[{"type":"gauge","help":"calls per minute","unit":"calls"}]}}',
  );
});

test('of a parameter in URL and body, the URL counts', async t => {
  const url = scene.url(`/api/v1/query?${encode({query: '1', time: '4'})}`);
  t.is(textOf(await post(url, {query: '2', time: '5'})), 'scalar 1@4');
});

test('match[] is joined from URL and body', async t => {
  const url = scene.url(`/api/v1/labels?${encode({'match[]': 'service_cpm'})}`);
  const answer = await post(url, {'match[]': 'endpoint_cpm'});
  t.deepEqual(answer.json().data, ['layer', 'service', 'top_n', 'order', 'endpoint', 'parent_service']);
});

test('a plus sign is a blank, %2B is a plus sign', async t => {
  const query = async (text: string): Promise<string> =>
    textOf(await ask(scene.url('/api/v1/query'), {method: 'POST', headers: FORM, body: `query=${text}&time=4`}));
  t.is(await query('1%2B1'), 'scalar 2@4');
  t.is(await query('1+*+3'), 'scalar 3@4');
  const time = await ask(scene.url('/api/v1/query'), {
    method: 'POST',
    headers: FORM,
    body: 'query=1&time=2026-01-20T11:27:18+08:00',
  });
  t.true(time.text.includes('[1768879638,"1"]'));
});

test('brackets, braces and quotes may stand in the request line as they are', async t => {
  const answer = await new Promise<string>((resolve, reject) => {
    const {hostname, port} = new URL(scene.url('/'));
    const path = "/api/v1/labels?match[]={__name__='service_cpm'}";
    http
      .get({hostname, port, path}, response => {
        let text = '';
        response.on('data', chunk => {
          text += chunk;
        });
        response.on('end', () => resolve(text));
      })
      .on('error', reject);
  });
  t.is(answer, '{"status":"success","data":["layer","service","top_n","order"]}');
});

test('HEAD is answered where GET is', async t => {
  const answer = await ask(scene.url(`/api/v1/query?${encode({query: '1'})}`), {method: 'HEAD'});
  t.is(answer.status, 200);
  t.is(answer.text, '');
});

test('buildinfo has six strings and a version, and nothing else', async t => {
  const expected = {version: '2.45.0', revision: '', branch: '', buildUser: '', buildDate: '', goVersion: ''};
  t.deepEqual((await scene.get('/api/v1/status/buildinfo')).json().data, expected);
  t.deepEqual((await post(scene.url('/api/v1/status/buildinfo'))).json().data, expected);
});

test('format_query takes comments out and gives the canonical form', async t => {
  const text = async (query: string): Promise<unknown> => scene.data('/api/v1/format_query', {query});
  t.is(await text('foo/bar'), 'foo / bar');
  t.is(await text('SUM(x)by(p) # total'), 'sum by (p) (x)');
  t.is(await text('sum(1)'), '400 bad_data: "sum" aggregates a vector, and its operand is a number (line 1, column 1)');
});

/** What Grafana's data source sends, with the answers that it needs. */
const GRAFANA: readonly (readonly [title: string, ask: () => Promise<Answer>, holds: (answer: Answer) => boolean])[] = [
  [
    'save and test',
    () => post(scene.url('/api/v1/query'), {query: '1+1', time: '4'}),
    ({text}) => text === '{"status":"success","data":{"resultType":"scalar","result":[4,"2"]}}',
  ],
  [
    'a panel',
    () => post(scene.url('/api/v1/query_range'), {query: SA, start: `${M0}`, end: `${M2}`, step: '15', timeout: '60s'}),
    answer => textOf(answer).endsWith('0@0 1@60 2@120'),
  ],
  [
    'an instant panel with milliseconds',
    () => post(scene.url('/api/v1/query'), {query: SA, time: `${M2}.781`}),
    answer => textOf(answer).endsWith(' 2@120'),
  ],
  [
    'the editor lists metrics',
    () => scene.get('/api/v1/label/__name__/values', {start: `${M0}`, end: `${M2}`, limit: '40000'}),
    ({text}) => text.includes('"service_cpm"'),
  ],
  [
    'the editor lists metadata',
    () => scene.get('/api/v1/metadata', {limit: '40000'}),
    ({text}) => text.includes('"service_cpm":[{"type":"gauge"'),
  ],
  [
    'the editor lists labels of a metric in braces',
    () => post(scene.url('/api/v1/labels'), {'match[]': '{__name__="service_cpm"}', start: `${M0}`, end: `${M2}`}),
    ({text}) => text.includes('"service"'),
  ],
  [
    'metrics drill-down',
    () => scene.get('/api/v1/labels', {limit: '40000', 'match[]': '{__name__=~".+",}'}),
    ({text}) => text.includes('"dest_service"'),
  ],
  [
    'the builder narrows metrics by a label',
    () => scene.get('/api/v1/label/__name__/values', {'match[]': '{layer="GENERAL",__name__=~".*cpm.*"}'}),
    ({text}) => text.includes('"service_cpm"') && !text.includes('percentile'),
  ],
  [
    'a variable by label_values',
    () =>
      scene.get('/api/v1/label/service/values', {
        'match[]': "service_traffic{layer='GENERAL'}",
        start: `${M0}`,
        end: `${M2}`,
        limit: '40000',
      }),
    ({text}) => text.startsWith('{"status":"success","data":["A","B"'),
  ],
  [
    'a variable by series, of older versions',
    () =>
      post(scene.url('/api/v1/series'), {'match[]': "service_traffic{layer='GENERAL'}", start: `${M0}`, end: `${M2}`}),
    ({text}) => text.includes('"service":"A"') && text.includes('"layer":"GENERAL"'),
  ],
  [
    'the metrics browser',
    () => scene.get('/api/v1/series', {'match[]': '{__name__!=""}', start: `${M0}`, end: `${M2}`, limit: '0'}),
    ({text}) => text.includes('"__name__":"service_cpm"'),
  ],
  [
    'a multi-value variable, escaped twice',
    () =>
      scene.get('/api/v1/label/service/values', {
        'match[]': "service_traffic{layer='MY_LAYER',service=~'order\\\\.service|x'}",
      }),
    ({text}) => text.includes('order.service'),
  ],
  [
    'a range of $__rate_interval',
    () => post(scene.url('/api/v1/query'), {query: `${SA}[1m0s]`, time: `${M2}`}),
    answer => textOf(answer).endsWith(' 1@60 2@120'),
  ],
  ['rules do not exist', () => scene.get('/api/v1/rules'), ({status}) => status === 404],
  [
    'exemplars do not exist',
    () => post(scene.url('/api/v1/query_exemplars'), {query: 'test', start: '1677548400000', end: '1677548460000'}),
    ({status}) => status === 404,
  ],
  ['it is not a Thanos', () => scene.get('/api/v1/status/flags'), ({status}) => status === 404],
  [
    'an ad-hoc filter by equality works',
    () => post(scene.url('/api/v1/query'), {query: 'service_cpm{service="A",layer="GENERAL"}', time: `${M1}`}),
    ({status}) => status === 200,
  ],
  [
    'any other ad-hoc filter fails loudly',
    () => post(scene.url('/api/v1/query'), {query: 'service_cpm{service=~"A",layer="GENERAL"}', time: `${M1}`}),
    answer => textOf(answer).startsWith('400 bad_data: "=~" is not in this subset'),
  ],
];

for (const [title, request, holds] of GRAFANA) {
  test(`Grafana: ${title}`, async t => {
    const answer = await request();
    t.true(holds(answer), answer.text);
    t.notThrows(() => answer.json());
  });
}
