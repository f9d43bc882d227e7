import test from 'ava';
import fc from 'fast-check';
import {GatewayError} from '../../../core/api/errors.js';
import {FormParameters} from '../../../core/http/parameters.js';
import {FUZZ_RUNS} from '../../support/fuzz.js';

/** Without lone surrogates, which have no form in UTF-8. */
const text = fc.string({unit: 'grapheme', maxLength: 8});
const pairs = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'match[]', 'ä'), text), {maxLength: 6});

test('what a client encodes is what a handler reads, the query string before the form', t => {
  fc.assert(
    fc.property(pairs, pairs, (query, form) => {
      const encode = (list: readonly [string, string][]) => new URLSearchParams(list).toString();
      const parameters = new FormParameters(encode(query), encode(form));
      for (const name of ['a', 'b', 'match[]', 'ä', 'absent']) {
        const values = [...query, ...form].filter(([key]) => key === name).map(([, value]) => value);
        const expected = values.filter(value => value !== '');
        if (JSON.stringify(parameters.all(name)) !== JSON.stringify(expected)) return false;
        if (parameters.first(name) !== expected[0]) return false;
      }
      return true;
    }),
    {numRuns: FUZZ_RUNS},
  );
  t.pass();
});

test('any text is read or refused as a bad request', t => {
  const raw = fc.oneof(fc.string({unit: 'binary'}), fc.stringMatching(/^[%&=+a-f0-9;[\]]{0,30}$/));
  fc.assert(
    fc.property(raw, raw, (query, form) => {
      try {
        const parameters = new FormParameters(query, form);
        return parameters.all('a').every(value => value !== '');
      } catch (error) {
        return GatewayError.is(error) && error.code === 'bad_request';
      }
    }),
    {numRuns: FUZZ_RUNS},
  );
  t.pass();
});
