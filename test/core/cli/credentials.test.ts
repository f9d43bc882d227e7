import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import test from 'ava';
import {AccessTable} from '../../../core/access/access-table.js';
import {Passwords} from '../../../core/access/passwords.js';
import type {TokenEntry, UserEntry} from '../../../core/config/access.js';
import {CLI} from '../../support/gateway.js';

const call = (words: readonly string[], input: string | Uint8Array = '') => {
  const {status, stdout, stderr} = spawnSync(process.execPath, [CLI, ...words], {input, encoding: 'utf8'});
  return {status, stdout, stderr};
};

test('token prints a new token once, and the entry that knows it', t => {
  const words = ['token', '--name', 'grafana', '--rights', 'write,read'];
  const [first, second] = [call(words), call(words)];
  t.not(first.stdout, second.stdout);
  t.regex(first.stdout, /^qg_[\w-]{43}\n$/);
  const sha256 = createHash('sha256').update(first.stdout.trim()).digest('hex');
  t.deepEqual(JSON.parse(first.stderr) as TokenEntry, {name: 'grafana', sha256, rights: ['read', 'write']});
});

const PASSWORDS: readonly (readonly [title: string, input: string, password: string])[] = [
  ['as it stands there', 'p:ä w', 'p:ä w'],
  ['without the newline at its end', 'secret\n', 'secret'],
  ['without the newline of Windows at its end', 'secret\r\n', 'secret'],
  ['with all newlines but the last', 'a\n\n', 'a\n'],
];

for (const [title, input, password] of PASSWORDS) {
  test(`password takes standard input ${title}, and prints the entry that knows it`, async t => {
    const {status, stdout, stderr} = call(['password', '--name', 'ops', '--rights', 'admin'], input);
    t.deepEqual([status, stderr], [0, '']);
    const entry = JSON.parse(stdout) as UserEntry;
    t.false(stdout.includes(password));
    const passwords = new Passwords();
    const header = `Basic ${Buffer.from(`ops:${password}`).toString('base64')}`;
    t.deepEqual(await new AccessTable({tokens: [], users: [entry]}, passwords).check(header), {
      name: 'ops',
      rights: ['admin'],
    });
  });
}

const MISUSES: readonly (readonly [
  title: string,
  words: readonly string[],
  input: string | Uint8Array,
  says: RegExp,
])[] = [
  [
    'an empty password',
    ['password', '--name', 'a', '--rights', 'read'],
    '\n',
    /^found an empty password, expected one/,
  ],
  ['a password that is not UTF-8', ['password', '--name', 'a', '--rights', 'read'], Buffer.from([255]), /is not UTF-8/],
  ['a user name with a colon', ['password', '--name', 'a:b', '--rights', 'read'], 'x', /^--name: found "a:b"/],
  ['no name', ['token', '--rights', 'read'], '', /--name/],
  ['a blank name', ['token', '--name', ' ', '--rights', 'read'], '', /^--name: found " "/],
  ['no rights', ['token', '--name', 'a'], '', /--rights/],
  [
    'an empty list of rights',
    ['token', '--name', 'a', '--rights', ','],
    '',
    /^--rights: found nothing, expected some of/,
  ],
  [
    'a right that there is not',
    ['token', '--name', 'a', '--rights', 'read,raed'],
    '',
    /^--rights: found "raed".*did you mean "read"\?/,
  ],
];

for (const [title, words, input, says] of MISUSES) {
  test(`wrong usage: ${title}`, t => {
    const {status, stdout, stderr} = call(words, input);
    t.is(status, 2);
    t.is(stdout, '');
    t.regex(stderr, says);
  });
}
