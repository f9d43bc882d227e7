import test from 'ava';
import {M2} from '../scene.js';
import {A, PCT_A, SA, testRows} from './rows.js';

testRows(test, [
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
]);
