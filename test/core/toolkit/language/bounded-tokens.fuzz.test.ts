import test from 'ava';
import fc from 'fast-check';
import {GatewayError} from '../../../../core/api/plugin.js';
import {boundedTokens, type SourceToken, showToken} from '../../../../core/toolkit/language/bounded-tokens.js';
import {complete} from '../../../../core/toolkit/yielder.js';
import {FUZZ_RUNS} from '../../../support/fuzz.js';
import {tokeniseLists} from './lists.js';

const RUNS = {numRuns: FUZZ_RUNS};

const read = (text: string, queryLength: number, nesting: number): readonly SourceToken[] =>
  complete(boundedTokens(text, {queryLength, nesting}, tokeniseLists));

test('a text has its tokens with their places, without spaces and comments', t => {
  t.deepEqual(read('(a # b\n  c)', 100, 1), [
    {type: '(', value: '(', position: {line: 1, column: 1}},
    {type: 'word', value: 'a', position: {line: 1, column: 2}},
    {type: 'word', value: 'c', position: {line: 2, column: 3}},
    {type: ')', value: ')', position: {line: 2, column: 4}},
  ]);
});

test('a text may be as long as its limit in bytes, and a longer one is not tokenised', t => {
  fc.assert(
    fc.property(fc.string({unit: 'binary', maxLength: 40}), fc.nat(60), (text, queryLength) => {
      const isLonger = Buffer.byteLength(text) > queryLength;
      let isTokenised = false;
      const tokens = boundedTokens(text, {queryLength, nesting: 1000}, function* () {
        isTokenised = true;
        yield;
        return [];
      });
      if (!isLonger) t.deepEqual(complete(tokens), []);
      else {
        const message = `the query is longer than limits.queryLength, ${queryLength} bytes`;
        const error = t.throws<GatewayError>(() => complete(tokens), {instanceOf: GatewayError, message});
        t.is(error.code, 'bad_request');
      }
      t.is(isTokenised, !isLonger);
    }),
    RUNS,
  );
});

test('a text may nest as deep as its limit, and is refused at the bracket that is deeper', t => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('(', '[', ')', ']', 'a'), {maxLength: 40}), fc.nat(8), (parts, nesting) => {
      let depth = 0;
      const tooDeep = parts.findIndex(part => {
        depth += '(['.includes(part) ? 1 : ')]'.includes(part) ? -1 : 0;
        return depth > nesting;
      });
      const text = parts.join(' ');
      if (tooDeep < 0) return t.is(read(text, 1000, nesting).length, parts.length);
      const message = `the query nests deeper than limits.nesting, ${nesting} levels`;
      const error = t.throws<GatewayError>(() => read(text, 1000, nesting), {message});
      t.is(error.code, 'bad_request');
      return t.deepEqual(error.position, {
        line: 1,
        column: parts.slice(0, tooDeep).join(' ').length + (tooDeep > 0 ? 2 : 1),
      });
    }),
    RUNS,
  );
});

test('two texts are scanned at the same time', t => {
  const texts = [`(${'a '.repeat(300)})`, `(${'b '.repeat(200)})`];
  const running = texts.map(text => boundedTokens(text, {queryLength: 1000, nesting: 1}, tokeniseLists));
  const found: (readonly SourceToken[])[] = [];
  while (found.flat().length < 504) {
    for (const [i, steps] of running.entries()) {
      const {done, value} = steps.next();
      if (done && value !== undefined) found[i] = value;
    }
  }
  t.deepEqual(
    found.map(tokens => tokens.map(({value}) => value).join('')),
    [`(${'a'.repeat(300)})`, `(${'b'.repeat(200)})`],
  );
});

test('a message shows a token in double quotes, and a literal in its own', t => {
  const position = {line: 1, column: 1};
  const shown = ['a', ')', '"a b"', "'it'", '`a\nb`', 'x'.repeat(100)].map(value =>
    showToken({type: 'any', value, position}),
  );
  t.deepEqual(shown, ['"a"', '")"', '"a b"', "'it'", '"`a\\nb`"', `"${'x'.repeat(64)}…"`]);
});
