import {readFileSync} from 'node:fs';
import test from 'ava';
import {ERROR_CODES, type ErrorCode, GatewayError} from '../../../core/api/errors.js';
import {renderError, renderPlainError} from '../../../core/http/render-error.js';
import {FIXTURE_ADAPTER} from '../../support/gateway.js';
import {get} from '../../support/http.js';
import {fixtureConfig, openGateway} from '../../support/library.js';

test('where no plugin has a form of its own, each code has the status that the documentation gives such paths', t => {
  const text = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');
  const documented = new Map([...text.matchAll(/^\| `(\w+)` \|.*\| (\d+) \|$/gm)].map(row => [row[1], Number(row[2])]));
  for (const code of ERROR_CODES) {
    const {status, body} = renderPlainError(new GatewayError(code, 'x'));
    t.is(status, documented.get(code) ?? 0, code);
    t.is(body, '{"error":"x"}');
  }
});

test('an answer of the admin listener that is late is a timeout', async t => {
  const {urls} = await openGateway(
    t,
    fixtureConfig({
      listeners: {admin: {port: 0, writeTimeout: 50}},
      storage: {use: FIXTURE_ADAPTER, config: {healthDelay: '1h'}},
    }),
  );
  const answer = await get(`${urls.admin}/-/ready`);
  t.is(answer.status, 504);
  t.deepEqual(answer.json(), {error: 'no answer within writeTimeout, 0.05 s'});
});

const MOUNT = {id: 'x', prefix: '/', renderError: renderPlainError};
const TOLD: readonly (readonly [ErrorCode, string, string])[] = [
  ['internal', 'undefined is not a function', 'internal error; the log has the details'],
  ['storage_failed', 'http://reader:secret@host is down', 'http://reader:(hidden)@host is down'],
  ['bad_request', 'found "http://a:b@c"', 'found "http://a:b@c"'],
];

test('what is internal and what is secret stays inside, whatever a plugin renders', t => {
  for (const [code, message, error] of TOLD) {
    t.deepEqual(JSON.parse(String(renderError(MOUNT, new GatewayError(code, message)).body)), {error}, code);
  }
});

test('an overload says when to try again, unless the plugin does', t => {
  for (const code of ERROR_CODES) {
    const expected = code === 'overloaded' ? {'retry-after': '1'} : undefined;
    t.deepEqual(renderError(MOUNT, new GatewayError(code, 'x')).headers, expected, code);
  }
  const own = {...MOUNT, renderError: () => ({status: 503, headers: {'retry-after': '7'}, body: ''})};
  t.deepEqual(renderError(own, new GatewayError('overloaded', 'x')).headers, {'retry-after': '7'});
});

test('a refusal has its status from the host, also in the form of a definition that is older than its code', t => {
  const old: Readonly<Record<string, {readonly status: number; readonly type: string}>> = {
    bad_request: {status: 400, type: 'bad_data'},
  };
  const table = ({code, message}: GatewayError) => {
    const {status, type} = old[code] as {status: number; type: string};
    return {status, body: `${type}: ${message}`};
  };
  const cascade = ({code, message}: GatewayError) => ({status: code === 'not_found' ? 404 : 500, body: message});
  for (const [code, status] of [
    ['unauthenticated', 401],
    ['forbidden', 403],
  ] as const) {
    const error = new GatewayError(code, 'x');
    t.deepEqual(renderError({...MOUNT, renderError: table}, error), {status, body: 'bad_data: x'});
    t.deepEqual(renderError({...MOUNT, renderError: cascade}, error), {status, body: 'x'});
  }
});
