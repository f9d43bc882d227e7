import test from 'ava';
import fc from 'fast-check';
import {FUZZ_RUNS} from '../../support/fuzz.js';
import {scratchFolder, startGateway} from '../../support/gateway.js';
import {ask, encode} from '../../support/http.js';
import {jsonOf, protobufOf} from './support/encode.js';
import {mutatedRequests} from './support/random-request.js';

/** Sent at once. */
const BODIES = 50;

/** Unix seconds, of the last nanosecond of 64 bits. */
const LATEST = 18_446_744_073;

const ENCODINGS = {
  'application/x-protobuf': mutatedRequests(protobufOf),
  'application/json': mutatedRequests(spans => Buffer.from(jsonOf(spans))),
};

for (const [type, bodies] of Object.entries(ENCODINGS)) {
  test.serial(`a mutated body of ${type} is stored or a bad request, and what was stored can be read`, async t => {
    const {urls} = await startGateway(t, {
      config: {
        listeners: {otlp: {port: 0}, traces: {host: '127.0.0.1', port: 0}},
        storage: {use: 'embedded', config: {path: `${await scratchFolder(t)}/data`}},
        plugins: [
          {use: 'ingest-otlp', config: {grpcListenAddr: '127.0.0.1:0'}},
          {use: 'traceql-otlp', enabled: true},
        ],
      },
    });
    const statuses = new Map<number, number>();
    const send = async (body: Buffer): Promise<void> => {
      const headers = {'content-type': type};
      const {status, text} = await ask(`${urls.otlp}/v1/traces`, {method: 'POST', headers, body});
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status !== 200 && status !== 400) throw new Error(`${status}: ${text}`);
    };
    const property = fc.asyncProperty(fc.array(bodies, {minLength: BODIES, maxLength: BODIES}), async sent => {
      await Promise.all(sent.map(send));
    });
    const numRuns = Math.ceil(FUZZ_RUNS / BODIES);
    await fc.assert(property, {numRuns, includeErrorInReport: true, endOnFailure: true});
    t.deepEqual([...statuses.keys()].sort(), [200, 400]);
    const all = {q: '{}', limit: '1000', start: '1', end: String(LATEST)};
    const found = await ask(`${urls.traces}/otlp/api/search?${encode(all)}`);
    t.is(found.status, 200, found.text);
    const {traces} = found.json<{traces: readonly {traceID: string}[]}>();
    t.true(traces.length > 0);
    for (const {traceID} of traces) {
      const trace = await ask(`${urls.traces}/otlp/api/v2/traces/${traceID}`);
      t.is(trace.status, 200, trace.text);
    }
  });
}
