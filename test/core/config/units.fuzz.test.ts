import test from 'ava';
import fc from 'fast-check';
import {parseByteSize} from '../../../core/config/byte-size.js';
import {parseDuration} from '../../../core/config/duration.js';
import {FUZZ_RUNS} from '../../support/fuzz.js';

const DURATIONS: readonly (readonly [text: string, milliseconds: number | undefined])[] = [
  ['30s', 30_000],
  ['1h30m', 5_400_000],
  ['7d', 604_800_000],
  ['1w', 604_800_000],
  ['1.5s', 1500],
  ['250ms', 250],
  ['0s', 0],
  ['', undefined],
  ['30', undefined],
  ['s', undefined],
  ['30 s', undefined],
  ['-1s', undefined],
  ['1y', undefined],
  ['1h 30m', undefined],
  ['9999999999999999w', undefined],
];

for (const [text, milliseconds] of DURATIONS) {
  test(`the duration "${text}" is ${milliseconds === undefined ? 'refused' : `${milliseconds} ms`}`, t => {
    t.is(parseDuration(text), milliseconds);
  });
}

const SIZES: readonly (readonly [text: string, bytes: number | undefined])[] = [
  ['64MiB', 67_108_864],
  ['64mib', 67_108_864],
  ['1.5 GB', 1_500_000_000],
  ['512B', 512],
  ['2k', undefined],
  ['12', undefined],
  ['', undefined],
  ['-1KB', undefined],
  ['999999TiB', undefined],
];

for (const [text, bytes] of SIZES) {
  test(`the size "${text}" is ${bytes === undefined ? 'refused' : `${bytes} bytes`}`, t => {
    t.is(parseByteSize(text), bytes);
  });
}

const MILLISECONDS: Readonly<Record<string, number>> = {ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000};

test('a duration is the sum of its parts', t => {
  const part = fc.tuple(fc.integer({min: 0, max: 10_000}), fc.constantFrom('ms', 's', 'm', 'h', 'd'));
  fc.assert(
    fc.property(fc.array(part, {minLength: 1, maxLength: 4}), parts => {
      const text = parts.map(([amount, unit]) => `${amount}${unit}`).join('');
      const sum = parts.reduce((total, [amount, unit]) => total + amount * (MILLISECONDS[unit] ?? Number.NaN), 0);
      return parseDuration(text) === sum;
    }),
    {numRuns: FUZZ_RUNS},
  );
  t.pass();
});

test('no text makes a unit parser throw or give anything but a safe whole number', t => {
  const fits = (value: number | undefined) => value === undefined || (Number.isSafeInteger(value) && value >= 0);
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d.]{0,20} ?[kmgtiBbshdw]{0,3}$/)), text => {
      return fits(parseDuration(text)) && fits(parseByteSize(text));
    }),
    {numRuns: FUZZ_RUNS},
  );
  t.pass();
});
