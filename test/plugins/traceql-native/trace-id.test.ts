import test from 'ava';
import {decodeId, encodeId} from '../../../plugins/traceql-native/trace-id.js';

const IDS: readonly (readonly [text: string, hex: string])[] = [
  ['abc123=.test', '6162633132333d2e74657374'],
  ['a.1-b', '612e312d62'],
  ['é', 'c3a9'],
  ['\u{1F600}', 'f09f9880'],
  ['\ufeffa', 'efbbbf61'],
  [' ', '20'],
];

for (const [text, hex] of IDS) {
  test(`the id ${JSON.stringify(text)} is ${hex}, read in either case`, t => {
    t.is(encodeId(text), hex);
    t.is(decodeId(hex), text);
    t.is(decodeId(hex.toUpperCase()), text);
  });
}

const BAD: readonly (readonly [what: string, hex: string])[] = [
  ['nothing', ''],
  ['half a byte', '6'],
  ['half a byte at the end', '616'],
  ['a letter that is no digit', '6g'],
  ['a prefix', '0x61'],
  ['a space', '61 2'],
  ['line breaks', '61\n\n'],
  ['a digit of another script', '6１'],
  ['a byte that begins nothing', 'ff'],
  ['a lone continuation byte', '80'],
  ['a character that breaks off', 'e282'],
  ['a character longer than it must be', 'c0af'],
  ['half of a surrogate pair', 'eda080'],
];

for (const [what, hex] of BAD) test(`${what} is no id`, t => t.is(decodeId(hex), undefined));
