import test from 'ava';
import fc from 'fast-check';
import {counted, didYouMean, excerpt, listOf, nearest, quote} from '../../../core/toolkit/messages.js';
import {FUZZ_RUNS} from '../../support/fuzz.js';

const QUOTED: readonly (readonly [unknown, string])[] = [
  ['up', '"up"'],
  ['say "hi"\n', '"say \\"hi\\"\\n"'],
  ['', '""'],
  [`${'x'.repeat(64)}`, `"${'x'.repeat(64)}"`],
  [`${'x'.repeat(65)}`, `"${'x'.repeat(64)}…"`],
  [12.5, '12.5'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
  [9_007_199_254_740_993n, '9007199254740993'],
  [null, 'null'],
  [undefined, 'nothing'],
  [true, 'true'],
  [[1, [2]], 'an array'],
  [{a: 1}, 'an object'],
  ['a\u2028b\u202ec', '"a\\u2028b\\u202ec"'],
  [() => 1, 'a function'],
];

test('values are shown as the user wrote them, on one line of bounded length', t => {
  for (const [value, shown] of QUOTED) t.is(quote(value), shown);
});

test('names are listed in double quotes', t => {
  t.is(listOf([]), '');
  t.is(listOf(['a']), '"a"');
  t.is(listOf(['a', 'b']), '"a" and "b"');
  t.is(listOf(['a', 'b', 'c'], 'or'), '"a", "b" or "c"');
});

test('what is counted has its plural', t => {
  t.deepEqual(
    [0, 1, 2].map(count => counted(count, 'label')),
    ['0 labels', '1 label', '2 labels'],
  );
});

const CANDIDATES = ['lookback', 'listen', 'path', 'rate', 'irate', 'id'];
const NEAR: readonly (readonly [string, string | undefined])[] = [
  ['lookbakc', 'lookback'],
  ['LOOKBACK', 'lookback'],
  ['pth', 'path'],
  ['rte', 'rate'],
  ['ie', 'id'],
  ['xy', undefined],
  ['something else', undefined],
  ['x'.repeat(1_000_000), undefined],
];

test('a near name is suggested, a far one is not', t => {
  for (const [word, meant] of NEAR) t.is(nearest(word, CANDIDATES), meant, word.slice(0, 20));
  t.is(didYouMean('lookbak', CANDIDATES), '; did you mean "lookback"?');
  t.is(didYouMean('lookbak', []), '');
});

const RUNS = {numRuns: FUZZ_RUNS};
const text = fc.string({unit: 'binary', maxLength: 80});

test('an excerpt begins as the text does, ends with it or with a mark, and cuts no character', t => {
  fc.assert(
    fc.property(text, fc.nat(80), (whole, length) => {
      const part = excerpt(whole, length);
      if (whole.length <= length) return part === whole;
      const begin = part.slice(0, -1);
      return part.endsWith('…') && begin.length <= length && whole.startsWith(begin) && begin.isWellFormed();
    }),
    RUNS,
  );
  t.pass();
});

test('what is quoted can be read back, and never breaks the line', t => {
  fc.assert(
    fc.property(text, whole => {
      const shown = quote(whole, 80);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for them.
      return (whole.length > 80 || JSON.parse(shown) === whole) && !/[\0-\x1f]/.test(shown);
    }),
    RUNS,
  );
  t.pass();
});

test('the word itself is always found, among whatever others', t => {
  fc.assert(
    fc.property(fc.string({minLength: 1, maxLength: 40}), fc.array(fc.string({maxLength: 40})), (word, others) => {
      const found = nearest(word, [...others, word]);
      return found !== undefined && found.toLowerCase() === word.toLowerCase();
    }),
    RUNS,
  );
  t.pass();
});
