import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'ava';
import {builtins} from '../../../core/cli/builtins.js';
import type {ConfigError} from '../../../core/config/config-error.js';
import {loadConfig} from '../../../core/config/load.js';
import {printable} from '../../../core/config/printable.js';
import {LOCAL_NAMES, TestAuthority} from '../../support/certificates.js';
import {runOver} from '../../support/command.js';

const folder = mkdtempSync(join(tmpdir(), 'query-gateway-access-'));
test.after.always(() => rmSync(folder, {recursive: true, force: true}));
const authority = new TestAuthority(folder);
const [one, two] = ['one', 'two'].map(name => authority.issue({name, names: LOCAL_NAMES}));

const DIGEST = 'ab'.repeat(32);
const BCRYPT = `$2y$10$${'a'.repeat(53)}`;
const token = (keys: object = {}) => ({name: 'a', sha256: DIGEST, rights: ['read'], ...keys});
const user = (password: string, keys: object = {}) => ({name: 'u', password, rights: ['read'], ...keys});
const tls = (keys: object) => ({listeners: {metrics: {port: 0, tls: keys}}});
const file = (content: unknown) => {
  const path = join(mkdtempSync(join(folder, 'file-')), 'access.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return {access: {file: path, tokens: [token()]}};
};

const RIGHTS = 'expected one of "read", "write", "admin", "agent"';
const FORMS = 'expected bcrypt ($2a$, $2b$ or $2y$, as of htpasswd -B), or what "query-gateway password" prints';

type Row = readonly [title: string, config: object, ...problems: readonly string[]];

const MISTAKES: readonly Row[] = [
  ['no block', {access: 1}, 'access: found 1, expected an object'],
  [
    'a key that there is not',
    {access: {token: []}},
    'access.token: unknown key; expected one of file, tokens, users; did you mean "tokens"?',
  ],
  [
    'wrong rights',
    {access: {tokens: [token({rights: ['read', 'wirte']}), token({sha256: 'cd'.repeat(32), rights: []})]}},
    `access.tokens[0].rights[1]: found "wirte", ${RIGHTS}; did you mean "write"?`,
    'access.tokens[1].rights: found an empty list, expected a list that is not empty',
  ],
  [
    'a digest that is none, and what is missing',
    {access: {tokens: [{name: 'a', sha256: 'secret'}]}},
    'access.tokens[0].rights: missing; expected a list that is not empty',
    'access.tokens[0].sha256: found a secret of another form, expected text that is the SHA-256 of the token, 64 hexadecimal digits',
  ],
  [
    'a digest twice',
    {access: {tokens: [token(), token({name: 'b', sha256: DIGEST.toUpperCase()})]}},
    'access.tokens[1].sha256: found the digest of access.tokens[0], expected one of its own',
  ],
  [
    'passwords that are none',
    {
      access: {
        users: [
          user('secret'),
          user(BCRYPT.replace('10', '31')),
          user('$scrypt$ln=30,r=8,p=1$aaaaaaaaaaa$aaaaaaaaaaaaaaaaaaaaaa'),
        ],
      },
    },
    `access.users[0].password: found a password in no form that is known, ${FORMS}`,
    'access.users[1].password: found bcrypt at the cost 31, expected one from 4 to 17',
    'access.users[2].password: found scrypt at the cost ln=30,r=8,p=1, expected at most 128 MiB and p=16',
  ],
  [
    'a user name that no header can hold',
    {access: {users: [user(BCRYPT, {name: 'a:b'})]}},
    'access.users[0].name: found "a:b", expected text that holds no colon',
  ],
  [
    'a file that is not there',
    {access: {file: '/no/access.json'}},
    'access.file: names /no/access.json, which does not exist',
  ],
  [
    'a file that is torn',
    file('{"tokens": ['),
    'access.json: is not JSON: line 1, column 13: the text ends where a value is expected',
  ],
  ['a file that holds a list', file([]), 'access.json: found an empty list, expected an object'],
  [
    'mistakes in the file',
    file({tokens: [token({sha256: 'cd'.repeat(32)}), token({rights: ['raed']})], user: []}),
    'access.json: user: unknown key; expected one of tokens, users; did you mean "users"?',
    `access.json: tokens[1].rights[0]: found "raed", ${RIGHTS}; did you mean "read"?`,
  ],
  [
    'a digest that stands in the file too',
    file({tokens: [token()], users: [user('plain')]}),
    'access.json: tokens[0].sha256: found the digest of access.tokens[0], expected one of its own',
    `access.json: users[0].password: found a password in no form that is known, ${FORMS}`,
  ],
  [
    'half of TLS',
    tls({certificate: one?.certificate, cert: 1}),
    'listeners.metrics.tls.cert: unknown key; expected one of certificate, key, clientCa, minVersion',
    'listeners.metrics.tls.key: missing; expected text that is not empty',
  ],
  [
    'a certificate and the key of another',
    tls({certificate: one?.certificate, key: two?.key}),
    `listeners.metrics.tls.key: names ${two?.key}, which does not fit the certificate in ${one?.certificate}`,
  ],
  [
    'TLS files that are not there',
    tls({certificate: '/no/a', key: one?.key, clientCa: '/no/b'}),
    'listeners.metrics.tls.clientCa: names /no/b, which does not exist',
    'listeners.metrics.tls.certificate: names /no/a, which does not exist',
  ],
  [
    'a version of TLS that is too old',
    tls({...one, minVersion: 'TLSv1.1'}),
    'listeners.metrics.tls.minVersion: found "TLSv1.1", expected one of "TLSv1.2", "TLSv1.3"; did you mean "TLSv1.2"?',
  ],
  [
    'names and origins that are none',
    {listeners: {metrics: {port: 0, access: 'opne', hosts: ['a:1'], cors: {origins: ['*', 'https://a/b']}}}},
    'listeners.metrics.access: found "opne", expected one of "required", "open"; did you mean "open"?',
    'listeners.metrics.hosts[0]: found "a:1", expected text that is a host name without a port',
    'listeners.metrics.cors.origins[0]: found "*", expected text that is an origin such as "https://console.example", without a path or a star',
    'listeners.metrics.cors.origins[1]: found "https://a/b", expected text that is an origin such as "https://console.example", without a path or a star',
  ],
];

for (const [title, config, ...problems] of MISTAKES) {
  test(`configuration of access: ${title}`, async t => {
    const error = await t.throwsAsync<ConfigError>(loadConfig({value: config, folder}, builtins, {}), {
      name: 'ConfigError',
    });
    t.deepEqual((error?.message ?? '').split('\n').sort(), [...problems].sort());
  });
}

test('what is good is told without its secrets', async t => {
  const config = await loadConfig(
    {value: {...file({users: [user(BCRYPT)]}), ...tls({...one, clientCa: authority.ca})}, folder},
    builtins,
    {},
  );
  t.like(config.listeners[0], {access: 'required', hosts: [], cors: {origins: []}, tls: {minVersion: 'TLSv1.2'}});
  const text = JSON.stringify(printable({...config, access: {tokens: [token()], users: [user(BCRYPT)]} as never}));
  t.false(text.includes(DIGEST) || text.includes(BCRYPT), text);
  t.regex(text, /"sha256":"\(hidden\)"/);
});

test('files that do not fit end a start as a mistake of the configuration', async t => {
  const running = await runOver(t, {
    config: {...tls({certificate: one?.certificate, key: two?.key}), plugins: []},
    args: file => ['serve', '--config', file],
  });
  t.is(running.exit, 2);
  t.regex(running.stderr.join('\n'), /^listeners\.metrics\.tls\.key: names .* does not fit the certificate in /);
});

test('check warns of credentials that go through the open', async t => {
  const config = {
    access: {tokens: [token()]},
    listeners: {
      clear: {host: '0.0.0.0', port: 0},
      safe: {host: '0.0.0.0', port: 0, tls: one},
      free: {host: '0.0.0.0', port: 0, tls: one, access: 'open'},
      known: {host: '0.0.0.0', port: 0, tls: {...one, clientCa: authority.ca}, access: 'open'},
      own: {host: '127.0.0.1', port: 0},
    },
  };
  const checked = await runOver(t, {config});
  t.is(checked.exit, 0);
  const warnings = checked.stdout.filter(line => line.startsWith('warning: '));
  t.deepEqual(warnings, [
    'warning: the listener "clear" is open to other machines at 0.0.0.0:0 (all addresses), without TLS, so that whoever is on the way reads the credentials',
    'warning: the listener "free" is open to other machines at 0.0.0.0:0 (all addresses), without credentials',
  ]);
});
