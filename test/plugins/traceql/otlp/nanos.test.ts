import test from 'ava';
import {nanosOfInstant, nanosOfMicros, nanosOfMillis} from '../../../../plugins/traceql/otlp/nanos.js';

const ROWS: readonly (readonly [what: string, actual: string, expected: string])[] = [
  ['0 µs', nanosOfMicros(0), '0'],
  ['1 µs', nanosOfMicros(1), '1000'],
  ['µs of today', nanosOfMicros(1_700_000_040_123_457), '1700000040123457000'],
  ['the sum of µs', nanosOfMicros(1_700_000_040_123_457, 876_543), '1700000041000000000'],
  ['the largest µs', nanosOfMicros(Number.MAX_SAFE_INTEGER), '9007199254740991000'],
  ['a sum that no number holds', nanosOfMicros(Number.MAX_SAFE_INTEGER, 2), '9007199254740993000'],
  ['µs before the epoch', nanosOfMicros(-1), '0'],
  ['0 ms', nanosOfMillis(0), '0'],
  ['1 ms', nanosOfMillis(1), '1000000'],
  ['ms of today', nanosOfMillis(1_700_000_040_123), '1700000040123000000'],
  ['the last ms that the field holds', nanosOfMillis(18_446_744_073_709), '18446744073709000000'],
  ['ms beyond the field', nanosOfMillis(18_446_744_073_710), '18446744073709551615'],
  ['ms before the epoch', nanosOfMillis(-5), '0'],
  ['an instant', nanosOfInstant({seconds: 1_700_000_040n, nanos: 5}), '1700000040000000005'],
  ['an instant before the epoch', nanosOfInstant({seconds: -1n, nanos: 5}), '0'],
  ['an instant beyond the field', nanosOfInstant({seconds: 2n ** 63n - 1n, nanos: 0}), '18446744073709551615'],
];

for (const [what, actual, expected] of ROWS) test(`${what} in nanoseconds: ${expected}`, t => t.is(actual, expected));
