/** One bad record each: how it differs from a good one, the key that the answer names, and words of the reason. */
export interface BadRecordCase {
  readonly title: string;
  readonly line: string | Uint8Array;
  readonly key?: string;
  readonly says: RegExp;
}

export const DECLARATIONS: readonly string[] = [
  {name: 'service_cpm', scope: 'Service', kind: 'common'},
  {name: 'endpoint_cpm', scope: 'Endpoint', kind: 'common'},
  {name: 'service_percentile', scope: 'Service', kind: 'labeled', valueLabels: ['p']},
  {name: 'service_relation_client_cpm', scope: 'ServiceRelation', kind: 'common'},
  {name: 'top_n_database_statement', scope: 'Service', kind: 'sampled-record'},
].map(each => JSON.stringify({record: 'metric', ...each}));

const METRIC = {record: 'metric', name: 'other', scope: 'Service', kind: 'common'};
const SAMPLE = {
  record: 'sample',
  metric: 'service_cpm',
  layer: 'GENERAL',
  service: 'songs',
  time: 1700000040,
  value: 6,
};
const LABELED = {...SAMPLE, metric: 'service_percentile', labels: {p: '50'}};
const ENTITY = {
  record: 'entity',
  scope: 'Endpoint',
  layer: 'GENERAL',
  service: 'songs',
  endpoint: 'GET:/songs',
  time: 1700000040,
};
const RECORD = {
  record: 'sampled-record',
  metric: 'top_n_database_statement',
  layer: 'GENERAL',
  service: 'db',
  content: 'select 1',
  time: 1700000041,
  value: 120,
};

type Row = readonly [title: string, base: object, change: object, key: string, says: RegExp];

const CHANGED: readonly Row[] = [
  [
    'an unknown kind of record',
    SAMPLE,
    {record: 'smaple'},
    'record',
    /found "smaple", expected one of .*did you mean "sample"/,
  ],
  ['no kind of record', SAMPLE, {record: undefined}, 'record', /missing; expected one of metric, entity/],
  ['a kind of record that is no text', SAMPLE, {record: 1}, 'record', /found 1, expected one of/],
  ['a key that is not known', SAMPLE, {servise: 'x'}, 'servise', /did you mean "service"/],
  ['a key of another scope', SAMPLE, {endpoint: 'x'}, 'endpoint', /scope Service/],
  ['a key of a relation in a plain scope', SAMPLE, {destService: 'x'}, 'destService', /no such key/],
  ['the key __proto__', SAMPLE, {['__proto__']: 1}, '__proto__', /no such key/],
  ['the key constructor', SAMPLE, {constructor: 1}, 'constructor', /no such key/],
  ['no layer', SAMPLE, {layer: undefined}, 'layer', /missing/],
  ['no service', SAMPLE, {service: undefined}, 'service', /missing/],
  ['no endpoint', SAMPLE, {metric: 'endpoint_cpm'}, 'endpoint', /missing/],
  ['no destination', SAMPLE, {metric: 'service_relation_client_cpm', destLayer: 'GENERAL'}, 'destService', /missing/],
  ['an empty service', SAMPLE, {service: ''}, 'service', /empty/],
  ['a service that is no text', SAMPLE, {service: 5}, 'service', /found 5, expected a text/],
  ['a service that is null', SAMPLE, {service: null}, 'service', /found null, expected a text/],
  ['a service that is an object', SAMPLE, {service: {}}, 'service', /found an object, expected a text/],
  [
    'a name of 1,025 bytes',
    SAMPLE,
    {service: `${'é'.repeat(512)}x`},
    'service',
    /found 1025 bytes, expected at most 1024/,
  ],
  ['a name with a null character', SAMPLE, {service: 'a\0b'}, 'service', /U\+0000/],
  ['a metric name with half a character', METRIC, {name: 'a\ud800b'}, 'name', /\[A-Za-z_\]/],
  ['no time', SAMPLE, {time: undefined}, 'time', /missing/],
  ['a fraction of a second', SAMPLE, {time: 1.5}, 'time', /found 1.5, expected whole Unix seconds or an RFC 3339 time/],
  ['a negative time', SAMPLE, {time: -60}, 'time', /between 1970 and 5999/],
  ['a time in milliseconds', SAMPLE, {time: 1700000040000}, 'time', /milliseconds/],
  ['a time far away', SAMPLE, {time: 1e300}, 'time', /between 1970 and 5999/],
  ...[SAMPLE, ENTITY, RECORD].flatMap((base): Row[] => [
    [
      `a second too late of the kind ${base.record}`,
      base,
      {time: 127_174_492_800},
      'time',
      /: found 127174492800, expected/,
    ],
    [`a year too late of the kind ${base.record}`, base, {time: '6000-01-01T00:00:00Z'}, 'time', /and 5999/],
  ]),
  ['Unix seconds as text', SAMPLE, {time: '1700000040'}, 'time', /RFC 3339/],
  ['a date alone', SAMPLE, {time: '2023-11-14'}, 'time', /RFC 3339/],
  ['a time without an offset', SAMPLE, {time: '2023-11-14T22:14:00'}, 'time', /RFC 3339/],
  ['a day that does not exist', SAMPLE, {time: '2023-02-30T00:00:00Z'}, 'time', /RFC 3339/],
  ['an hour that does not exist', SAMPLE, {time: '2023-02-03T24:00:00Z'}, 'time', /RFC 3339/],
  ['an offset that does not exist', SAMPLE, {time: '2023-02-03T00:00:00+24:00'}, 'time', /RFC 3339/],
  ['a time before 1970', SAMPLE, {time: '1969-12-31T23:59:59Z'}, 'time', /between 1970 and 5999/],
  ['a time that is null', SAMPLE, {time: null}, 'time', /found null, expected/],
  ['no value', SAMPLE, {value: undefined}, 'value', /missing/],
  ['a value as text', SAMPLE, {value: '6'}, 'value', /found "6", expected a number/],
  ['a value that is null', SAMPLE, {value: null}, 'value', /found null, expected a number/],
  [
    'a metric that is not declared',
    SAMPLE,
    {metric: 'service_cmp'},
    'metric',
    /"service_cmp", which is not declared.*did you mean "service_cpm"/,
  ],
  ['no metric', SAMPLE, {metric: undefined}, 'metric', /missing/],
  ['a sample of a metric of sampled records', SAMPLE, {metric: 'top_n_database_statement'}, 'metric', /sampled-record/],
  ['labels of a common metric', SAMPLE, {labels: {p: '50'}}, 'labels', /found "p", but "service_cpm" has no labels/],
  ['no labels of a labeled metric', LABELED, {labels: undefined}, 'labels', /"p" is missing/],
  ['an empty label value', LABELED, {labels: {p: ''}}, 'labels.p', /empty/],
  ['a label value that is no text', LABELED, {labels: {p: 50}}, 'labels.p', /found 50, expected a text/],
  [
    'a label that is not declared',
    LABELED,
    {labels: {p: '50', q: '1'}},
    'labels',
    /found "q", but .* has the labels "p"/,
  ],
  [
    'the label __proto__',
    LABELED,
    {labels: JSON.parse('{"p":"50","__proto__":"1"}')},
    'labels',
    /found "__proto__", but/,
  ],
  ['labels that are an array', LABELED, {labels: ['50']}, 'labels', /found an array, expected an object/],
  ['an entity of an unknown scope', ENTITY, {scope: 'Endpiont'}, 'scope', /did you mean "Endpoint"/],
  ['an entity with a value', ENTITY, {value: 1}, 'value', /no such key/],
  ['an entity without its endpoint', ENTITY, {endpoint: undefined}, 'endpoint', /missing/],
  ['an entity without a time', ENTITY, {time: undefined}, 'time', /missing/],
  ['no content', RECORD, {content: undefined}, 'content', /missing/],
  [
    'a content of more than a mebibyte',
    RECORD,
    {content: 'x'.repeat(2 ** 20 + 1)},
    'content',
    /found 1048577 bytes, expected at most 1048576/,
  ],
  ['a trace id that is no text', RECORD, {traceId: 7}, 'traceId', /found 7, expected a text/],
  ['labels of a sampled record', RECORD, {labels: {}}, 'labels', /no such key/],
  ['a sampled record of a common metric', RECORD, {metric: 'service_cpm'}, 'metric', /takes records "sample"/],
  ['a metric name with a dash', METRIC, {name: 'service-cpm'}, 'name', /\[A-Za-z_\]/],
  ['a metric name that begins with a digit', METRIC, {name: '1cpm'}, 'name', /\[A-Za-z_\]/],
  ['an empty metric name', METRIC, {name: ''}, 'name', /\[A-Za-z_\]/],
  ['a scope in lower case', METRIC, {scope: 'service'}, 'scope', /did you mean "Service"/],
  ['a scope that is not supported', METRIC, {scope: 'Process'}, 'scope', /found "Process", expected one of/],
  [
    'an unknown metric kind',
    METRIC,
    {kind: 'label'},
    'kind',
    /found "label", expected one of common, labeled, sampled-record/,
  ],
  ['an unknown rollup', METRIC, {rollup: 'mean'}, 'rollup', /found "mean", expected one of avg, sum, min, max, latest/],
  ['a help that is no text', METRIC, {help: 1}, 'help', /found 1, expected a text/],
  ['an unknown key of a metric', METRIC, {valueLabel: ['p']}, 'valueLabel', /did you mean "valueLabels"/],
  ['value labels of a common metric', METRIC, {valueLabels: ['p']}, 'valueLabels', /common has none/],
  ['a labeled metric without labels', METRIC, {kind: 'labeled'}, 'valueLabels', /at least one label/],
  ['a bad label name', METRIC, {kind: 'labeled', valueLabels: ['p-1']}, 'valueLabels', /\[A-Za-z_\]/],
  ['a label that is named twice', METRIC, {kind: 'labeled', valueLabels: ['p', 'p']}, 'valueLabels', /twice/],
  ['a reserved label name', METRIC, {kind: 'labeled', valueLabels: ['__name__']}, 'valueLabels', /reserved/],
  [
    'the label of an entity as a value label',
    METRIC,
    {kind: 'labeled', valueLabels: ['service']},
    'valueLabels',
    /reserved/,
  ],
  [
    'the name of a list of entities',
    METRIC,
    {name: 'service_traffic'},
    'name',
    /found "service_traffic", which is reserved/,
  ],
  ['a name that is a number in a query', METRIC, {name: 'NaN'}, 'name', /reserved/],
  ['a name that is part of an operator in a query', METRIC, {name: 'Bool'}, 'name', /found "Bool", which is reserved/],
  ['an unknown type', METRIC, {type: 'gage'}, 'type', /expected one of gauge.*did you mean "gauge"/],
  [
    'value labels that are no array',
    METRIC,
    {kind: 'labeled', valueLabels: 'p'},
    'valueLabels',
    /found "p", expected an array of label names/,
  ],
  [
    'another scope than before',
    METRIC,
    {name: 'service_cpm', scope: 'Endpoint'},
    'scope',
    /already declared with the scope "Service"/,
  ],
  [
    'another kind than before',
    METRIC,
    {name: 'service_cpm', kind: 'labeled', valueLabels: ['p']},
    'kind',
    /already declared with the kind "common"/,
  ],
  [
    'other value labels than before',
    METRIC,
    {name: 'service_percentile', kind: 'labeled', valueLabels: ['q']},
    'valueLabels',
    /already declared with "p"/,
  ],
];

const text = JSON.stringify(SAMPLE);

const WRITTEN: readonly BadRecordCase[] = [
  {title: 'text that is no JSON', line: 'service_cpm 6', says: /not JSON: character 1: expected a value here/},
  {
    title: 'JSON that is cut short',
    line: text.slice(0, -5),
    says: /not JSON: character \d+: this string is not closed by a quote/,
  },
  {
    title: 'two records on a line',
    line: text + text,
    says: /not JSON: character \d+: expected nothing after the closing bracket/,
  },
  {title: 'an array', line: `[${text}]`, says: /found an array, expected a JSON object/},
  {title: 'a number', line: '6', says: /found 6, expected a JSON object/},
  {title: 'null', line: 'null', says: /found null, expected a JSON object/},
  {title: 'NaN', line: text.replace(':6}', ':NaN}'), says: /not JSON/},
  {title: 'a number that is too large', line: text.replace(':6}', ':1e999}'), key: 'value', says: /too large/},
  {
    title: 'a time that no double holds',
    line: text.replace('1700000040', '9007199254740993'),
    key: 'time',
    says: /: found 9007199254740993, expected/,
  },
  {
    title: 'a time beyond all doubles',
    line: text.replace('1700000040', '1e999'),
    key: 'time',
    says: /: found Infinity, expected/,
  },
  {title: 'a key that is written twice', line: text.replace('}', ',"value":7}'), key: 'value', says: /more than once/},
  {
    title: 'a key that is written twice, with a space before the colon',
    line: text.replace('}', ',"value" :7}'),
    key: 'value',
    says: /more than once/,
  },
  {
    title: 'a label that is written twice',
    line: JSON.stringify(LABELED).replace('"p":', '"p":"99","\\u0070":'),
    key: 'labels.p',
    says: /more than once/,
  },
  {
    title: 'an array as deep as a line can hold',
    line: text.replace('"songs"', '['.repeat(200_000) + ']'.repeat(200_000)),
    key: 'service',
    says: /found an array, expected a text/,
  },
  {title: 'bytes that are not UTF-8', line: Buffer.from(text.replace('songs', 's\xf6ngs'), 'latin1'), says: /UTF-8/},
  {title: 'text in UTF-16', line: Buffer.from(text, 'utf16le'), says: /not JSON|UTF-8/},
  {
    title: 'a line of more than eight mebibytes',
    line: `${text.slice(0, -1)}${' '.repeat(2 ** 23)}}`,
    says: /longer than/,
  },
];

export const BAD_RECORDS: readonly BadRecordCase[] = [
  ...CHANGED.map(([title, base, change, key, says]) => ({
    title,
    line: JSON.stringify({...base, ...change}).replaceAll('\0', '\\u0000'),
    key,
    says,
  })),
  ...WRITTEN,
];
