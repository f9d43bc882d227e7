import test from 'ava';
import type {CompatSpan} from '../../../core/api/plugin.js';
import {withReported} from '../traceql/otlp/answers.js';
import {attributes} from '../traceql/otlp/read.js';
import {CONVERTED, ROWS} from './rows.js';
import {changed} from './spans.js';

/** Each row is a trace of its own. */
const traceIdOf = (row: number): string => `00f198ee56343ba8${String(row + 1).padStart(16, '0')}`;

const zipkinJson = (span: CompatSpan): object => ({...span, tags: Object.fromEntries(span.tags)});

const answers = withReported(test, {
  path: '/api/v2/spans',
  status: 202,
  body: JSON.stringify(ROWS.map(([, span], row) => zipkinJson(changed({...span, traceId: traceIdOf(row)})))),
  prefix: '/compat',
});

for (const [row, [rule, , expected]] of ROWS.entries()) {
  test(`reported and read back: ${rule}`, async t => {
    const spans = [{...CONVERTED, ...expected, traceId: traceIdOf(row)}];
    const trace = {
      resourceSpans: [
        {
          resource: {attributes: attributes('service.name=songs')},
          scopeSpans: [{scope: {name: 'compat-tracer', version: '0.1.0'}, spans}],
        },
      ],
    };
    t.deepEqual(
      await answers.read(traceIdOf(row)),
      [1, 2, 3, 4].map(() => ({trace})),
    );
  });
}
