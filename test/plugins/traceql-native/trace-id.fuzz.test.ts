import test from 'ava';
import fc from 'fast-check';
import {decodeId, encodeId} from '../../../plugins/traceql-native/trace-id.js';
import {FUZZ_RUNS} from '../../support/fuzz.js';

const numRuns = Math.ceil(FUZZ_RUNS / 3);

/** With whole surrogate pairs only: nothing else has a UTF-8 form. */
const id = fc.string({unit: 'binary', minLength: 1});

test('every id is read back from its public form, in either case', t => {
  fc.assert(
    fc.property(id, text => {
      const hex = encodeId(text);
      return /^([0-9a-f]{2})+$/.test(hex) && decodeId(hex) === text && decodeId(hex.toUpperCase()) === text;
    }),
    {numRuns},
  );
  t.pass();
});

test('different ids have different public forms', t => {
  fc.assert(
    fc.property(id, id, (a, b) => (a === b) === (encodeId(a) === encodeId(b))),
    {numRuns},
  );
  t.pass();
});

test('what is decoded at all is encoded back to the same digits', t => {
  const digits = fc.string({unit: fc.constantFrom(...'0123456789abcdefABCDEFg .'), maxLength: 12});
  fc.assert(
    fc.property(digits, hex => {
      const text = decodeId(hex);
      return text === undefined || encodeId(text) === hex.toLowerCase();
    }),
    {numRuns},
  );
  t.pass();
});
