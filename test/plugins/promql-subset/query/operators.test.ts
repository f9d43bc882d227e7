import test from 'ava';
import {M0, M2} from '../scene.js';
import {A, PCT_A, PCT_B, p, SA, SB, testRows} from './rows.js';

testRows(test, [
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
]);
