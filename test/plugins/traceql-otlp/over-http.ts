import type {ExecutionContext} from 'ava';
import {ask, encode, type Fields} from '../../support/http.js';
import {serveHere} from '../../support/library.js';
import {readOtlpProtobuf} from '../../support/otlp-messages.js';
import {protobufOf} from '../ingest-otlp/support/encode.js';
import {textOf} from '../traceql/support.js';
import {AROUND, FOUND, SPANS, TRACE, VALUES} from './scene.js';

/** Sends the scene to a gateway of its own over a storage, as a sender does, and asks for it all, as a dashboard does. */
export async function answersOverHttp(t: ExecutionContext, storage: object): Promise<void> {
  const {urls} = await serveHere(t, {
    config: {
      startTimeout: '20s',
      listeners: {otlp: {port: 0}, traces: {host: '127.0.0.1', port: 0}},
      storage,
      plugins: [
        {use: 'ingest-otlp', config: {grpcListenAddr: '127.0.0.1:0'}},
        {use: 'traceql-otlp', enabled: true},
      ],
    },
  });
  const headers = {'content-type': 'application/x-protobuf'};
  const sent = await ask(`${urls.otlp}/v1/traces`, {method: 'POST', body: protobufOf(SPANS), headers});
  t.deepEqual([sent.status, sent.bytes.length], [200, 0], sent.text);
  const get = (path: string, fields: Fields = {}, headers = {}) =>
    ask(`${urls.traces}/otlp/api/${path}?${encode({...AROUND, ...fields})}`, {headers});
  for (const [q, expected] of FOUND) {
    const found = textOf(await get('search', {q}));
    t.is(found.slice(0, expected.startsWith('400') ? expected.length : undefined), expected, q);
  }
  for (const [tag, expected] of VALUES) {
    const values = await get(`v2/search/tag/${encodeURIComponent(tag)}/values`);
    const {tagValues} = values.json<{tagValues: readonly {type: string; value: string}[]}>();
    t.deepEqual(
      tagValues.map(({type, value}) => `${type} ${value}`),
      expected,
      tag,
    );
  }
  const tags = (await get('v2/search/tags', {q: '{resource.region="eu"}', scope: 'resource'})).json();
  t.deepEqual(tags, {scopes: [{name: 'resource', tags: ['service.name', 'service', 'faas.name', 'region']}]});
  const trace = await get(`v2/traces/${TRACE}`, {}, {accept: 'application/protobuf'});
  t.deepEqual(readOtlpProtobuf(trace.bytes, 'v2'), [{scopes: 1, spans: SPANS.slice(0, 2)}]);
}
