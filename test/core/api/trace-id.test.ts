import test from 'ava';
import {canonicalTraceId} from '../../../core/api/adapter.js';

const IDS: readonly (readonly [written: string, canonical: string | undefined])[] = [
  ['1', '0000000000000001'],
  ['ABCdef', '0000000000abcdef'],
  ['0000000000000001', '0000000000000001'],
  ['00000000000000000000000000000001', '0000000000000001'],
  [`000${'0'.repeat(40)}ff`, '00000000000000ff'],
  ['ffffffffffffffff', 'ffffffffffffffff'],
  ['1ffffffffffffffff', '0000000000000001ffffffffffffffff'],
  ['4BF92F3577B34DA6A3CE929D0E0E4736', '4bf92f3577b34da6a3ce929d0e0e4736'],
  ['14bf92f3577b34da6a3ce929d0e0e4736', undefined],
  ['', undefined],
  ['0', undefined],
  ['0'.repeat(32), undefined],
  ['0x1', undefined],
  ['1 ', undefined],
  ['-1', undefined],
  ['trace', undefined],
  ['１', undefined],
];

for (const [written, canonical] of IDS) {
  test(`the text ${JSON.stringify(written)} names ${canonical === undefined ? 'no trace' : `the trace ${canonical}`}`, t => {
    t.is(canonicalTraceId(written), canonical);
    if (canonical !== undefined) t.is(canonicalTraceId(canonical), canonical);
  });
}
