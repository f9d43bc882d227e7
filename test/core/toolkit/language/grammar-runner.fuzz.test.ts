import test from 'ava';
import fc from 'fast-check';
import {GatewayError} from '../../../../core/api/plugin.js';
import {GrammarRunner} from '../../../../core/toolkit/language/grammar-runner.js';
import {complete} from '../../../../core/toolkit/yielder.js';
import {FUZZ_RUNS} from '../../../support/fuzz.js';
import {LISTS, type List, lists, readLists, tokeniseLists} from './lists.js';

const parse = (text: string): List => complete(lists.run(complete(tokeniseLists(text)), text));

const REFUSED: readonly (readonly [text: string, place: string, message: string])[] = [
  ['', '1:1', 'found the end, expected "("'],
  ['# no list\n  ', '2:3', 'found the end, expected "("'],
  ['(a\n b', '2:3', 'found the end, expected ")", a word or "("'],
  ['a', '1:1', 'found "a", expected "("'],
  [')', '1:1', 'found ")", expected "("'],
  ['()\n()', '2:1', 'found "(", expected the end'],
  ['(a ]', '1:4', 'found "]", expected ")", a word or "("'],
];

for (const [text, place, message] of REFUSED) {
  test(`${JSON.stringify(text)} is refused at ${place}: ${message}`, t => {
    const error = t.throws<GatewayError>(() => parse(text));
    t.is(error.code, 'syntax');
    t.is(error.message, message);
    t.is(`${error.position?.line}:${error.position?.column}`, place);
  });
}

test('any text has the tree of the grammar, or is refused where it leaves it', t => {
  const part = fc.constantFrom('(', ')', '(', ')', 'a', 'bc', ' ', '\n', '# )\n', ']');
  fc.assert(
    fc.property(fc.array(part, {maxLength: 200}), parts => {
      const text = parts.join(' ');
      const tokens = complete(tokeniseLists(text));
      const wanted = readLists(tokens);
      if (typeof wanted !== 'number') return t.deepEqual(parse(text), wanted);
      const error = t.throws<GatewayError>(() => parse(text));
      const last = text.split('\n');
      const end = {line: last.length, column: (last.at(-1) ?? '').length + 1};
      return t.deepEqual(error.position, tokens[wanted]?.position ?? end, text);
    }),
    {numRuns: Math.ceil(FUZZ_RUNS / 2)},
  );
});

test('a long text is parsed in steps, and others at the same time by the same runner', t => {
  const texts = ['a', 'b'].map(word => `(${`${word} `.repeat(500)})`);
  const running = texts.map(text => lists.run(complete(tokeniseLists(text)), text));
  const trees = new Map<number, List>();
  let turns = 0;
  while (trees.size < running.length) {
    turns++;
    for (const [i, steps] of running.entries()) {
      const {done, value} = steps.next();
      if (done && value !== undefined) trees.set(i, value);
    }
  }
  t.true(turns > 5);
  t.deepEqual(
    [trees.get(0), trees.get(1)],
    ['a', 'b'].map(word => new Array(500).fill(word)),
  );
});

test('what a rule refuses passes as it is, what it breaks on too', t => {
  const refusal = new GatewayError('unsupported_query', 'no such word', {position: {line: 1, column: 2}});
  for (const problem of [refusal, new TypeError('a mistake in a rule')]) {
    const rules = LISTS.ParserRules.map(rule => ({
      ...rule,
      postprocess: () => {
        throw problem;
      },
    }));
    const runner = new GrammarRunner<List>({...LISTS, ParserRules: rules}, {words: {}});
    const tokens = complete(tokeniseLists('(a)'));
    const thrown = t.throws(() => complete(runner.run(tokens, '(a)')));
    t.is(thrown, problem as Error);
  }
});

test('a grammar may begin with another symbol, and one that reads a text in two ways is a mistake', t => {
  const items = new GrammarRunner<List>(LISTS, {start: 'items', words: {}});
  t.deepEqual(complete(items.run(complete(tokeniseLists('a b')), 'a b')), ['a', 'b']);
  const twice = new GrammarRunner(
    {...LISTS, ParserRules: [...LISTS.ParserRules, ...LISTS.ParserRules.slice(0, 1)]},
    {words: {}},
  );
  t.throws(() => complete(twice.run(complete(tokeniseLists('()')), '()')), {message: /^BUG: .* in several ways$/});
});
