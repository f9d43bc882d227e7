import test from 'ava';
import type {GatewayError} from '../../../../core/api/plugin.js';
import {complete} from '../../../../core/toolkit/yielder.js';
import {parseExpression} from '../../../../plugins/promql-subset/language/parse.js';

const LIMITS = {queryLength: 16_384, nesting: 200};

/** What the full language has and this one refuses: the query, where, and what the message names. */
const UNSUPPORTED: readonly (readonly [query: string, place: string, named: string])[] = [
  ['rate(x[5m])', '1:1', '"rate" is not in this subset'],
  ['1 + histogram_quantile(0.9, x)', '1:5', '"histogram_quantile" is not in this subset'],
  ['time()', '1:1', '"time" is not in this subset'],
  ['summ(x)', '1:1', 'did you mean "sum"?'],
  ['sum(\n  rate(x[5m])\n)', '2:3', '"rate" is not in this subset'],
  ...['count', 'topk', 'bottomk', 'quantile', 'stddev', 'stdvar', 'group', 'count_values', 'limitk'].map(
    name => [`${name}(x)`, '1:1', `"${name}" is not in this subset`] as const,
  ),
  ['TOPK(5, x)', '1:1', '"TOPK" is not in this subset'],
  ['count by (a) (x)', '1:1', '"count" is not in this subset'],
  ['topk(5, x)', '1:1', '"topk" is not in this subset'],
  ['x offset 5m', '1:3', '"offset" is not in this subset'],
  ['x OFFSET -5m', '1:3', '"OFFSET" is not in this subset'],
  ['x[5m] offset 5m', '1:7', '"offset" is not in this subset'],
  ['x @ 1609746000', '1:3', '"@" is not in this subset'],
  ['x @ end()', '1:3', '"@" is not in this subset'],
  ['x[5m:1m]', '1:5', 'a subquery is not in this subset'],
  ['x[5m:]', '1:5', 'a subquery is not in this subset'],
  ['sum(x)[5m:1m]', '1:7', '"[" is not in this subset here'],
  ['(x)[5m]', '1:4', '"[" is not in this subset here'],
  ['5[5m]', '1:2', '"[" is not in this subset here'],
  ['x[5m][5m]', '1:6', 'a second "[" after a range is not in this subset'],
  ['x[300]', '1:3', 'the number "300" is not in this subset as a range'],
  ['x[5y]', '1:3', 'the unit "y" in "5y" is not in this subset'],
  ['x[1y2w]', '1:3', 'the unit "y" in "1y2w" is not in this subset'],
  ['x and y', '1:3', '"and" is not in this subset'],
  ['x OR y', '1:3', '"OR" is not in this subset'],
  ['x unless on(a) y', '1:3', '"unless" is not in this subset'],
  ['x atan2 y', '1:3', '"atan2" is not in this subset'],
  ['x + on(a) y', '1:5', '"on" is not in this subset as vector matching'],
  ['x > bool ignoring (a) y', '1:10', '"ignoring" is not in this subset as vector matching'],
  ['x * group_left (a) y', '1:5', '"group_left" is not in this subset as vector matching'],
  ['2 ^ 3', '1:3', '"^" is not in this subset'],
  ['-x', '1:1', '"-" is not in this subset as a unary operator'],
  ['+x', '1:1', '"+" is not in this subset as a unary operator'],
  ['1 - -x', '1:5', '"-" is not in this subset as a unary operator'],
  ['--1', '1:1', '"-" is not in this subset as a unary operator'],
  ['-(1)', '1:1', '"-" is not in this subset as a unary operator'],
  ['x{a!="b"}', '1:4', '"!=" is not in this subset as a matcher of an expression'],
  ['x{a="b",c=~"d"}', '1:10', '"=~" is not in this subset as a matcher of an expression'],
  ['x{a!~"b"}', '1:4', '"!~" is not in this subset as a matcher of an expression'],
  ['"text"', '1:1', '"text" is not in this subset as an expression of its own'],
  ['5m', '1:1', '"5m" is not in this subset as a number'],
  ['a:b', '1:1', '"a:b" is not in this subset because of the colon in the name'],
  ['{a="b"}', '1:1', 'a selector without a metric name is not in this subset'],
  ['{"x"}', '1:1', 'a selector without a metric name is not in this subset'],
  ['x{"a"="b"}', '1:3', '"a" is not in this subset as a quoted name'],
  ['sum by ("a") (x)', '1:9', '"a" is not in this subset as a quoted name'],
  ['x = y', '1:3', '"=" is not in this subset between operands'],
  ['x\n+\n  # rate(x)\n  rate(y)', '4:3', '"rate" is not in this subset'],
];

const WRONG: readonly (readonly [query: string, place: string, message: string])[] = [
  ['', '1:1', 'found the end, expected "(", a number, + or -, a name or an aggregation'],
  ['# only a comment', '1:17', 'found the end'],
  ['x{', '1:3', 'found the end, expected "}" or a name'],
  ['x\n\n{', '3:2', 'found the end'],
  ['x{a}', '1:4', 'found "}", expected a matcher operator'],
  ['x{a=b}', '1:5', 'found "b", expected a quoted value'],
  ['x{a="b" c="d"}', '1:9', 'found "c", expected "," or "}"'],
  ['x{,}', '1:3', 'found ","'],
  ['x{a="b"', '1:8', 'found the end'],
  ['1 1', '1:3', 'found "1"'],
  ['x y', '1:3', 'found "y"'],
  ['(1', '1:3', 'found the end'],
  ['1)', '1:2', 'found ")"'],
  ['1 +', '1:4', 'found the end'],
  ['* 1', '1:1', 'found "*"'],
  ['x[5m', '1:5', 'found the end, expected "]"'],
  ['x[]', '1:3', 'found "]", expected a duration'],
  ['x[5 m]', '1:3', 'the number "5" is not in this subset as a range'],
  ['x[30m1h]', '1:3', 'the units of "30m1h" are out of order'],
  ['x[1m1m]', '1:3', 'the units of "1m1m" are out of order'],
  ['x[99999999999999999w]', '1:3', 'the duration "99999999999999999w" is too long'],
  ['sum()', '1:5', 'found ")"'],
  ['sum(x, y)', '1:6', 'found ","'],
  ['sum by (a) (x) by (b)', '1:16', 'found "by"'],
  ['sum by a (x)', '1:5', 'found "by"'],
  ['sum by (a b) (x)', '1:11', 'found "b"'],
  ['1 + bool 2', '1:5', 'found "bool"'],
  ['x > bool', '1:9', 'found the end'],
  ['1e', '1:1', '"1e" is neither a number nor a duration'],
  ['1..2', '1:1', '"1..2" is neither a number nor a duration'],
  ['0x', '1:1', '"0x" is neither a number nor a duration'],
  ['1__0', '1:1', '"1__0" is neither a number nor a duration'],
  ['5mm', '1:1', '"5mm" is neither a number nor a duration'],
  ['1a', '1:1', '"1a" is neither a number nor a duration'],
  ['$x', '1:1', 'unexpected character "$"'],
  ['x;', '1:2', 'unexpected character ";"'],
  ['😀', '1:1', 'unexpected character "😀"'],
  ['x.y', '1:2', 'unexpected character "."'],
  ['x{a="b}', '1:5', 'the string that " opens has no end on its line'],
  ["x{a='b\n'}", '1:5', "the string that ' opens has no end on its line"],
  ['x{a=`b}', '1:5', 'the string that ` opens has no end on its line'],
  ['x{a="\\z"}', '1:5', '"\\z" is not an escape'],
  ['x{a="\\u12"}', '1:5', '"\\u" is not an escape'],
  ['x{a="\\ud800"}', '1:5', '"\\ud800" is not an escape'],
  ['x{a="\\U00110000"}', '1:5', '"\\U00110000" is not an escape'],
  ['x{a="\\777"}', '1:5', '"\\777" is not an escape'],
  ['x{a="\\xff"}', '1:5', 'do not make valid UTF-8'],
];

for (const [code, rows] of [
  ['unsupported_query', UNSUPPORTED],
  ['syntax', WRONG],
] as const) {
  for (const [query, place, message] of rows) {
    test(`${code} at ${place}: ${JSON.stringify(query)}`, t => {
      const error = t.throws<GatewayError>(() => complete(parseExpression(query, LIMITS)));
      t.true(error.message.includes(message), error.message);
      t.is(`${error.position?.line}:${error.position?.column}`, place);
      t.is(error.code, message.includes('not in this subset') ? 'unsupported_query' : code);
    });
  }
}
