import test from 'ava';
import {withReported} from '../traceql/otlp/answers.js';
import {attributes} from '../traceql/otlp/read.js';
import {CONVERTED, hex, ROWS} from './rows.js';
import {segment, TRACE_ID} from './segments.js';

/** Each row is a trace of its own, and its callers are of the same. */
const traceIdOf = (row: number): string => `${TRACE_ID}.${row}`;

const segments = ROWS.map(([, span], row) => {
  const refs = span.refs?.map(ref => (ref.traceId === TRACE_ID ? {...ref, traceId: traceIdOf(row)} : ref));
  return segment({traceId: traceIdOf(row)}, {...span, ...(refs === undefined ? {} : {refs})});
});

const answers = withReported(test, {
  path: '/v3/segments',
  status: 200,
  body: JSON.stringify(segments, (_key, value) => (typeof value === 'bigint' ? String(value) : value)),
  prefix: '/native',
});

for (const [row, [rule, , expected]] of ROWS.entries()) {
  test(`reported and read back: ${rule}`, async t => {
    const traceId = hex(traceIdOf(row));
    const trace = {
      resourceSpans: [
        {
          resource: {attributes: attributes('service.name=consumer')},
          scopeSpans: [
            {scope: {name: 'native-tracer', version: '0.1.0'}, spans: [{...CONVERTED, ...expected, traceId}]},
          ],
        },
      ],
    };
    t.deepEqual(
      await answers.read(traceId),
      [1, 2, 3, 4].map(() => ({trace})),
    );
  });
}
