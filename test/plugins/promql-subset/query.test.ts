import test from 'ava';
import {M0, M1, M2} from './scene.js';
import {withScene} from './support.js';

const scene = withScene(test);

const SA = "service_cpm{service='A',layer='GENERAL'}";
const SB = "service_cpm{service='B',layer='GENERAL'}";
const PCT_A = "service_percentile{service='A',layer='GENERAL'}";
const PCT_B = "service_percentile{service='B',layer='GENERAL'}";
const A = 'layer="GENERAL",scope="Service",service="A"';
const p = (value: string): string => `layer="GENERAL",p="${value}",scope="Service",service="A"`;

interface Row {
  readonly title: string;
  readonly query: string;
  readonly time?: number;
  readonly range?: readonly [number, number];
  readonly result: readonly string[];
}

const ROWS: readonly Row[] = [
  // Which sample an instant query takes.
  {title: 'the newest bucket wins', query: SA, time: M2 + 30, result: ['vector', `service_cpm{${A}} 2@120`]},
  {
    title: 'two minutes back are still seen',
    query: SB,
    time: M1 + 179,
    result: ['vector', 'service_cpm{layer="GENERAL",scope="Service",service="B"} 1@60'],
  },
  {title: 'three minutes back are not', query: SB, time: M2 + 200, result: ['vector']},
  {
    title: 'an unknown entity is an empty success',
    query: "service_cpm{service='ghost',layer='GENERAL'}",
    time: M2,
    result: ['vector'],
  },
  {
    title: 'layer filters',
    query: "service_cpm{service='A',layer='MESH'}",
    time: M2,
    result: ['vector', 'service_cpm{layer="MESH",scope="Service",service="A"} 99@120'],
  },
  {
    title: 'a layer of the data alone is known',
    query: "service_cpm{service='order.service',layer='MY_LAYER'}",
    time: M2,
    result: ['vector', 'service_cpm{layer="MY_LAYER",scope="Service",service="order.service"} 5@120'],
  },
  {
    title: 'a name with escapes',
    query: String.raw`service_cpm{service="quoted \"\\ name",layer="GENERAL"}`,
    time: M2,
    result: ['vector', String.raw`service_cpm{layer="GENERAL",scope="Service",service="quoted \"\\ name"} 6@120`],
  },
  {
    title: 'a raw string',
    query: 'service_cpm{service=`quoted "\\ name`,layer=`GENERAL`}',
    time: M2,
    result: ['vector', String.raw`service_cpm{layer="GENERAL",scope="Service",service="quoted \"\\ name"} 6@120`],
  },
  {
    title: 'comments and line breaks',
    query: `${SA} # the newest\n / # half\n 2`,
    time: M2,
    result: ['vector', `service_cpm{${A}} 1@120`],
  },
  {
    title: 'scope and name repeated in the braces',
    query: "service_cpm{__name__='service_cpm',scope='Service',service='A',layer='GENERAL'}",
    time: M2,
    result: ['vector', `service_cpm{${A}} 2@120`],
  },

  // Scalars.
  {title: 'scalars carry the time', query: '1 + 2', time: 4, result: ['scalar 3@4']},
  {title: 'scalars carry the fraction of the time', query: '1 + 2', time: 4.5, result: ['scalar 3@4.5']},
  {title: 'precedence', query: '1 + 2 * 3 % 4 - 6 / 2 == bool 0', time: 4, result: ['scalar 1@4']},
  {title: 'left to right', query: '10 - 4 - 3', time: 4, result: ['scalar 3@4']},
  {title: 'comparisons left to right', query: '3 > bool 2 > bool 1', time: 4, result: ['scalar 0@4']},
  {title: 'the remainder has the sign of the dividend', query: '-7 % 3', time: 4, result: ['scalar -1@4']},
  {title: 'zero by zero is NaN', query: '0 / 0', time: 4, result: ['scalar NaN@4']},
  {title: 'one by zero is infinite', query: '1 / 0', time: 4, result: ['scalar +Inf@4']},
  {title: 'minus one by zero', query: '-1 / 0', time: 4, result: ['scalar -Inf@4']},
  {title: 'NaN is not equal to itself', query: 'NaN == bool NaN', time: 4, result: ['scalar 0@4']},
  {title: 'NaN differs from itself', query: 'NaN != bool NaN', time: 4, result: ['scalar 1@4']},
  {title: 'numbers of every form', query: '1e3 + .5 + 0x1F + 1. + 1_000 + 010', time: 4, result: ['scalar 2040.5@4']},
  {title: 'infinities in any case', query: '-iNf + 1', time: 4, result: ['scalar -Inf@4']},

  // The text of values.
  ...(
    [
      ['6', '6'],
      ['0.5', '0.5'],
      ['1/3', '0.3333333333333333'],
      ['0.004', '0.004'],
      ['0.125', '0.125'],
      ['10000000', '10000000'],
      ['1e21', '1e+21'],
      ['1e20', '100000000000000000000'],
      ['1e-6', '0.000001'],
      ['1e-7', '1e-07'],
      ['1.5e-10', '1.5e-10'],
      ['-0.001', '-0.001'],
      ['-1e300', '-1e+300'],
      ['5 / 1000 * 1000', '5'],
      ['-0', '-0'],
    ] as const
  ).map(([query, text]) => ({title: `${query} is written ${text}`, query, time: 4, result: [`scalar ${text}@4`]})),

  // Vector and number.
  {title: 'division keeps the name', query: `${SA} / 2`, time: M2, result: ['vector', `service_cpm{${A}} 1@120`]},
  {
    title: 'division of a sample by zero',
    query: `${SA} / 0`,
    time: M2,
    result: ['vector', `service_cpm{${A}} +Inf@120`],
  },
  {
    title: 'a number minus a vector',
    query: `100 - ${SA}`,
    range: [M0, M2],
    result: ['matrix', `service_cpm{${A}} 100@0 99@60 98@120`],
  },
  {title: 'filtering that leaves nothing', query: `${SA} > 5`, range: [M0, M2], result: ['matrix']},
  {
    title: 'filtering keeps the value',
    query: `${SA} >= 1`,
    range: [M0, M2],
    result: ['matrix', `service_cpm{${A}} 1@60 2@120`],
  },
  {title: 'a filter looks at the newest sample only', query: `${SA} < 2`, time: M2, result: ['vector']},
  {
    title: 'bool gives 0 and 1 and drops the name',
    query: `${SA} > bool 1`,
    range: [M0, M2],
    result: ['matrix', `{${A}} 0@0 0@60 1@120`],
  },
  {
    title: 'a number on the left reads as written',
    query: `1 > ${SA}`,
    range: [M0, M2],
    result: ['matrix', `service_cpm{${A}} 0@0`],
  },
  {
    title: 'bool with the number on the left',
    query: `1 > bool ${SA}`,
    range: [M0, M2],
    result: ['matrix', `{${A}} 1@0 0@60 0@120`],
  },
  {title: 'bool compares NaN', query: `0 * ${SA} / 0 != bool 1`, time: M2, result: ['vector', `{${A}} 1@120`]},

  // Vector and vector.
  {
    title: 'the same selector twice',
    query: `${SA} + ${SA}`,
    range: [M0, M2],
    result: ['matrix', `service_cpm{${A}} 0@0 2@60 4@120`],
  },
  {
    title: 'zero by zero among samples',
    query: `${SA} / ${SA}`,
    range: [M0, M2],
    result: ['matrix', `service_cpm{${A}} NaN@0 1@60 1@120`],
  },
  {
    title: 'labeled series pair',
    query: `${PCT_A} - ${PCT_A}`,
    time: M2,
    result: ['vector', ...['50', '75', '90'].map(v => `service_percentile{${p(v)}} 0@120`)],
  },
  {
    title: 'the order of a value list does not matter',
    query:
      "service_percentile{service='A',layer='GENERAL',p='75,50'} + service_percentile{service='A',layer='GENERAL',p=' 50 ,75,'}",
    time: M2,
    result: ['vector', `service_percentile{${p('50')}} 20@120`, `service_percentile{${p('75')}} 40@120`],
  },
  {
    title: 'two services compare, by time',
    query: `${SA} >= ${SB}`,
    range: [M0, M2],
    result: ['matrix', `service_cpm{${A}} 1@60`],
  },
  {
    title: 'two services compare with bool',
    query: `${SA} >= bool ${SB}`,
    range: [M0, M2],
    result: ['matrix', `{${A}} 0@0 1@60`],
  },
  {
    title: 'an instant comparison pairs whatever the buckets',
    query: `${SA} > ${SB}`,
    time: M2,
    result: ['vector', `service_cpm{${A}} 2@120`],
  },
  {
    title: 'labeled series of two services pair on the value label',
    query: `${PCT_A} < ${PCT_B}`,
    time: M2,
    result: ['vector', `service_percentile{${p('50')}} 10@120`],
  },
  {
    title: 'single series pair with different value labels',
    query:
      "service_percentile{service='A',layer='GENERAL',p='50'} < service_percentile{service='A',layer='GENERAL',p='90'}",
    time: M2,
    result: ['vector', `service_percentile{${p('50')}} 10@120`],
  },
  {
    title: 'two metrics compare',
    query: `${SA} < bool service_errors{service='A',layer='GENERAL'}`,
    time: M2,
    result: ['vector', `{${A}} 1@120`],
  },
  {
    title: 'a metric compares with an aggregate',
    query: `${SA} == sum(${SA})`,
    time: M2,
    result: ['vector', `service_cpm{${A}} 2@120`],
  },
  {
    title: 'nothing compares with nothing',
    query: `${SA} == service_cpm{service='ghost',layer='GENERAL'}`,
    time: M2,
    result: ['vector'],
  },
  {
    title: 'aggregates pair by their labels',
    query: `sum by (p) (${PCT_A}) + sum by (p) (${PCT_B})`,
    time: M2,
    result: ['vector', '{p="50"} 25@120', '{p="75"} 35@120'],
  },
  {title: 'aggregates add up', query: `sum(${SA}) + sum(${SB})`, range: [M0, M2], result: ['matrix', '{} 3@0 2@60']},
  {
    title: 'aggregates whose labels do not pair drop out',
    query: `sum by (service) (${SA}) + sum by (service) (${SB})`,
    time: M2,
    result: ['vector'],
  },
  {title: 'the left sample gives the time', query: `sum(${SB}) + sum(${SA})`, time: M2, result: ['vector', '{} 3@60']},

  // Aggregation.
  {title: 'sum over everything', query: `sum(${PCT_A})`, time: M2, result: ['vector', '{} 60@120']},
  {title: 'avg', query: `avg(${PCT_A})`, time: M2, result: ['vector', '{} 20@120']},
  {title: 'min', query: `min(${PCT_A})`, time: M2, result: ['vector', '{} 10@120']},
  {title: 'max', query: `MAX(${PCT_A})`, time: M2, result: ['vector', '{} 30@120']},
  {
    title: 'without the value label',
    query: `avg without (p) (${PCT_A})`,
    range: [M0, M2],
    result: ['matrix', `{${A}} 20@120`],
  },
  {
    title: 'by two labels, after the operand',
    query: "sum(service_status{service='A',layer='GENERAL'}) by (service, method)",
    time: M2,
    result: ['vector', '{method="GET",service="A"} 3@120', '{method="POST",service="A"} 3@120'],
  },
  {title: 'by a label that is not there', query: `sum by (nope) (${PCT_A})`, time: M2, result: ['vector', '{} 60@120']},
  {title: 'by nothing', query: `sum by () (${PCT_A})`, time: M2, result: ['vector', '{} 60@120']},
  {
    title: 'by the name',
    query: `sum by (__name__) (${PCT_A})`,
    time: M2,
    result: ['vector', 'service_percentile{} 60@120'],
  },
  {title: 'nested', query: `(max(sum by (p) (${PCT_A})) + 2) * 2`, time: M2, result: ['vector', '{} 64@120']},
  {
    title: 'the inner level takes the labels away',
    query: `sum by (service) (sum by (p) (${PCT_A}))`,
    time: M2,
    result: ['vector', '{} 60@120'],
  },
  {title: 'of nothing', query: "sum(service_cpm{service='ghost',layer='GENERAL'})", time: M2, result: ['vector']},
  {title: 'of a filter that left nothing', query: `sum(${SA} > 9)`, range: [M0, M2], result: ['matrix']},
  {
    title: 'min passes over NaN',
    query: `min(${PCT_A} % 10 / (${PCT_A} % 20))`,
    time: M2,
    result: ['vector', '{} 0@120'],
  },
  {
    title: 'sum does not pass over NaN',
    query: `sum(${PCT_A} % 10 / (${PCT_A} % 20))`,
    time: M2,
    result: ['vector', '{} NaN@120'],
  },

  // Range selectors.
  {
    title: 'a range selector gives a matrix',
    query: `${SA}[5m]`,
    time: M2 + 30,
    result: ['matrix', `service_cpm{${A}} 0@0 1@60 2@120`],
  },
  {
    title: 'a range covers its duration and no more',
    query: `${SA}[1m]`,
    time: M2 + 30,
    result: ['matrix', `service_cpm{${A}} 1@60 2@120`],
  },
  {
    title: 'a range of nothing is one bucket',
    query: `${SA}[0s]`,
    time: M2,
    result: ['matrix', `service_cpm{${A}} 2@120`],
  },
  {
    title: 'a range in milliseconds',
    query: `${SA}[500ms]`,
    time: M2,
    result: ['matrix', `service_cpm{${A}} 1@60 2@120`],
  },
  {title: 'a compound range', query: `${SA}[1m0s]`, time: M2, result: ['matrix', `service_cpm{${A}} 1@60 2@120`]},
  {
    title: 'a range with a number',
    query: `2 * ${SA}[5m] + 1`,
    time: M2,
    result: ['matrix', `service_cpm{${A}} 1@0 3@60 5@120`],
  },
  {
    title: 'a range on the right makes a matrix at the common time',
    query: `${SA} + ${SA}[5m]`,
    time: M2,
    result: ['matrix', `service_cpm{${A}} 4@120`],
  },
  {
    title: 'a range on the left as well',
    query: `${SA}[5m] + ${SA}`,
    time: M2,
    result: ['matrix', `service_cpm{${A}} 4@120`],
  },
  {
    title: 'ranges of two lengths pair by time',
    query: `${SA}[1m] + ${SA}[30m]`,
    time: M2,
    result: ['matrix', `service_cpm{${A}} 2@60 4@120`],
  },
  {title: 'an aggregated range', query: `sum(${PCT_A}[5m])`, time: M2, result: ['matrix', '{} 60@120']},
  {
    title: 'an empty range is an empty matrix',
    query: "service_cpm{service='ghost',layer='GENERAL'}[5m]",
    time: M2,
    result: ['matrix'],
  },
  {
    title: 'a range over an hour has hour buckets',
    query: `${SA}[2h]`,
    time: M2,
    result: ['matrix', `service_cpm{${A}} 1@-840`],
  },
  {
    title: 'a range of a week has day buckets',
    query: `${SA}[1w]`,
    time: M2,
    result: ['matrix', `service_cpm{${A}} 1@-80040`],
  },

  // Range queries.
  {title: 'one bucket', query: SA, range: [M1, M1], result: ['matrix', `service_cpm{${A}} 1@60`]},
  {
    title: 'both end buckets are included',
    query: SA,
    range: [M0 + 59, M2 + 1],
    result: ['matrix', `service_cpm{${A}} 0@0 1@60 2@120`],
  },
  {
    title: 'a scalar is one series in every bucket',
    query: '1 + 1',
    range: [M0, M2],
    result: ['matrix', '{} 2@0 2@60 2@120'],
  },
  {
    title: 'exactly an hour has minute buckets',
    query: SA,
    range: [M0, M0 + 3600],
    result: ['matrix', `service_cpm{${A}} 0@0 1@60 2@120`],
  },
  {
    title: 'more than an hour has hour buckets, rolled up',
    query: "service_errors{service='A',layer='GENERAL'}",
    range: [M0, M0 + 3601],
    result: ['matrix', 'service_errors{layer="GENERAL",scope="Service",service="A"} 7@-840 8@2760'],
  },
  {
    title: 'a day has hour buckets',
    query: SA,
    range: [M0, M0 + 86_400],
    result: ['matrix', `service_cpm{${A}} 1@-840`],
  },
  {
    title: 'more than a day has day buckets',
    query: SA,
    range: [M0, M0 + 86_401],
    result: ['matrix', `service_cpm{${A}} 1@-80040`],
  },
  {title: 'a range in the future is empty', query: SA, range: [4_000_000_000, 4_000_003_600], result: ['matrix']},

  // Value labels.
  {
    title: 'series sort by the text of their labels',
    query: PCT_B,
    time: M2,
    result: [
      'vector',
      ...['100', '50', '75'].map((v, i) => `service_percentile{${p(v).replace('"A"', '"B"')}} ${[35, 15, 15][i]}@120`),
    ],
  },
  {
    title: 'a value without data',
    query: "service_percentile{service='A',layer='GENERAL',p='33'}",
    time: M2,
    result: ['vector'],
  },
  {
    title: 'a blank filter filters nothing',
    query: `sum(service_percentile{service='A',layer='GENERAL',p=' '})`,
    time: M2,
    result: ['vector', '{} 60@120'],
  },
  {
    title: 'two filters intersect',
    query: "service_status{service='A',layer='GENERAL',method='GET',code='200,404'}",
    time: M2,
    result: ['vector', 'service_status{code="200",layer="GENERAL",method="GET",scope="Service",service="A"} 1@120'],
  },

  // Scopes.
  {
    title: 'an instance',
    query: "service_instance_cpm{layer='GENERAL',service='A',service_instance='a-1'}",
    time: M2,
    result: [
      'vector',
      'service_instance_cpm{layer="GENERAL",scope="ServiceInstance",service="A",service_instance="a-1"} 2@120',
    ],
  },
  {
    title: 'an endpoint',
    query: "endpoint_cpm{layer='GENERAL',service='A',endpoint='GET:/songs'}",
    time: M2,
    result: ['vector', 'endpoint_cpm{endpoint="GET:/songs",layer="GENERAL",scope="Endpoint",service="A"} 7@120'],
  },
  {
    title: 'a relation of services',
    query: "service_relation_client_cpm{layer='GENERAL',service='A',dest_layer='GENERAL',dest_service='B'}",
    time: M2,
    result: [
      'vector',
      'service_relation_client_cpm{dest_layer="GENERAL",dest_service="B",layer="GENERAL",scope="ServiceRelation",service="A"} 11@120',
    ],
  },
  {
    title: 'a relation of instances',
    query:
      "service_instance_relation_client_cpm{layer='GENERAL',service='A',service_instance='a-1',dest_layer='GENERAL',dest_service='B',dest_service_instance='b-1'}",
    time: M2,
    result: [
      'vector',
      'service_instance_relation_client_cpm{dest_layer="GENERAL",dest_service="B",dest_service_instance="b-1",layer="GENERAL",scope="ServiceInstanceRelation",service="A",service_instance="a-1"} 12@120',
    ],
  },
  {
    title: 'a relation of endpoints',
    query:
      "endpoint_relation_cpm{layer='GENERAL',service='A',endpoint='GET:/songs',dest_layer='GENERAL',dest_service='B',dest_endpoint='GET:/b'}",
    time: M2,
    result: [
      'vector',
      'endpoint_relation_cpm{dest_endpoint="GET:/b",dest_layer="GENERAL",dest_service="B",endpoint="GET:/songs",layer="GENERAL",scope="EndpointRelation",service="A"} 13@120',
    ],
  },
];

for (const {title, query, time, range, result} of ROWS) {
  test(`${title}: ${query}`, async t => {
    const text = range === undefined ? await scene.instant(query, time) : await scene.range(query, ...range);
    t.deepEqual(
      text.split('\n'),
      [...result].map(line => line.replace(/^scalar (\S+)@/, 'scalar $1@')),
    );
  });
}

const inst = (service: string, name: string): string =>
  `service_instance_cpm{layer="GENERAL",scope="ServiceInstance",service="${service}",service_instance="${name}"}`;
const rec = (content: string): string =>
  `top_n_database_statement{layer="DATABASE",record="${content}",scope="Service",service="db"}`;
const TOP_OF_A = "service_instance_cpm{parent_service='A',layer='GENERAL',top_n='2',order='DES'}";
const RECORDS = "top_n_database_statement{parent_service='db',layer='DATABASE',top_n='3',order='DES'}";

const RANKINGS: readonly Row[] = [
  {
    title: 'ties by name, at the bucket of the time',
    query: TOP_OF_A,
    time: M2 + 30,
    result: ['vector', `${inst('A', 'a-2')} 4@120`, `${inst('A', 'a-3')} 4@120`],
  },
  {
    title: 'the mean over the window, at every bucket',
    query: "service_instance_cpm{layer='GENERAL',top_n='10',order='ASC'}",
    range: [M0, M2],
    result: [
      'matrix',
      `${inst('A', 'a-1')} 1.5@0 1.5@60 1.5@120`,
      `${inst('B', 'b-1')} 3@0 3@60 3@120`,
      `${inst('A', 'a-2')} 4@0 4@60 4@120`,
      `${inst('A', 'a-3')} 4@0 4@60 4@120`,
    ],
  },
  {
    title: 'the last bucket, whether or not it has data',
    query: TOP_OF_A,
    time: M2 + 100,
    result: ['vector', `${inst('A', 'a-2')} 4@180`, `${inst('A', 'a-3')} 4@180`],
  },
  {
    title: 'an empty parent is every service',
    query: "service_instance_cpm{parent_service='',layer='GENERAL',top_n='1',order='ASC'}",
    time: M2,
    result: ['vector', `${inst('A', 'a-1')} 1.5@120`],
  },
  {
    title: 'services rank as well',
    query: "service_cpm{layer='GENERAL',top_n='2',order='DES'}",
    range: [M0, M1],
    result: [
      'matrix',
      'service_cpm{layer="GENERAL",scope="Service",service="B"} 2@0 2@60',
      'service_cpm{layer="GENERAL",scope="Service",service="A"} 0.5@0 0.5@60',
    ],
  },
  {
    title: 'aggregated',
    query: `sum by (service) (service_instance_cpm{layer='GENERAL',top_n='10',order='DES'})`,
    time: M2,
    result: ['vector', '{service="A"} 9.5@120', '{service="B"} 3@120'],
  },
  {
    title: 'with itself',
    query: `${TOP_OF_A} - ${TOP_OF_A}`,
    time: M2,
    result: ['vector', `${inst('A', 'a-2')} 0@120`, `${inst('A', 'a-3')} 0@120`],
  },
  {
    title: 'compared with itself',
    query: `${TOP_OF_A} > bool ${TOP_OF_A}`,
    time: M2,
    result: ['vector', ...['a-2', 'a-3'].map(name => `${inst('A', name).replace('service_instance_cpm', '')} 0@120`)],
  },
  {
    title: 'over a range selector',
    query: `${TOP_OF_A}[1m]`,
    time: M2,
    result: ['matrix', `${inst('A', 'a-2')} 4@60 4@120`, `${inst('A', 'a-3')} 4@60 4@120`],
  },
  {
    title: 'an unknown parent',
    query: "service_instance_cpm{parent_service='ghost',layer='GENERAL',top_n='2',order='DES'}",
    time: M2,
    result: ['vector'],
  },
  {
    title: 'records, one series each, equal ones kept',
    query: RECORDS,
    time: M2,
    result: ['vector', `${rec('select 3')} 200@120`, `${rec('select 1')} 120@120`, `${rec('select 1')} 120@120`],
  },
  {
    title: 'records of the window only',
    query: RECORDS.replace('DES', 'ASC'),
    range: [M0, M0 + 59],
    result: ['matrix', `${rec('select 2')} 80@0`, `${rec('select 1')} 120@0`],
  },
  {title: 'records aggregate', query: `sum(${RECORDS})`, time: M2, result: ['vector', '{} 440@120']},
  {
    title: 'records of equal text pair in their order',
    query: `${RECORDS} - ${RECORDS}`,
    time: M2,
    result: ['vector', `${rec('select 3')} 0@120`, `${rec('select 1')} 0@120`, `${rec('select 1')} 0@120`],
  },
];

for (const {title, query, time, range, result} of RANKINGS) {
  test(`ranking: ${title}: ${query}`, async t => {
    const text = range === undefined ? await scene.instant(query, time) : await scene.range(query, ...range);
    t.deepEqual(text.split('\n'), [...result]);
  });
}

test('without a time, the query is of now', async t => {
  const minute = Math.floor(Date.now() / 60_000) * 60;
  const lines = [minute - 60, minute].map(time =>
    JSON.stringify({record: 'sample', metric: 'service_cpm', layer: 'GENERAL', service: 'now', time, value: 42}),
  );
  await scene.ingest(lines.join('\n'));
  t.regex(await scene.instant("service_cpm{service='now',layer='GENERAL'}"), / 42@\d+$/);
  t.regex(await scene.instant('1'), /^scalar 1@\d+(\.\d{1,3})?$/);
  const empty = await scene.get('/api/v1/query', {query: "service_cpm{service='now',layer='GENERAL'}", time: ''});
  t.regex(empty.text, /"42"\]/);
});

test('the envelope is written in the order that clients read', async t => {
  const {text, headers} = await scene.get('/api/v1/query', {query: SA, time: String(M2)});
  t.is(
    text,
    '{"status":"success","data":{"resultType":"vector","result":[{"metric":{"__name__":"service_cpm","layer":"GENERAL","scope":"Service","service":"A"},"value":[1700000160,"2"]}]}}',
  );
  t.regex(String(headers['content-type']), /^application\/json/);
});
