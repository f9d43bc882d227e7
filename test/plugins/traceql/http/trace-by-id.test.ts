import test from 'ava';
import {ask} from '../../../support/http.js';
import {CART, ORPHANS, SHOP, TIMELESS, USERS_HEX} from '../scene.js';
import {withScene} from '../support.js';

const scene = withScene(test);

interface Trace {
  readonly trace: {
    readonly resourceSpans: readonly {
      readonly scopeSpans: readonly {readonly spans: readonly {readonly traceId: string; readonly spanId: string}[]}[];
    }[];
  };
}

/** An id as a path has it, and the id of the trace that is found. */
const FOUND: readonly (readonly [prefix: string, id: string, traceId: string])[] = [
  ['/compat', SHOP, SHOP],
  ['/compat', SHOP.toUpperCase(), SHOP],
  ['/compat', CART, CART],
  ['/compat', 'ca', CART],
  ['/compat', '0CA', CART],
  ['/compat', `0000000000000000${CART}`, CART],
  ['/compat', ORPHANS, ORPHANS],
  ['/compat', ORPHANS.slice(1), ORPHANS],
  ['/compat', TIMELESS, TIMELESS],
  ['/native', USERS_HEX, USERS_HEX],
  ['/native', USERS_HEX.toUpperCase(), USERS_HEX],
];

for (const [prefix, id, traceId] of FOUND) {
  test(`a trace by ${prefix}/api/traces/${id}`, async t => {
    const first = await scene.get(`${prefix}/api/traces/${id}`, {start: '1', end: '2'});
    const second = await scene.get(`${prefix}/api/v2/traces/${id}`);
    t.is(first.status, 200);
    t.is(first.headers['content-type'], 'application/json; charset=utf-8');
    t.is(first.text, second.text);
    const {trace} = first.json<Trace>();
    const spans = trace.resourceSpans.flatMap(({scopeSpans}) => scopeSpans.flatMap(each => each.spans));
    t.deepEqual([...new Set(spans.map(span => span.traceId))], [traceId]);
  });
}

/** An id, and how it is refused. */
const REFUSED: readonly (readonly [prefix: string, id: string, status: number, error: string])[] = [
  ['/compat', 'abc', 404, 'there is no trace "abc"'],
  ...['xyz', '0', '0000000000000000', '1'.repeat(33), 'a.b', '12%203'].map(
    id =>
      [
        '/compat',
        id,
        400,
        `the trace id: found "${decodeURIComponent(id)}", expected 1 to 32 digits of hex, not all of them 0`,
      ] as const,
  ),
  ['/native', '6162', 404, 'there is no trace "6162"'],
  ...['abc', 'abc123=.test', 'zz', 'ff', 'c3', '6162633132333d2e7465737'].map(
    id =>
      [
        '/native',
        id,
        400,
        `the trace id: found "${id}", expected the hex form of the id's UTF-8 bytes, two digits a byte`,
      ] as const,
  ),
];

for (const [prefix, id, status, error] of REFUSED) {
  test(`no trace by ${prefix}/api/traces/${id}`, async t => {
    for (const version of ['', '/v2']) {
      for (const accept of ['application/json', 'application/protobuf']) {
        const answer = await ask(scene.url(`${prefix}/api${version}/traces/${id}`), {headers: {accept}});
        t.is(answer.status, status);
        t.is(answer.headers['content-type'], 'application/json; charset=utf-8');
        t.deepEqual(answer.json(), {error});
      }
    }
  });
}

/** What a client accepts, and what it gets. */
const ACCEPTED: readonly (readonly [accept: string, type: string])[] = [
  ['', 'application/json; charset=utf-8'],
  ['*/*', 'application/json; charset=utf-8'],
  ['text/html', 'application/json; charset=utf-8'],
  ['application/x-protobuf', 'application/json; charset=utf-8'],
  ['application/protobuf', 'application/protobuf'],
  ['application/json, application/protobuf', 'application/protobuf'],
  ['Application/Protobuf ; Q=0.5, */*;q=0.1', 'application/protobuf'],
  ['application/json;q=0, application/protobuf;q=0.1, */*', 'application/protobuf'],
  ['application/protobuf ; q = 0.1, application/json ; q = 0.2', 'application/json; charset=utf-8'],
  ['application/json;q=1, application/protobuf;q=0.1', 'application/json; charset=utf-8'],
  ['application/protobuf;q=0.5, */*', 'application/json; charset=utf-8'],
  ['application/protobuf;q=0', 'application/json; charset=utf-8'],
];

for (const [accept, type] of ACCEPTED) {
  test(`a client that accepts ${accept || 'nothing in particular'} gets ${type}`, async t => {
    for (const path of [`/compat/api/traces/${SHOP}`, `/native/api/v2/traces/${USERS_HEX}`]) {
      const answer = await ask(scene.url(path), accept === '' ? {} : {headers: {accept}});
      t.is(answer.status, 200);
      t.is(answer.headers['content-type'], type);
      t.is(answer.headers.vary, 'accept');
    }
  });
}
