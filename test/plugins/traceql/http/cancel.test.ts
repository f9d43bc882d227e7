import {setTimeout as sleep} from 'node:timers/promises';
import test from 'ava';
import {request as send} from 'undici';
import type {PlainSpan} from '../../../fixtures/memory-adapter.js';
import {ask, get} from '../../../support/http.js';
import {openGateway} from '../../../support/library.js';
import {T0} from '../scene.js';
import {AROUND, type SearchResult, sceneConfig} from '../support.js';

const ENDED = 'a search has ended';

/** Many traces, so that a search that goes on is told from one that has ended. */
const MANY: readonly PlainSpan[] = Array.from({length: 500}, (_, i) => ({
  traceId: (i + 1).toString(16).padStart(16, '0'),
  id: '0000000000000001',
  name: i % 2 === 0 ? 'even' : 'odd',
  timestamp: T0 * 1_000_000 + i,
  duration: 1,
}));

test('a search stops reading at its limit', async t => {
  const {urls, logged} = await openGateway(t, sceneConfig({compatSpans: MANY}));
  const answer = await get(`${urls.traces}/compat/api/search`, {limit: '3', ...AROUND});
  t.is(answer.json<SearchResult>().traces.length, 3);
  t.deepEqual((await logged(ENDED)).fields, {traces: 3});
});

test('without a limit a search stops at twenty traces', async t => {
  const {urls, logged} = await openGateway(t, sceneConfig({compatSpans: MANY}));
  const answer = await get(`${urls.traces}/compat/api/search`, AROUND);
  t.is(answer.json<SearchResult>().traces.length, 20);
  t.deepEqual((await logged(ENDED)).fields, {traces: 20});
});

test('a search ends when its client has gone', async t => {
  const {urls, logged, lines} = await openGateway(t, sceneConfig({compatSpans: MANY, pause: 20}));
  const controller = new AbortController();
  const query = new URLSearchParams({q: '{name="odd"}', limit: '250', ...AROUND});
  const request = send(`${urls.traces}/compat/api/search?${query}`, {signal: controller.signal});
  await sleep(100);
  controller.abort();
  await t.throwsAsync(request, {name: 'AbortError', any: true});
  const {fields} = await logged(ENDED);
  t.true((fields.traces as number) < 250, JSON.stringify(fields));
  t.is(lines.filter(({message}) => message === ENDED).length, 1);
});

test('a search ends at the deadline of queries, with a timeout in the form of the API', async t => {
  const config = {...sceneConfig({compatSpans: MANY, pause: 20}), limits: {queryTimeout: 100}};
  const {urls, logged} = await openGateway(t, config);
  const answer = await ask(`${urls.traces}/compat/api/search?${new URLSearchParams({limit: '500', ...AROUND})}`);
  t.is(answer.status, 504);
  t.deepEqual(Object.keys(answer.json()), ['error']);
  t.true(((await logged(ENDED)).fields.traces as number) < 500);
});
