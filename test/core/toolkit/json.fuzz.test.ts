import test from 'ava';
import fc from 'fast-check';
import {parseJson, whyNotJson} from '../../../core/toolkit/json.js';
import {FUZZ_RUNS} from '../../support/fuzz.js';

test('JSON means what it means to JSON.parse', t => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      return JSON.stringify(parseJson(text)) === JSON.stringify(JSON.parse(text));
    }),
    {numRuns: FUZZ_RUNS},
  );
  t.pass();
});

test('a damaged JSON text is refused exactly when JSON.parse refuses it', t => {
  const accepts = (parse: (text: string) => unknown, text: string): boolean => {
    try {
      parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const damaged = fc.tuple(
    fc.json({maxDepth: 2}),
    fc.nat(),
    fc.constantFrom('', ',', '"', '}', ']', '\\', '0', '-', '\n', 'e'),
  );
  fc.assert(
    fc.property(damaged, ([text, at, insert]) => {
      const place = at % (text.length + 1);
      const changed = text.slice(0, place) + insert + text.slice(place + 1);
      // A key that occurs twice is refused here and passes there.
      return accepts(parseJson, changed) === accepts(JSON.parse, changed) || hasTwin(changed);
    }),
    {numRuns: FUZZ_RUNS},
  );
  t.pass();
});

const REASONS: readonly (readonly [text: string, reason: string])[] = [
  ['{"a": 1', 'not JSON: character 8: the text ends before a "}"'],
  ['{"a": b}', 'not JSON: character 7: expected a value here (text needs double quotes)'],
  ['[1,\n 2,\n]', 'not JSON: line 2, column 3: a comma may not stand before "]"'],
  ['', 'not JSON: character 1: the text ends where a value is expected'],
];

for (const [text, reason] of REASONS) {
  test(`of ${JSON.stringify(text)} it is said where it goes wrong`, t => {
    const refused = t.throws(() => JSON.parse(text), {instanceOf: SyntaxError});
    t.is(whyNotJson(text, refused), reason);
  });
}

function hasTwin(text: string): boolean {
  try {
    parseJson(text);
    return false;
  } catch (error) {
    return (error as Error).message.includes('occurs twice');
  }
}
