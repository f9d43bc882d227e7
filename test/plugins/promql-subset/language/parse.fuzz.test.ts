import test from 'ava';
import fc from 'fast-check';
import {GatewayError} from '../../../../core/api/plugin.js';
import {complete} from '../../../../core/toolkit/yielder.js';
import {analyse} from '../../../../plugins/promql-subset/language/analysis.js';
import type {Expression} from '../../../../plugins/promql-subset/language/ast.js';
import {parseExpression, parseSeriesSelector} from '../../../../plugins/promql-subset/language/parse.js';
import {print} from '../../../../plugins/promql-subset/language/print.js';
import {FUZZ_RUNS} from '../../../support/fuzz.js';

const LIMITS = {queryLength: 16_384, nesting: 200};
const RUNS = Math.ceil(FUZZ_RUNS / 4);
/** Nothing that fits the limits computes this long; a run that does is reported with its input. */
const HANG_MICROSECONDS = 1_000_000;

/** Parses, checks and prints, and says what the outcome was. Anything but a tree or a good error is a failure. */
function outcome(text: string): string {
  const begin = process.cpuUsage();
  const results = [parseExpression, parseSeriesSelector].map(parse => {
    try {
      const expression = complete<Expression>(parse(text, LIMITS));
      analyse(expression);
      return print(expression);
    } catch (error) {
      if (!GatewayError.is(error)) throw error;
      if (error.code === 'internal' || error.message === '') throw error;
      const {line = 1, column = 1} = error.position ?? {};
      const lines = text.split('\n');
      if (line > lines.length || column > (lines[line - 1] ?? '').length + 1) throw new Error('no such position');
      return error.code;
    }
  });
  if (process.cpuUsage(begin).user > HANG_MICROSECONDS) throw new Error('this hangs');
  return results.join(' ');
}

const TOKENS =
  '( ) { } [ ] , + - * / % ^ == != > < >= <= = =~ !~ @ : # \n 1 .5 0x1F 1e3 1_0 inf NaN 5m 1h30m 0s 1y x service_cpm ' +
  'sum min max avg count topk by without bool and or unless on ignoring group_left offset atan2 \'a\' "b\\n" `c` \' " \\ a:b é 😀';
const token = fc.constantFrom(...TOKENS.split(' '));

const label = fc.constantFrom('layer', 'service', 'p', 'by', 'sum', 'offset', '_x1');
const value = fc.string({unit: 'grapheme', maxLength: 8});
const selector = fc
  .tuple(fc.constantFrom('x', 'service_cpm', 'sum', 'offset'), fc.array(fc.tuple(label, value), {maxLength: 3}))
  .map(([name, pairs]) => `${name}{${pairs.map(([key, text]) => `${key}=${JSON.stringify(text)}`).join(',')}}`);
const number = fc.oneof(
  fc.double({noNaN: true, noDefaultInfinity: true}).map(String),
  fc.constantFrom('NaN', 'Inf', '-Inf', '0x1F', '010', '.5'),
);
const duration = fc.constantFrom('5m', '1h30m', '1w', '500ms', '0s', '90s');

const {expression} = fc.letrec<{expression: string}>(tie => ({
  expression: fc.oneof(
    {maxDepth: 4},
    selector,
    number,
    fc.tuple(selector, duration).map(([text, length]) => `${text}[${length}]`),
    fc
      .tuple(tie('expression'), fc.constantFrom('+', '-', '*', '/', '%', '== bool', '>', '<= bool'), tie('expression'))
      .map(parts => parts.join(' ')),
    tie('expression').map(inner => `(${inner})`),
    fc
      .tuple(fc.constantFrom('sum', 'AVG', 'min by (p, service)', 'max without (layer,)'), tie('expression'))
      .map(([operator, inner]) => `${operator} (${inner})`),
  ),
}));

test('arbitrary text never breaks the parser', t => {
  fc.assert(
    fc.property(fc.string({unit: 'binary', maxLength: 200}), text => void outcome(text)),
    {numRuns: RUNS},
  );
  t.pass();
});

test('a soup of tokens never breaks the parser', t => {
  fc.assert(
    fc.property(fc.array(token, {maxLength: 60}), tokens => void outcome(tokens.join(' '))),
    {numRuns: RUNS},
  );
  t.pass();
});

test('what is printed reads as the same again', t => {
  fc.assert(
    fc.property(expression, text => {
      const canonical = print(complete(parseExpression(text, LIMITS)));
      return print(complete(parseExpression(canonical, LIMITS))) === canonical;
    }),
    {numRuns: RUNS},
  );
  t.pass();
});

test('a valid query with a token changed never breaks the parser', t => {
  fc.assert(
    fc.property(expression, fc.nat(), token, fc.boolean(), (text, at, insert, replace) => {
      const place = at % (text.length + 1);
      outcome(text.slice(0, place) + insert + text.slice(replace ? place + 1 : place));
    }),
    {numRuns: RUNS},
  );
  t.pass();
});

test('the largest inputs of each shape are parsed in time', t => {
  const size = LIMITS.queryLength;
  const shapes = [
    '1+'.repeat(size / 2 - 1).concat('1'),
    '-'.repeat(size - 1).concat('1'),
    '2^'.repeat(size / 2 - 1).concat('1'),
    `${'('.repeat(200)}1${')'.repeat(200)}`,
    '('.repeat(size),
    `${'sum('.repeat(200)}x${')'.repeat(200)}`,
    `x{${'a="",'.repeat(size / 5 - 2)}}`,
    `x{${'a="",'.repeat(size / 5 - 2)}`,
    `sum by (${'a,'.repeat(size / 2 - 20)}) (x)`,
    '1'.repeat(size - 1).concat('x'),
    `x{a="${'\\\\'.repeat(size / 2 - 4)}"}`,
    `x{a="${'\\x41'.repeat(size / 4 - 4)}"}`,
    'x=='.repeat(size / 3 - 1).concat('x'),
    'x*x+'.repeat(size / 4 - 1).concat('x'),
    '#'.repeat(size),
    ' '.repeat(size),
    'a'.repeat(size),
    `x[${'1h'.repeat(size / 2 - 4)}]`,
  ];
  for (const shape of shapes) t.notThrows(() => outcome(shape), shape.slice(0, 40));
});
