import test from 'ava';
import {ask} from '../support/http.js';
import {metricLines, openBanyanDB, segmentsWithoutLayer, zipkinSpans} from './banyandb-store.js';
import {EMBEDDED, send, startOver} from './gateways.js';
import {METRIC_REQUESTS} from './metric-requests.js';
import type {SwapRequest} from './request.js';
import {traceRequests} from './trace-requests.js';

const REQUESTS: readonly SwapRequest[] = [...METRIC_REQUESTS, ...traceRequests('compat'), ...traceRequests('native')];

test('dashboards see the same over banyandb as over embedded, byte for byte, where its layout can hold the data', async t => {
  const expected = await startOver(t, EMBEDDED);
  const others = await startOver(t, await openBanyanDB(t, ['ingest.metrics.v1', 'ingest.compat.v1']));
  const natives = await startOver(t, await openBanyanDB(t, ['ingest.native.v1']));
  for (const [path, body] of [
    ['/ingest/v1/metrics', metricLines().join('\n')],
    ['/api/v2/spans', JSON.stringify(zipkinSpans())],
    ['/v3/segments', JSON.stringify(segmentsWithoutLayer())],
  ] as const) {
    const {status, text} = await ask(`${expected.urls.ingest}${path}`, {method: 'POST', body});
    t.true(status < 300, `${path} answered ${status}: ${text}`);
  }
  const differing: string[] = [];
  for (const request of REQUESTS) {
    const actual = request.path.startsWith('/native/') ? natives : others;
    const [wanted, got] = await Promise.all([send(expected, request), send(actual, request)]);
    if (got.status === wanted.status && Buffer.compare(got.bytes, wanted.bytes) === 0) continue;
    const name = `${request.path} ${JSON.stringify(request.parameters ?? {})}`;
    let at = 0;
    while (at < got.text.length && got.text[at] === wanted.text[at]) at++;
    const [expects, finds] = [wanted, got].map(({text}) => text.slice(Math.max(0, at - 80), at + 80));
    differing.push(`${name}\n  embedded: ${wanted.status} … ${expects}\n  banyandb: ${got.status} … ${finds}`);
  }
  t.deepEqual(differing, [], `${differing.length} of ${REQUESTS.length} answers differ`);
});
