import {constants, deflateSync} from 'node:zlib';
import test from 'ava';
import fc from 'fast-check';
import {Inflater} from '../../../../storage-adapters/embedded/traces/packs/inflater.js';
import {FUZZ_RUNS} from '../../../support/fuzz.js';

const MOST = 100_000;

/** Texts of a few words, so that much repeats, and bytes of which nothing does. */
const anyContent = fc.oneof(
  fc
    .array(fc.constantFrom('a', 'b', 'service-', '"],["', 'x'.repeat(300), 'é'), {maxLength: 400})
    .map(words => Buffer.from(words.join(''))),
  fc.uint8Array({maxLength: 3000}).map(bytes => Buffer.from(bytes)),
);
const anyDictionary = fc.oneof(
  fc.constant(Buffer.from('"],["service-')),
  fc.uint8Array({minLength: 1, maxLength: 500}),
);
const {Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY} = constants;
const anyOptions = fc.record({
  level: fc.integer({min: 0, max: 9}),
  strategy: fc.constantFrom(Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY),
});

test('what the library has compressed with a dictionary is read, if it is no longer than it may be', t => {
  const inflater = new Inflater();
  fc.assert(
    fc.property(anyContent, anyDictionary, anyOptions, (content, dictionary, options) => {
      const data = deflateSync(content, {...options, dictionary});
      t.deepEqual(inflater.read(data, dictionary, MOST), content);
      t.deepEqual(inflater.read(data, dictionary, content.length), content);
      if (content.length > 0) t.is(inflater.read(data, dictionary, content.length - 1), undefined);
    }),
    {numRuns: FUZZ_RUNS},
  );
});

test('what was changed, cut off or had another dictionary is not read, or read as what it was', t => {
  const inflater = new Inflater();
  fc.assert(
    fc.property(anyContent, anyDictionary, anyOptions, fc.nat(), fc.nat(), (content, dictionary, options, at, bit) => {
      const data = deflateSync(content, {...options, dictionary});
      t.is(inflater.read(data.subarray(0, at % data.length), dictionary, MOST), undefined);
      t.is(inflater.read(data, Buffer.concat([dictionary, Buffer.from('!')]), MOST), undefined);
      const place = at % data.length;
      data[place] = (data[place] as number) ^ (1 << (bit % 8));
      const read = inflater.read(data, dictionary, MOST);
      if (read !== undefined) t.deepEqual(read, content);
    }),
    {numRuns: FUZZ_RUNS},
  );
});
