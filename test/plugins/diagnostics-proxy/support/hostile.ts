import fc from 'fast-check';
import type {PartialMessage, StreamMetricsRequest, Topology} from '../../../../plugins/diagnostics/proto/contract.js';

type Message = PartialMessage<StreamMetricsRequest>;

/** Texts that end up in names, labels and help texts: what some reader somewhere takes for something else. */
const NASTY = [
  ...[
    '',
    ' ',
    '"',
    '\\',
    '\n',
    '\r',
    '\t',
    '\0',
    '{',
    '}',
    ',',
    '=',
    '#',
    '\\n',
    '\\"',
    'a"} 1\nb 2',
    '# TYPE x counter',
  ],
  ...['é', '😀', '\u2028', '\ufeff', '__name__', '__proto__', 'constructor', 'le', 'quantile', 'pod_name', 'node_role'],
  ...[
    'a.b',
    'a_b',
    'a b',
    '1a',
    ':',
    '_',
    '-',
    '+Inf',
    'NaN',
    '1e999',
    '0x10',
    '0.5',
    '1',
    'exported___name__',
    'good',
  ],
];

/** Names of families and their parts, those of the well-behaved agent and of the proxy among them. */
const NAMES = [
  ...[
    'h',
    's',
    'g',
    'good_gauge',
    'good_seconds',
    'good_quantiles',
    'good_total',
    'diagnostics_agent_up',
    'up',
    '__name__',
  ],
  ...['diagnostics_proxy_agents', 'diagnostics_proxy', 'diagnostics_scrape_up'],
].flatMap(name => ['', '_bucket', '_sum', '_count', '_count_bucket', '_sum_count'].map(suffix => name + suffix));

const text = fc.oneof(
  {weight: 1, arbitrary: fc.integer({min: 0, max: 10}).map(power => '\\"'.repeat(2 ** power))},
  {weight: 6, arbitrary: fc.constantFrom(...NASTY)},
  {weight: 2, arbitrary: fc.array(fc.constantFrom(...NASTY), {maxLength: 4}).map(parts => parts.join(''))},
  {weight: 1, arbitrary: fc.string({unit: 'binary', maxLength: 12})},
);
const name = fc.oneof(
  {weight: 5, arbitrary: fc.constantFrom(...NAMES, '_bucket', '_sum', '_count', '_count_bucket')},
  {weight: 1, arbitrary: text},
);
const labels = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom('le', 'quantile', 'pod_name', '__name__'), text), text), {maxLength: 5})
  .map(pairs => Object.fromEntries(pairs));
const value = fc.oneof(fc.double(), fc.constantFrom(0, -0, 1, Infinity, -Infinity, Number.NaN, 1e21, 5e-324));
const seconds = fc.oneof(
  fc.constantFrom('0', '-1', '9223372036854775807', '-9223372036854775808', '253402300800', '1767225600'),
  fc.integer({min: 1_700_000_000, max: 2_000_000_000}).map(String),
);
const timestamp = fc.option(fc.record({seconds, nanos: fc.constantFrom(0, -1, 5, 999_999_999, 1_000_000_000)}), {
  nil: null,
});
const metric = fc.record({
  name,
  labels,
  value,
  description: text,
  timestamp,
  type: fc.integer({min: 0, max: 7}) as unknown as fc.Arbitrary<'METRIC_TYPE_GAUGE'>,
});

/** Answers of an agent that means no good, or is broken. */
export const hostileMetrics: fc.Arbitrary<Message> = fc.record({
  metrics: fc.array(metric, {maxLength: 30, size: 'max'}),
  timestamp,
});

const node = fc.record({
  metadata: fc.option(fc.record({name: fc.oneof(fc.constantFrom('good-node'), text)}), {nil: null}),
  grpc_address: text,
  created_at: timestamp,
  labels: fc.oneof(fc.constant({pod_name: 'good'}), labels),
  roles: fc.array(fc.integer({min: 0, max: 9}) as unknown as fc.Arbitrary<'ROLE_DATA'>, {maxLength: 3}),
});

export const hostileTopology: fc.Arbitrary<PartialMessage<Topology>> = fc.record({
  nodes: fc.array(node, {maxLength: 4}),
  calls: fc.array(fc.record({id: text, source: text, target: text}), {maxLength: 4}),
});

/** Who an agent says that it is; each a little different, so that there is a place for each. */
export const hostileNames = fc.record({
  pod_name: text.filter(pod => pod !== '' && pod !== 'good'),
  node_role: text.filter(role => role !== ''),
  labels,
  container_names: fc.array(text, {maxLength: 3}),
});
