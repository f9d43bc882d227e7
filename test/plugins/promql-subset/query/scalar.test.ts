import test from 'ava';
import {testRows} from './rows.js';

testRows(test, [
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
]);
