import test from 'ava';
import fc from 'fast-check';
import {GatewayError} from '../../../../core/api/plugin.js';
import {decodeGoString, encodeGoString} from '../../../../core/toolkit/language/go-string.js';
import {FUZZ_RUNS} from '../../../support/fuzz.js';

const RUNS = {numRuns: FUZZ_RUNS};
const HERE = {line: 3, column: 7};

const READ: readonly (readonly [literal: string, value: string])[] = [
  ['""', ''],
  ["''", ''],
  ['``', ''],
  ['"plain"', 'plain'],
  [String.raw`'it\'s'`, "it's"],
  [String.raw`"\a\b\f\n\r\t\v\\\""`, '\u0007\b\f\n\r\t\v\\"'],
  [String.raw`"\x41\101\u00e9\U0001F600"`, 'AAé😀'],
  [String.raw`"\xf0\x9f\x98\x80"`, '😀'],
  [String.raw`"\303\251"`, 'é'],
  // A byte order mark is a character like others.
  [String.raw`"\ufeffa"`, '\ufeffa'],
  [String.raw`"\0001"`, '\u00001'],
  ['`as \\n it\nstands`', 'as \\n it\nstands'],
];

for (const [literal, value] of READ) {
  test(`${JSON.stringify(literal)} is ${JSON.stringify(value)}`, t => {
    t.is(decodeGoString(literal, HERE), value);
  });
}

const REFUSED: readonly (readonly [literal: string, message: string])[] = [
  [String.raw`'\"'`, String.raw`"\"" is not an escape`],
  [String.raw`"\'"`, String.raw`"\'" is not an escape`],
  [String.raw`"\z"`, String.raw`"\z" is not an escape: write \\ for a backslash`],
  [String.raw`"\x4"`, String.raw`"\x" is not an escape`],
  [String.raw`"\777"`, String.raw`"\777" is not an escape`],
  [String.raw`"\18"`, String.raw`"\1" is not an escape`],
  [String.raw`"\ud800"`, String.raw`"\ud800" is not an escape`],
  [String.raw`"\U00110000"`, String.raw`"\U00110000" is not an escape`],
  [String.raw`"\xff"`, String.raw`the escapes in "\xff" do not make valid UTF-8`],
  [String.raw`"\xc3"`, 'do not make valid UTF-8'],
  ['"a\nb"', 'the string that " opens goes over a line break'],
];

for (const [literal, message] of REFUSED) {
  test(`${JSON.stringify(literal)} is refused: ${message}`, t => {
    const error = t.throws<GatewayError>(() => decodeGoString(literal, HERE));
    t.true(error.message.includes(message), error.message);
    t.is(error.code, 'syntax');
    t.deepEqual(error.position, HERE);
  });
}

test('what is encoded is read back, and shows letters, marks, numbers, punctuation, symbols and plain spaces alone', t => {
  fc.assert(
    fc.property(fc.string({unit: 'binary', maxLength: 30}), text => {
      const literal = encodeGoString(text);
      t.is(decodeGoString(literal, HERE), text);
      t.notRegex(literal, /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u);
    }),
    RUNS,
  );
});

test('escapes of bytes make the text of those bytes where they are UTF-8, and are refused where not', t => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(255), fc.boolean()), {maxLength: 8}), bytes => {
      const escapes = bytes.map(([byte, isHex]) =>
        isHex ? `\\x${byte.toString(16).padStart(2, '0')}` : `\\${byte.toString(8).padStart(3, '0')}`,
      );
      const wanted = Buffer.from(bytes.map(([byte]) => byte));
      const isUtf8 = Buffer.from(wanted.toString('utf8')).equals(wanted);
      const read = (): string => decodeGoString(`"${escapes.join('')}"`, HERE);
      if (isUtf8) t.is(read(), wanted.toString('utf8'));
      else t.throws(read, {instanceOf: GatewayError, message: /valid UTF-8/});
    }),
    RUNS,
  );
});

test('any literal is a text or a refusal at its place', t => {
  const part = fc.oneof(
    fc.string({unit: 'binary', maxLength: 4}),
    fc.stringMatching(/^\\[xuU0-7abfnrtv\\'"]?[0-9a-f]{0,8}$/),
  );
  fc.assert(
    fc.property(fc.constantFrom('"', "'", '`'), fc.array(part, {maxLength: 6}), (mark, parts) => {
      try {
        decodeGoString(mark + parts.join('') + mark, HERE);
      } catch (error) {
        if (!GatewayError.is(error)) throw error;
        t.is(error.code, 'syntax');
        t.deepEqual(error.position, HERE);
      }
    }),
    RUNS,
  );
  t.pass();
});
