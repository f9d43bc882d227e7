import test from 'ava';
import {M0, M2} from '../scene.js';
import {A, PCT_A, SA, testRows} from './rows.js';

testRows(test, [
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
]);
