import test from 'ava';
import {type LineProblem, scan} from '../../../../plugins/diagnostics/exposition/scan.js';
import {readFamilies} from '../../../support/read-families.js';

type Found = readonly [name: string, labels: Readonly<Record<string, string>>, value: number];

/** What a text gives: its samples, then how many lines were skipped, or the failure. */
function found(text: string): {samples: readonly Found[]; skipped: number; failure: string | undefined} {
  const {families, skipped, failure} = readFamilies(text);
  const samples = families.flatMap(family =>
    family.samples.map(({name, labels, value}): Found => {
      const pairs = labels.flatMap((label, index) => (index % 2 === 0 ? [[label, labels[index + 1] as string]] : []));
      return [name, Object.fromEntries(pairs), value];
    }),
  );
  return {samples, skipped, failure: failure && `line ${failure.line}: ${failure.message}`};
}

const LARGE = 'x'.repeat(1_048_576);

const READ: readonly (readonly [input: string, ...samples: Found[]])[] = [
  ['m 1', ['m', {}, 1]],
  ['m 1 1395066363000', ['m', {}, 1]],
  ['m 1 -1000', ['m', {}, 1]],
  ['m{a="x}y"} 1', ['m', {a: 'x}y'}, 1]],
  ['m{a="x,y"} 1', ['m', {a: 'x,y'}, 1]],
  ['m{a="x,b=\\"c"} 1', ['m', {a: 'x,b="c'}, 1]],
  ['m{a="x\\"y"} 1', ['m', {a: 'x"y'}, 1]],
  ['m{a="\\\\"} 1', ['m', {a: '\\'}, 1]],
  ['m{a="1\\n2"} 1', ['m', {a: '1\n2'}, 1]],
  ['m{a="\\t"} 1', ['m', {a: '\\t'}, 1]],
  ['m{a="\\\\n"} 1', ['m', {a: '\\n'}, 1]],
  ['m{a=""} 1', ['m', {}, 1]],
  ['m{} 1', ['m', {}, 1]],
  ['m{a="1",} 1', ['m', {a: '1'}, 1]],
  ['m{a="b"}1', ['m', {a: 'b'}, 1]],
  ['m {a="b"} 1', ['m', {a: 'b'}, 1]],
  ['\t m{ a = "b" , c="d" } 1 ', ['m', {a: 'b', c: 'd'}, 1]],
  ['job:m:rate5m 1', ['job:m:rate5m', {}, 1]],
  ['m NaN\nn nan', ['m', {}, Number.NaN], ['n', {}, Number.NaN]],
  ['m +Inf\nn Inf\no infinity', ['m', {}, Infinity], ['n', {}, Infinity], ['o', {}, Infinity]],
  ['m -Inf', ['m', {}, -Infinity]],
  ['m .5\nn 1.\no +1\np 1e5', ['m', {}, 0.5], ['n', {}, 1], ['o', {}, 1], ['p', {}, 100_000]],
  ['m 1e-400', ['m', {}, 0]],
  ['m -0', ['m', {}, -0]],
  ['m 1\r\nn 2\r\n', ['m', {}, 1], ['n', {}, 2]],
  ['m 1 # {trace_id="a"} 0.5', ['m', {}, 1]],
  ['m 1 123 # {trace_id="a"} 0.5', ['m', {}, 1]],
  ['# EOF\n# UNIT m seconds\n#TYPE m counter\n\nm 1', ['m', {}, 1]],
  ['m{a="1"} 1\nm{a="1"} 2', ['m', {a: '1'}, 2]],
  ['{"a.b",c="d"} 1', ['a.b', {c: 'd'}, 1]],
  ['m{"a.b"="c"} 1', ['m', {'a.b': 'c'}, 1]],
  ['m{a="\0"} 1', ['m', {a: '\0'}, 1]],
  [`m{a="${LARGE}"} 1`, ['m', {a: LARGE}, 1]],
  [`${'n'.repeat(1000)} 1`, ['n'.repeat(1000), {}, 1]],
  ['summary{quantile="0.5"} NaN', ['summary', {quantile: '0.5'}, Number.NaN]],
];

for (const [input, ...samples] of READ) {
  test(`it reads ${JSON.stringify(input).slice(0, 60)}`, t => {
    t.deepEqual(found(input), {samples, skipped: 0, failure: undefined});
  });
}

const SKIPPED: readonly string[] = [
  'm{a="1" b="2"} 1',
  'm{a="1",a="2"} 1',
  `m{${Array.from({length: 40}, (_, n) => `l${n % 39}="x"`)}} 1`,
  'm',
  'm{a="b"}',
  '{a="ok"} 1',
  'm{="x"} 1',
  "m{b='c'} 1",
  'm{a="b} 1',
  'm{a="b"',
  'm{,} 1',
  'm{a} 1',
  '{"m","n"} 1',
  'm{__name__="n"} 1',
  '1m 1',
  '-m 1',
  'm 1 x',
  'm 1 2 3',
  'm-x 1',
  'm-1',
  'm.x 1',
  'm/x{a="b"} 1',
  'größe 1',
  'm"x" 1',
  'm=1',
  'm-x not_a_number',
  'm{a="b"}} 1',
  'm{a="b"} {c="d"} 1',
  'm = 1',
];

for (const line of SKIPPED) {
  test(`it passes over ${line.slice(0, 40)} and reads the next line`, t => {
    t.deepEqual(found(`${line}\nnext 1`), {samples: [['next', {}, 1]], skipped: 1, failure: undefined});
  });
}

test('what is wrong with a line is said, with its number and what stands there', t => {
  const problems: LineProblem[] = [];
  const sink = {type: () => undefined, help: () => undefined, sample: () => undefined};
  const text = `m 1\n m-x 1\r\n😀 1\nm😀 ${'x'.repeat(100)}\nn 12x\n`;
  const failure = scan(text, {...sink, skip: problem => problems.push(problem)});
  t.deepEqual(problems, [
    {line: 2, message: 'a metric name cannot contain "-"', text: 'm-x 1'},
    {line: 3, message: 'the line does not begin with a metric name', text: '😀 1'},
    {line: 4, message: 'a metric name cannot contain "😀"', text: `m😀 ${'x'.repeat(76)}…`},
  ]);
  t.deepEqual(failure, {line: 5, message: '"12x" is not a number', text: 'n 12x'});
});

for (const value of ['1e400', '0x1p3', '1_000', 'true', '1,5', '--1', '1e', '.', '+', 'InfX']) {
  test(`the value ${value} ends the reading`, t => {
    t.is(found(`a 1\nm ${value}\nb 1`).failure, `line 2: "${value}" is not a number`);
  });
}

const HEADS: readonly (readonly [input: string, type: string, help: string])[] = [
  ['# TYPE m counter', 'counter', ''],
  ['# TYPE m Counter', 'counter', ''],
  ['# TYPE m  counter ', 'counter', ''],
  ['#  TYPE\tm\tgauge', 'gauge', ''],
  ['# TYPE m unknown', 'untyped', ''],
  ['# TYPE m gaugehistogram', 'untyped', ''],
  ['# TYPE m info', 'untyped', ''],
  ['# HELP m', 'untyped', ''],
  ['# HELP m one\\ntwo \\\\ "three"', 'untyped', 'one\ntwo \\ "three"'],
  ['# HELP m first\n# HELP m last', 'untyped', 'last'],
  ['# HELP m text\r\n# TYPE m counter\r', 'counter', 'text'],
  ['m 1\n# TYPE m counter', 'counter', ''],
  ['# TYPE m gauge\n# TYPE m counter', 'counter', ''],
  ['# HELP "m" quoted', 'untyped', 'quoted'],
];

for (const [input, type, help] of HEADS) {
  test(`${JSON.stringify(input)} is ${type} with the help ${JSON.stringify(help)}`, t => {
    const family = readFamilies(`${input}\nm 2`).families.find(({name}) => name === 'm');
    t.like(family, {type, help, samples: {length: 1}});
  });
}

test('parts of histograms and summaries belong to the family, what only looks like one does not', t => {
  const text = [
    '# TYPE h histogram\nh_bucket{le="1"} 1\nh_bucket{le="+Inf"} 2\nh_sum 3\nh_count 2',
    '# TYPE s summary\ns{quantile="0.5"} 1\ns_sum 3\ns_count 2\ns_bucket 1',
    '# TYPE foo counter\nfoo_total 1\nlost_count 3',
  ].join('\n');
  const families = readFamilies(text).families.map(({name, type, samples}) => [
    name,
    type,
    samples.map(sample => sample.name).join(' '),
  ]);
  t.deepEqual(families, [
    ['h', 'histogram', 'h_bucket h_bucket h_sum h_count'],
    ['s', 'summary', 's s_sum s_count'],
    ['foo', 'counter', ''],
    ['s_bucket', 'untyped', 's_bucket'],
    ['foo_total', 'untyped', 'foo_total'],
    ['lost_count', 'untyped', 'lost_count'],
  ]);
});
