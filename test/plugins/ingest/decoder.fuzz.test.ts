import test, {type ExecutionContext} from 'ava';
import fc from 'fast-check';
import {MetricRecords} from '../../../plugins/ingest/formats/metric-records/format.js';
import {FUZZ_RUNS} from '../../support/fuzz.js';
import {decode} from './support.js';

const numRuns = Math.ceil(FUZZ_RUNS / 4);

const METRICS = [
  {record: 'metric', name: 'cpm', scope: 'Service', kind: 'common'},
  {record: 'metric', name: 'percentile', scope: 'Endpoint', kind: 'labeled', valueLabels: ['p', 'q']},
  {record: 'metric', name: 'statements', scope: 'Service', kind: 'sampled-record'},
].map(metric => JSON.stringify(metric));

/** Few names, so that series repeat; some that must be escaped, and some that look like the end of a line. */
const name = fc.constantFrom('a', 'b', 'é\u{1F600}', '"time":1,"value":2}', 'x\\', '"', ' ', '');

const number = fc.oneof(
  fc.double({noNaN: true, min: -1e6, max: 1e6}).map(String),
  fc.integer({min: -1000, max: 1000}).map(String),
  fc.tuple(fc.nat(99999), fc.nat(999999)).map(([whole, decimals]) => `${whole}.${decimals}`),
  fc.constantFrom(
    '-0',
    '0.1',
    '1e400',
    '-1E-7',
    '01',
    '1.',
    '.5',
    '9007199254740993',
    '0.30000000000000004',
    '+1',
    '""',
  ),
);

const time = fc.oneof(
  fc.integer({min: 1_700_000_000, max: 1_700_000_600}).map(String),
  fc.constantFrom(
    '0',
    '-1',
    '1.5',
    '1700000040000',
    '127174492799',
    '127174492800',
    '"2023-11-14T22:14:00Z"',
    'null',
    '007',
  ),
);

/** The text of a sample, its keys in the usual order or another, with and without spaces. */
const sampleLine = fc
  .record({
    start: fc.oneof(
      fc.tuple(name, name).map(([layer, service]) => ({metric: 'cpm', layer, service})),
      fc.tuple(name, name, name).map(([service, endpoint, p]) => ({
        metric: 'percentile',
        layer: 'GENERAL',
        service,
        endpoint,
        labels: {p, q: '1'},
      })),
    ),
    time,
    value: number,
    order: fc.constantFrom('time,value', 'value,time', 'time first', 'time twice', 'value twice'),
    spaces: fc.constantFrom('', ' '),
    end: fc.constantFrom('', ' ', '\r', '}', ' x'),
  })
  .map(({start, time: t, value: v, order, spaces: s, end}) => {
    const fields = JSON.stringify({record: 'sample', ...start}).slice(1, -1);
    const [timeText, valueText] = [`"time":${s}${t}`, `"value":${s}${v}`];
    const parts = {
      'time,value': [fields, timeText, valueText],
      'value,time': [fields, valueText, timeText],
      'time first': [timeText, fields, valueText],
      'time twice': [fields, timeText, timeText, valueText],
      'value twice': [fields, valueText, timeText, valueText],
    }[order];
    return `{${parts.join(`,${s}`)}}${end}`;
  });

/** One text among a few that follow the grammar of JSON and many that nearly do. */
const digits = fc.stringMatching(/^-?[0-9]{0,20}(\.[0-9]{0,20})?([eE][+-]?[0-9]{1,3})?$/);

/** The end of a line, from its time on. */
const lineEnd = fc
  .tuple(
    fc.oneof(time, digits),
    fc.oneof(number, digits),
    fc.constantFrom('', ' '),
    fc.constantFrom('}', '} ', '}}', '} x', '}\t', ''),
  )
  .map(([t, v, s, end]) => `"time":${s}${t},${s}"value":${s}${v}${end}`);

async function meansTheSameAlone(t: ExecutionContext, lines: readonly string[]): Promise<void> {
  const together = await decode([[...METRICS, ...lines].join('\n')]);
  const alone = await Promise.all(lines.map(line => decode([[...METRICS, line].join('\n')])));
  t.deepEqual(
    together.samples,
    alone.flatMap(({samples}) => samples),
  );
  t.deepEqual(
    together.bad.map(({reason}) => reason),
    alone.flatMap(({bad}) => bad.map(({reason}) => reason)),
  );
}

test('a line whose beginning was seen before means what it means alone', async t => {
  const start = fc.constantFrom(
    '{"record":"sample","metric":"cpm","layer":"a","service":"b",',
    '{"record":"sample","metric":"percentile","layer":"a","service":"b","endpoint":"\\"time\\":1","labels":{"p":"1","q":"2"}, ',
  );
  const property = fc.asyncProperty(start, fc.array(lineEnd, {minLength: 1, maxLength: 10}), async (begin, ends) => {
    await meansTheSameAlone(
      t,
      ['"time":60,"value":1}', ...ends].map(end => begin + end),
    );
  });
  await fc.assert(property, {numRuns});
});

test('a sample means the same whether its series was seen before or not', async t => {
  const property = fc.asyncProperty(fc.array(sampleLine, {minLength: 2, maxLength: 10}), async lines => {
    await meansTheSameAlone(t, [...lines, ...lines]);
  });
  await fc.assert(property, {numRuns: Math.ceil(numRuns / 2)});
});

test('a series that another body declared is not taken for declared here', async t => {
  const property = fc.asyncProperty(fc.array(sampleLine, {minLength: 1, maxLength: 5}), async lines => {
    const format = new MetricRecords();
    await decode([[...METRICS, ...lines].join('\n')], [], format);
    const {samples, bad} = await decode([lines.join('\n')], [], format);
    t.deepEqual(samples, []);
    t.is(bad.length, lines.length);
  });
  await fc.assert(property, {numRuns: Math.ceil(numRuns / 4)});
});

/** A record with a piece cut out, doubled or replaced. */
const mutated = fc
  .tuple(
    fc.oneof(sampleLine, fc.constantFrom(...METRICS)),
    fc.nat(200),
    fc.nat(20),
    fc.oneof(fc.string(), fc.constantFrom('"', '{', '__proto__', '\\u0000', ',')),
  )
  .map(([line, at, length, insert]) => line.slice(0, at) + insert + line.slice(at + length));

const anything = fc.oneof(
  fc.uint8Array({maxLength: 300}),
  fc.string({unit: 'binary'}),
  fc.json(),
  mutated,
  fc
    .dictionary(
      fc.constantFrom('record', 'metric', 'scope', 'kind', 'labels', 'time', '__proto__', 'valueLabels'),
      fc.jsonValue(),
    )
    .map(o => JSON.stringify(o)),
);

test('whatever is sent, each line is either stored or refused with a reason', async t => {
  const property = fc.asyncProperty(fc.array(anything, {maxLength: 6}), async pieces => {
    const body = Buffer.concat(
      [METRICS.join('\n'), ...pieces].flatMap(piece => [Buffer.from(piece), Buffer.from('\n')]),
    );
    const {batch, bad} = await decode([body]);
    t.true(batch.metrics.length >= METRICS.length);
    t.true(bad.every(({reason}) => reason.length > 5));
  });
  await fc.assert(property, {numRuns: numRuns * 2});
});

test('where a body is cut into pieces does not matter', async t => {
  const body = fc
    .array(fc.oneof(anything, sampleLine), {maxLength: 5})
    .map(pieces =>
      Buffer.concat([METRICS.join('\r\n'), ...pieces].flatMap(piece => [Buffer.from(piece), Buffer.from('\n')])),
    );
  const property = fc.asyncProperty(body, fc.integer({min: 1, max: 40}), async (bytes, size) => {
    const pieces = Array.from({length: Math.ceil(bytes.length / size)}, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    );
    t.deepEqual(await decode(pieces), await decode([bytes]));
  });
  await fc.assert(property, {numRuns: Math.ceil(numRuns / 2)});
});
