import test from 'ava';
import fc from 'fast-check';
import {compareNames} from '../../../core/api/names.js';

const utf8Order = (a: string, b: string): number => Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)));

test('names compare in the order of their UTF-8 bytes', t => {
  const rows: readonly (readonly [string, string])[] = [
    ['', 'a'],
    ['a', 'aa'],
    ['Z', 'a'],
    ['\u{1f600}', '\ufffd'],
    ['\ud7ff', '\u{10000}'],
    ['\u{10000}', '\u{10001}'],
    ['\u{1f600}a', '\u{1f600}b'],
  ];
  for (const [a, b] of rows) {
    t.is(Math.sign(compareNames(a, b)), utf8Order(a, b), `${a} ${b}`);
    t.is(Math.sign(compareNames(b, a)), utf8Order(b, a), `${b} ${a}`);
  }
});

test('any two well-formed names compare in the order of their UTF-8 bytes', t => {
  const text = fc.string({unit: fc.constantFrom('a', 'b', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}')});
  fc.assert(fc.property(text, text, (a, b) => Math.sign(compareNames(a, b)) === utf8Order(a, b)));
  t.pass();
});
