import test from 'ava';
import fc from 'fast-check';
import {joinBraces} from '../../../core/http/braces.js';
import {FormParameters} from '../../../core/http/parameters.js';
import {FUZZ_RUNS} from '../../support/fuzz.js';

/** Text of parameters, and the values of `q` and `z` in it. */
const TEXTS: readonly (readonly [text: string, q: string | undefined, z: string | undefined])[] = [
  ['q={a="x" && b="y"}&z=1', '{a="x" && b="y"}', '1'],
  ['z=1&q={a="x"&&b="y"}', '{a="x"&&b="y"}', '1'],
  ['q={a=%22x%22%20&&%20b=%22y%22}&z=1', '{a="x" && b="y"}', '1'],
  ['q={a="x"+%26%26+b="y&z=2"}&z=1', '{a="x" && b="y&z=2"}', '1'],
  ['q={a="}&z=2"}&z=1', '{a="}&z=2"}', '1'],
  ['q={a=%22}&z=2%22}&z=1', '{a="}&z=2"}', '1'],
  [String.raw`q={a="\"}&z=2"}&z=1`, String.raw`{a="\"}&z=2"}`, '1'],
  ['q={a=%22%5C%22}&z=2%22}&z=1', String.raw`{a="\"}&z=2"}`, '1'],
  ['q={a=`\\`}&z=1', '{a=`\\`}', '1'],
  ["q={a='}&'}&z=1", "{a='}&'}", '1'],
  ['q={{a&b}&c}&z=1', '{{a&b}&c}', '1'],
  ['q={a} && {b}&z=1', '{a} && {b}', '1'],
  ['q={a}+%20&&+{b&c}&z=1', '{a}  && {b&c}', '1'],
  ['q={a}&&z=1', '{a}', '1'],
  ['q={a}&z={b&c}', '{a}', '{b&c}'],
  ['q={a}x&z=1', '{a}x', '1'],

  // Braces without their partner are ordinary.
  ['q={a&z=1', '{a', '1'],
  ['q=a}&z=1', 'a}', '1'],
  ['q={a="}&z=1', '{a="}', '1'],
  ['q={a} && {b&z=1', '{a} ', '1'],
  ['q="{&z=1&y=}"', '"{&z=1&y=}"', undefined],

  // Whoever escapes braces escapes what is in them.
  ['q=%7Ba&z=1&y=%7D', '{a', '1'],
  ['q=%7Ba%3D%22x%22+%26%26+b%7D&z=1', '{a="x" && b}', '1'],
];

for (const [text, q, z] of TEXTS) {
  test(`parameters with braces: ${text}`, t => {
    const parameters = new FormParameters(joinBraces(text), '');
    t.deepEqual([parameters.first('q'), parameters.first('z')], [q, z]);
  });
}

test('what a client encodes is read the same with braces as without', t => {
  const text = fc.string({unit: fc.constantFrom(...'ab{}"\'`\\&%+= é😀'), maxLength: 12});
  fc.assert(
    fc.property(text, text, (q, z) => {
      const encoded = new URLSearchParams({q, z}).toString();
      t.is(joinBraces(encoded), encoded);
    }),
    {numRuns: FUZZ_RUNS},
  );
  t.pass();
});

test('no text changes but for escaped ampersands', t => {
  const text = fc.string({unit: fc.constantFrom(...'a{}"\'`\\&%257D= '), maxLength: 30});
  fc.assert(
    fc.property(text, raw => {
      t.is(joinBraces(raw).replaceAll('%26', '&'), raw.replaceAll('%26', '&'));
    }),
    {numRuns: FUZZ_RUNS},
  );
  t.pass();
});
