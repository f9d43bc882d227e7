import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'ava';
import {builtins} from '../../core/cli/builtins.js';
import {ConfigError} from '../../core/config/config-error.js';
import {loadConfig} from '../../core/config/load.js';
import {TestAuthority} from '../support/certificates.js';
import {suiteWith} from '../support/programs.js';

suiteWith(test, 'openssl', 'the option tls', () => {
  const folder = mkdtempSync(join(tmpdir(), 'query-gateway-'));
  test.after.always(() => rmSync(folder, {recursive: true}));
  const authority = new TestAuthority(folder);
  const one = authority.issue({name: 'one'});
  const other = authority.issue({name: 'other'});
  writeFileSync(join(folder, 'ssh.pub'), 'ssh-rsa AAAA');

  /** What is said of the option in the configuration of an adapter, without the folder. */
  async function problems(use: string, config: object): Promise<string> {
    try {
      await loadConfig({value: {storage: {use, config}}, folder}, builtins, {});
      return '';
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return error.message.replaceAll(`${folder}/`, '').replaceAll('storage.config.', '');
    }
  }

  const ADAPTERS = {
    postgres: {url: 'postgres://gateway@db/gateway'},
    clickhouse: {urls: ['https://ch:8443'], database: 'gateway'},
    banyandb: {endpoints: ['bdb:17912']},
  };

  const name = (path: string): string => path.slice(folder.length + 1);

  const TABLE: readonly (readonly [title: string, tls: object, line: string])[] = [
    ['nothing in it', {}, ''],
    ['everything in it', {ca: authority.ca, ...one, serverName: 'db.internal'}, ''],
    [
      'paths from the folder of the configuration',
      {ca: name(authority.ca), certificate: name(one.certificate), key: name(one.key)},
      '',
    ],
    [
      'an authority that is no PEM',
      {ca: 'ssh.pub'},
      'tls.ca: names ssh.pub, which has no certificate in PEM that can be read',
    ],
    ['an authority that is not there', {ca: 'none.crt'}, 'tls.ca: names none.crt, which does not exist'],
    ['a folder as authority', {ca: '.'}, `tls.ca: names ${folder}, which is no file`],
    [
      'a certificate without a key',
      {certificate: one.certificate},
      'tls.key: missing; expected beside tls.certificate',
    ],
    ['a key without a certificate', {key: one.key}, 'tls.certificate: missing; expected beside tls.key'],
    [
      'a key of another certificate',
      {certificate: one.certificate, key: other.key},
      `tls.key: names ${name(other.key)}, which does not fit the certificate in ${name(one.certificate)}`,
    ],
    [
      'an address as name',
      {serverName: '10.0.0.1'},
      'tls.serverName: found "10.0.0.1", expected text that is the name of a host, and no address',
    ],
    [
      'a key that there is not',
      {cert: one.certificate},
      'tls.cert: unknown key; expected one of ca, certificate, key, serverName',
    ],
  ];

  for (const [title, tls, line] of TABLE) {
    test(`the option tls with ${title} is ${line === '' ? 'right' : 'a mistake'} for each adapter`, async t => {
      for (const [use, config] of Object.entries(ADAPTERS)) t.is(await problems(use, {...config, tls}), line, use);
    });
  }

  const BESIDE: readonly (readonly [use: string, config: object, line: string])[] = [
    [
      'postgres',
      {url: 'postgres://u@db/x?sslmode=verify-full&sslrootcert=/etc/ca.pem', tls: {}},
      "url: does not say how to reach PostgreSQL: ENOENT: no such file or directory, open '/etc/ca.pem'",
    ],
    [
      'postgres',
      {url: 'postgres://u@db/x?sslmode=disable', tls: {}},
      'tls: found it beside sslmode in the url, expected one of the two',
    ],
    [
      'postgres',
      {url: 'postgres://u@/x?host=/run/postgresql', tls: {}},
      'tls: found it beside a url of a Unix socket, over which PostgreSQL does not speak TLS',
    ],
    ['postgres', {url: 'postgres://u@db/x?sslnegotiation=direct', tls: {}}, ''],
    [
      'clickhouse',
      {urls: ['https://a:8443', 'http://b:8123'], database: 'x', tls: {}},
      'urls[1]: found http://b:8123 beside tls, expected a url that begins with https://',
    ],
  ];

  for (const [use, config, line] of BESIDE) {
    test(`${JSON.stringify(config)} of ${use} is ${line === '' ? 'right' : 'a mistake'}`, async t => {
      t.is(await problems(use, config), line);
    });
  }
});
