import test from 'ava';
import fc from 'fast-check';
import {FUZZ_RUNS} from '../../../support/fuzz.js';
import {ask} from '../../../support/http.js';
import {SHOP, T0, USERS_HEX} from '../scene.js';
import {withScene} from '../support.js';

const scene = withScene(test);
const RUNS = {numRuns: Math.ceil(FUZZ_RUNS / 2)};

const PATHS = [
  '/api/search',
  '/api/search/tags',
  '/api/v2/search/tags',
  '/api/search/tag/span.http.method/values',
  '/api/v2/search/tag/resource.service.name/values',
  `/api/traces/${SHOP}`,
  `/api/v2/traces/${USERS_HEX}`,
];

const time = fc.constantFrom('', '0', String(T0), String(T0 + 60), '-1', '1.5', '1e9', '253402300799', 'x');
const query = fc.constantFrom(
  '{}',
  '{resource.service.name="frontend" && span.http.method="GET" && duration>1ms}',
  '{status=error}',
  '{kind=server && name="post /"}',
  '{ span.foo = ',
  '{} | rate()',
  '{duration=0.1us && span."a b"=`c`}',
);
const tags = fc.constantFrom('service.name=frontend', 'a="b c" d=e', 'a', '=', 'a="');
const duration = fc.constantFrom('', '1ms', '100', '1h30m', '0.5us', '1d', '-1s');
const likely = fc.record({
  q: query,
  tags,
  minDuration: duration,
  maxDuration: duration,
  limit: fc.constantFrom('', '0', '1', '5000', '99999999999999999999', '-1', 'x'),
  start: time,
  end: time,
  scope: fc.constantFrom('', 'span', 'NONE', 'x'),
});
const name = fc.constantFrom('q', 'tags', 'minDuration', 'maxDuration', 'limit', 'start', 'end', 'scope', 'spss', 'x');
const text = fc.oneof(query, time, tags, fc.string({maxLength: 20}), fc.string({unit: 'binary', maxLength: 10}));
const pairs = fc.array(fc.tuple(name, text), {maxLength: 6});

const prefix = fc.constantFrom('/compat', '/native');
const inBody = fc.boolean();

async function answered(path: string, parameters: string, isForm: boolean): Promise<boolean> {
  const headers = {'content-type': 'application/x-www-form-urlencoded'};
  const url = scene.url(path);
  const answer = isForm ? await ask(url, {headers, body: parameters}) : await ask(`${url}?${parameters}`);
  const json = answer.json();
  if (answer.text.includes(':null')) return false;
  if (answer.status === 200) return !('error' in json);
  const {error} = json;
  return (
    [400, 404].includes(answer.status) && Object.keys(json).length === 1 && typeof error === 'string' && error !== ''
  );
}

test('likely parameters are answered in the form of the API', async t => {
  await fc.assert(
    fc.asyncProperty(prefix, fc.constantFrom(...PATHS), likely, inBody, (at, path, fields, isForm) =>
      answered(at + path, new URLSearchParams(fields).toString(), isForm),
    ),
    RUNS,
  );
  t.pass();
});

test('arbitrary parameters, tag names and ids are answered in the form of the API', async t => {
  const part = fc.string({unit: 'grapheme', minLength: 1, maxLength: 12}).map(encodeURIComponent);
  const path = fc.oneof(
    fc.constantFrom(...PATHS),
    part.map(tag => `/api/v2/search/tag/${tag}/values`),
    part.map(id => `/api/traces/${id}`),
  );
  const raw = fc.stringMatching(/^q=[{}"'`&|=a-c%20+<>.!~()\\]{0,20}$/);
  const parameters = fc.oneof(
    pairs.map(list => new URLSearchParams(list).toString()),
    raw.map(encodeURI),
  );
  await fc.assert(
    fc.asyncProperty(prefix, path, parameters, inBody, (at, where, list, isForm) => answered(at + where, list, isForm)),
    RUNS,
  );
  t.pass();
});
