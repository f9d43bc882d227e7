import test from 'ava';
import {complete} from '../../../../core/toolkit/yielder.js';
import {parseExpression, parseSeriesSelector} from '../../../../plugins/promql-subset/language/parse.js';
import {print} from '../../../../plugins/promql-subset/language/print.js';

const LIMITS = {queryLength: 16_384, nesting: 200};

/** A query and its canonical form, which is Prometheus's own. */
const PAIRS: readonly (readonly [query: string, canonical: string])[] = [
  ['1', '1'],
  ['1+1', '1 + 1'],
  ['  1\t+\r\n1 # comment', '1 + 1'],
  ['1-1', '1 - 1'],
  ['1 - -1', '1 - -1'],
  ['- 1', '-1'],
  ['+1', '1'],
  ['-0', '-0'],
  ['.5', '0.5'],
  ['5.', '5'],
  ['1.e3', '1000'],
  ['1_000', '1000'],
  ['0x1F', '31'],
  ['0XfF', '255'],
  ['010', '8'],
  ['08', '8'],
  ['100000', '100000'],
  ['1000000', '1e+06'],
  ['1234567', '1.234567e+06'],
  ['123456789.5', '1.234567895e+08'],
  ['1e21', '1e+21'],
  ['0.0001', '0.0001'],
  ['0.00001', '1e-05'],
  ['1.5E+2', '150'],
  ['inf', '+Inf'],
  ['-INF', '-Inf'],
  ['nan', 'NaN'],
  ['1*2+3/4%5', '1 * 2 + 3 / 4 % 5'],
  ['1*(2+3)', '1 * (2 + 3)'],
  ['((1))', '((1))'],
  ['1==bool 2', '1 == bool 2'],
  ['x==BOOL y', 'x == bool y'],
  ['x>=y!=z', 'x >= y != z'],
  ['x', 'x'],
  ['x{}', 'x'],
  ['x{ }', 'x'],
  ["x{a='b'}", 'x{a="b"}'],
  ["x{b='1', a='2',}", 'x{a="2",b="1"}'],
  ['x{a=`b\\n`}', 'x{a="b\\\\n"}'],
  ["x{__name__='x',a='b'}", 'x{a="b"}'],
  ["x{__name__='y'}", 'x{__name__="y"}'],
  [`x{a='it\\'s "quoted"'}`, 'x{a="it\'s \\"quoted\\""}'],
  [`x{a="\\a\\b\\f\\n\\r\\t\\v\\\\"}`, 'x{a="\\a\\b\\f\\n\\r\\t\\v\\\\"}'],
  [`x{a="\\x41\\101\\u00e9\\U0001F600"}`, 'x{a="AAé😀"}'],
  [`x{a="\\xc3\\xa9"}`, 'x{a="é"}'],
  [`x{a="\\u200b\\x01\\U000E0001"}`, 'x{a="\\u200b\\x01\\U000e0001"}'],
  ['x{a="\\\\."}', 'x{a="\\\\."}'],
  ["x{by='1',sum='2',bool='3',offset='4',inf='5'}", 'x{bool="3",by="1",inf="5",offset="4",sum="2"}'],
  ['x[5m]', 'x[5m]'],
  ['x{a="b"}[1h30m]', 'x{a="b"}[1h30m]'],
  ['x[90s]', 'x[1m30s]'],
  ['x[1m0s]', 'x[1m]'],
  ['x[0s]', 'x[0s]'],
  ['x[7d]', 'x[1w]'],
  ['x[90d]', 'x[90d]'],
  ['x[365d]', 'x[365d]'],
  ['x[1w2d3h4m5s6ms]', 'x[9d3h4m5s6ms]'],
  ['x[1h30m500ms]', 'x[1h30m500ms]'],
  ['sum(x)', 'sum(x)'],
  ['SUM(x)', 'sum(x)'],
  ['Avg By(a)(x)', 'avg by (a) (x)'],
  ['sum(x)by(a,b,)', 'sum by (a, b) (x)'],
  ['min without(a)(x)', 'min without (a) (x)'],
  ['sum by()(x)', 'sum(x)'],
  ['sum without()(x)', 'sum without () (x)'],
  ['sum by(sum,on,offset)(x)', 'sum by (sum, on, offset) (x)'],
  ['max(sum(x[5m])*2)', 'max(sum(x[5m]) * 2)'],
  // Keywords are names where only a name can stand.
  ['sum', 'sum'],
  ['and{a="b"}', 'and{a="b"}'],
  ['offset + by', 'offset + by'],
  [
    `sum by (service) (service_cpm{layer="GENERAL",service="${'a'.repeat(80)}"})`,
    `sum by (service) (\n  service_cpm{layer="GENERAL",service="${'a'.repeat(80)}"}\n)`,
  ],
  [
    `service_cpm{layer="GENERAL",service="${'a'.repeat(50)}"} / service_cpm{layer="GENERAL",service="b"} * bool_metric`,
    `    service_cpm{layer="GENERAL",service="${'a'.repeat(50)}"}\n  /\n    service_cpm{layer="GENERAL",service="b"}\n*\n  bool_metric`,
  ],
];

for (const [query, canonical] of PAIRS) {
  test(`${JSON.stringify(query)} is written ${JSON.stringify(canonical)}`, t => {
    t.is(print(complete(parseExpression(query, LIMITS))), canonical);
    t.is(print(complete(parseExpression(canonical, LIMITS))), canonical);
  });
}

test('series selectors take every match operator, and no name before the braces', t => {
  for (const [selector, canonical] of [
    ['x', 'x'],
    ['{a="b"}', '{a="b"}'],
    ["x{a!='1',b=~'2',c!~'3',}", 'x{a!="1",b=~"2",c!~"3"}'],
  ] as const) {
    t.is(print(complete(parseSeriesSelector(selector, LIMITS))), canonical);
  }
});
