import test from 'ava';
import fc from 'fast-check';
import {Problems} from '../../../core/config/config-error.js';
import {expandPlaceholders, VariableText} from '../../../core/config/placeholders.js';
import {FUZZ_RUNS} from '../../support/fuzz.js';

const ENVIRONMENT = {HOST: 'db', EMPTY: '', WEIRD: '${HOST}'};

function expand(text: string): {readonly text: string; readonly whole: boolean; readonly problem: boolean} {
  const problems = new Problems();
  const value = expandPlaceholders({key: text}, '', ENVIRONMENT, problems) as {readonly key: string | VariableText};
  const whole = value.key instanceof VariableText;
  return {text: value.key instanceof VariableText ? value.key.text : value.key, whole, problem: problems.has('key')};
}

const ROWS: readonly (readonly [source: string, text: string, problem?: boolean])[] = [
  ['plain', 'plain'],
  ['${HOST}', 'db'],
  ['${HOST:other}', 'db'],
  ['${NONE:other}', 'other'],
  ['${NONE:}', ''],
  ['${EMPTY:other}', 'other'],
  ['${NONE:a:b,c}', 'a:b,c'],
  ['http://${HOST}:${PORT:80}/', 'http://db:80/'],
  ['$${HOST}', '${HOST}'],
  ['a$${b', 'a${b'],
  ['$HOST', '$HOST'],
  ['${WEIRD}', '${HOST}'],
  ['${NONE}', '', true],
  ['${EMPTY}', '', true],
  ['${', '${', true],
  ['x${HOST', 'x${HOST', true],
  ['${1A}', '${1A}', true],
  ['${}', '${}', true],
  ['${NONE:a$b}', 'a$b'],
  ['${NONE:${HOST}}', '${NONE:db}', true],
];

for (const [source, text, problem = false] of ROWS) {
  test(`the text ${source} becomes ${problem ? 'a problem' : JSON.stringify(text)}`, t => {
    const expanded = expand(source);
    t.is(expanded.text, text);
    t.is(expanded.problem, problem);
  });
}

test('only a text that is one placeholder and nothing else may take another type', t => {
  t.true(expand('${HOST}').whole);
  t.true(expand('${NONE:1}').whole);
  t.false(expand('${HOST}${HOST}').whole);
  t.false(expand(' ${HOST}').whole);
});

test('text without a dollar sign is left alone, and any other is expanded or reported', t => {
  const piece = fc.oneof(
    fc.string({maxLength: 4}),
    fc.constantFrom('${', '}', ':', '$', '$${', 'HOST', '${HOST}', '${A:b}'),
  );
  fc.assert(
    fc.property(fc.array(piece, {maxLength: 6}), pieces => {
      const source = pieces.join('');
      const {text, problem} = expand(source);
      if (!source.includes('$')) return text === source && !problem;
      // What begins a placeholder does not stand in a result by accident.
      return problem || !text.includes('${') || source.includes('$${');
    }),
    {numRuns: FUZZ_RUNS},
  );
  t.pass();
});

test('a literal that is written with $${ comes out as it was meant', t => {
  fc.assert(
    fc.property(fc.stringMatching(/^[${}:A]{0,9}$/), literal => {
      const {text, problem} = expand(literal.replaceAll('${', () => '$${'));
      return text === literal && !problem;
    }),
    {numRuns: FUZZ_RUNS},
  );
  t.pass();
});
