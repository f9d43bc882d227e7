import test from 'ava';
import fc from 'fast-check';
import {redactText, redactValue} from '../../../core/config/redact.js';
import {FUZZ_RUNS} from '../../support/fuzz.js';

const TEXTS: readonly (readonly [text: string, shown: string])[] = [
  ['cannot reach http://reader:hunter2@db:8123/x', 'cannot reach http://reader:(hidden)@db:8123/x'],
  ['at postgres://u:p%40ss%2F@db/x?sslmode=require.', 'at postgres://u:(hidden)@db/x?sslmode=require.'],
  ['postgres://u:p@ss@db/x', 'postgres://u:(hidden)@db/x'],
  ['postgres://u:p/ss@db/x', 'postgres://u:(hidden)@db/x'],
  ['redis://:hunter2@db', 'redis://:(hidden)@db'],
  ['https://ghp_token@host', 'https://(hidden)@host'],
  ['found "http://a:b@c", expected "x@y"', 'found "http://a:(hidden)@c", expected "x@y"'],
  [
    'http://ch:8123/?user=reader&password=hunter2&database=d',
    'http://ch:8123/?user=reader&password=(hidden)&database=d',
  ],
  ['host=db user=reader password=hunter2 dbname=x', 'host=db user=reader password=(hidden) dbname=x'],
  ['/q?PASSWORD=a&access_token=b&sslpassword=c', '/q?PASSWORD=(hidden)&access_token=(hidden)&sslpassword=(hidden)'],
  ['http://db:8123 refuses the user reader@host', 'http://db:8123 refuses the user reader@host'],
  ['ClickHouse at http://a:1, http://b:2 and c@d', 'ClickHouse at http://a:1, http://b:2 and c@d'],
  ['expected user and password', 'expected user and password'],
];

for (const [text, shown] of TEXTS) {
  test(`of ${JSON.stringify(text)} no credential is shown`, t => {
    t.is(redactText(text), shown);
    t.is(redactText(shown), shown);
  });
}

const VALUES: readonly (readonly [value: string, shown: string])[] = [
  ['http://reader:hunter two@db:8123', 'http://reader:(hidden)@db:8123'],
  ['reader:hunter2@db:17912', 'reader:(hidden)@db:17912'],
  ['http://ch:8123/?password=hunter two', 'http://ch:8123/?password=(hidden)'],
  ['http://u:hunter2@127.0.0.1:1/x?y=hunter2', 'http://u:(hidden)@127.0.0.1:1/x?y=(hidden)'],
  ['http://ch:8123/?y=hunter2&z=hunter two#f', 'http://ch:8123/?y=(hidden)&z=(hidden)#f'],
  ['http://ch:8123/?hunter2', 'http://ch:8123/?(hidden)'],
  ['u:hunter2@bdb:17912?y=hunter2', 'u:(hidden)@bdb:17912?y=(hidden)'],
  ['/a?b=c', '/a?b=c'],
  ['me@example.org', 'me@example.org'],
];

for (const [value, shown] of VALUES) {
  test(`of the value ${JSON.stringify(value)} no credential is shown, blanks or not`, t => {
    t.is(redactValue(value), shown);
  });
}

test('no password of a URL is shown, whatever it holds but blanks', t => {
  // With a rare first letter, so that it is found nowhere else.
  const password = fc.stringMatching(/^Ж[!-~]{3,40}$/);
  t.notThrows(() =>
    fc.assert(
      fc.property(password, fc.boolean(), (secret, encoded) => {
        const written = encoded ? encodeURIComponent(secret) : secret;
        const text = `the server at http://reader:${written}@db:8123/x does not answer`;
        return !/Ж|%D0%96/.test(redactText(text)) && redactText(text).endsWith('@db:8123/x does not answer');
      }),
      {numRuns: FUZZ_RUNS},
    ),
  );
});

test('a long text without an end is looked through at once', t => {
  for (const text of ['http://'.repeat(20_000), `http://${'a@'.repeat(100_000)}`, 'password='.repeat(50_000)]) {
    t.true(redactText(text).length > 0);
  }
});
