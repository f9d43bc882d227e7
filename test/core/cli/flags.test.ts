import test from 'ava';
import {duration, integer, text, texts, toggle} from '../../../core/cli/flags/flag-types.js';
import {formatGoDuration, parseGoDuration} from '../../../core/cli/flags/go-duration.js';
import {flag, parseFlags} from '../../../core/cli/flags/parse.js';
import {usage} from '../../../core/cli/flags/usage.js';

const TABLE = {
  wait: flag(duration, 10_000, 'how long'),
  count: flag(integer, 0, 'how many'),
  name: flag(text, '', 'whose'),
  ports: flag(texts, ['2121'], 'where'),
  help: flag(toggle, false, 'this', 'h'),
};
const DEFAULTS = {wait: 10_000, count: 0, name: '', ports: ['2121'], help: false};

const ACCEPTED: readonly (readonly [words: readonly string[], values: Record<string, unknown>])[] = [
  [[], {}],
  [['--wait', '1h30m'], {wait: 5_400_000}],
  [['--wait=1.5s', '--wait=.5s'], {wait: 500}],
  [['--count', '-5'], {count: -5}],
  [['--count=0x10'], {count: 16}],
  [['--count=1_000'], {count: 1000}],
  [['--count=010'], {count: 8}],
  [['--count=0b11'], {count: 3}],
  [['--name', '--count'], {name: '--count'}],
  [['--name='], {name: ''}],
  [['--name=a=b'], {name: 'a=b'}],
  [['--ports', '1,2'], {ports: ['1', '2']}],
  [['--ports=1', '--ports=2,3'], {ports: ['1', '2', '3']}],
  [['--ports='], {ports: []}],
  [['--ports=1, 2'], {ports: ['1', ' 2']}],
  [['--ports="a,b",c"'.slice(0, -1)], {ports: ['a,b', 'c']}],
  [['--ports="a""b"'], {ports: ['a"b']}],
  [['--ports=1,'], {ports: ['1', '']}],
  [['--help=F'], {help: false}],
  [['-h'], {help: true}],
  [['-h=0'], {help: false}],
  [['-hh'], {help: true}],
  [['--'], {}],
];

for (const [words, values] of ACCEPTED) {
  test(`${JSON.stringify(words)} is understood`, t => {
    t.deepEqual(parseFlags(TABLE, words), {...DEFAULTS, ...values} as never);
  });
}

const REFUSED: readonly (readonly [words: readonly string[], message: string])[] = [
  [['--', '--nope'], 'unexpected argument "--nope"; there are flags alone'],
  [['--help', 'false'], 'unexpected argument "false"; there are flags alone'],
  [['word', '--count=1'], 'unexpected argument "word"; there are flags alone'],
  [['-'], 'unexpected argument "-"; there are flags alone'],
  [['--nope'], 'unknown flag: --nope'],
  [['--Wait=1s'], 'unknown flag: --Wait'],
  [['--toString'], 'unknown flag: --toString'],
  [['--wait'], 'flag needs an argument: --wait'],
  [['---wait'], 'bad flag syntax: ---wait'],
  [['--=1'], 'bad flag syntax: --=1'],
  [['-d=5s'], "unknown shorthand flag: 'd' in -d=5s"],
  [['--help=yes'], 'invalid argument "yes" for "-h, --help" flag: strconv.ParseBool: parsing "yes": invalid syntax'],
  [['--count=abc'], 'invalid argument "abc" for "--count" flag: strconv.ParseInt: parsing "abc": invalid syntax'],
  [['--count=1__0'], 'invalid argument "1__0" for "--count" flag: strconv.ParseInt: parsing "1__0": invalid syntax'],
  [
    ['--count=99999999999999999999'],
    'invalid argument "99999999999999999999" for "--count" flag: strconv.ParseInt: parsing "99999999999999999999": value out of range',
  ],
  [['--wait=abc'], 'invalid argument "abc" for "--wait" flag: time: invalid duration "abc"'],
  [['--wait='], 'invalid argument "" for "--wait" flag: time: invalid duration ""'],
  [['--wait=10'], 'invalid argument "10" for "--wait" flag: time: missing unit in duration "10"'],
  [['--wait=1d'], 'invalid argument "1d" for "--wait" flag: time: unknown unit "d" in duration "1d"'],
  [
    ['--ports=a"b'],
    'invalid argument "a\\"b" for "--ports" flag: parse error on line 1, column 2: bare " in non-quoted field',
  ],
  [
    ['--ports="ab'],
    'invalid argument "\\"ab" for "--ports" flag: parse error on line 1, column 4: extraneous or missing " in quoted field',
  ],
];

for (const [words, message] of REFUSED) {
  test(`${JSON.stringify(words)} is refused`, t => {
    t.throws(() => parseFlags(TABLE, words), {name: 'ConfigError', message});
  });
}

const DURATIONS: readonly (readonly [text: string, ms: number, printed: string])[] = [
  ['0', 0, '0s'],
  ['-1.5h', -5_400_000, '-1h30m0s'],
  ['+5.s', 5000, '5s'],
  ['300s', 300_000, '5m0s'],
  ['2h45m.5s', 9_900_500, '2h45m0.5s'],
  ['500ms', 500, '500ms'],
  ['250us', 0.25, '250µs'],
  ['3µs', 0.003, '3µs'],
  ['40ns', 0.00004, '40ns'],
];

for (const [written, ms, printed] of DURATIONS) {
  test(`the duration ${written} is printed as ${printed}`, t => {
    t.is(parseGoDuration(written), ms);
    t.is(formatGoDuration(ms), printed);
  });
}

for (const written of ['', '-', '.', '1e3s', '1h 30m', '3000000h', 's', '1.5.5s', '5toString']) {
  test(`${JSON.stringify(written)} is no duration`, t => {
    t.throws(() => parseGoDuration(written), {name: 'ConfigError'});
  });
}

test('the usage text has every flag with its type and its default', t => {
  t.is(
    usage('thing', TABLE),
    `Usage:
  thing [flags]

Flags:
      --count int       how many
  -h, --help            this
      --name string     whose
      --ports strings   where (default [2121])
      --wait duration   how long (default 10s)
`,
  );
});
