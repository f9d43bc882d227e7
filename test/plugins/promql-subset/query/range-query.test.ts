import test from 'ava';
import {M0, M1, M2} from '../scene.js';
import {A, SA, testRows} from './rows.js';

testRows(test, [
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
]);
