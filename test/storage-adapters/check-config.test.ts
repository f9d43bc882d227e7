import test from 'ava';
import {builtins} from '../../core/cli/builtins.js';
import {ConfigError} from '../../core/config/config-error.js';
import {loadConfig} from '../../core/config/load.js';

async function problems(use: string, config: object): Promise<readonly string[]> {
  try {
    await loadConfig({value: {storage: {use, config}}, folder: '/etc/gateway'}, builtins, {});
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n');
  }
}

const clickhouse = {urls: ['http://ch:8123'], database: 'gateway'};
const SSL_MODES = 'disable, prefer, require, verify-ca, verify-full, no-verify';

const PARAMETERS =
  'host, port, user, password, ssl, sslmode, sslrootcert, sslcert, sslkey, sslnegotiation, uselibpqcompat, application_name, fallback_application_name, options, client_encoding, lock_timeout';

/** A parameter of the url of PostgreSQL, and what is said of it. */
const WRONG_PARAMETERS: readonly (readonly [parameters: string, message: string])[] = [
  ['lock_timeout=abc', 'found lock_timeout "abc", expected milliseconds from 0 to 2147483647'],
  ['lock_timeout=5s', 'found lock_timeout "5s", expected milliseconds from 0 to 2147483647'],
  ['client_encoding=KLINGON', 'found client_encoding "KLINGON", expected UTF8'],
  ['sslmode=disable&sslmode=require', 'found the parameter sslmode 2 times, expected it once'],
  ['user=a&user=b', 'found the parameter user 2 times, expected it once'],
  ['ssl=false', 'found ssl "false", expected one of true, 1, 0, no-verify'],
  ['sslnegotiation=tls', 'found sslnegotiation "tls", expected one of postgres, direct'],
  ['uselibpqcompat=1', 'found uselibpqcompat "1", expected one of true, false'],
  ['application_name=a%00b', 'holds %00, expected none: no name has that character'],
];

const MISTAKES: readonly (readonly [title: string, use: string, config: object, line: string])[] = [
  [
    'a quorum of replicas on one server, which has none',
    'clickhouse',
    {...clickhouse, insertQuorum: 2},
    'storage.config.insertQuorum: found 2 without a cluster, expected at most 1, or cluster beside it: one server has no replicas',
  ],
  [
    'an sslmode that there is not',
    'postgres',
    {url: 'postgres://u:secret@db/x?sslmode=verify_full'},
    `storage.config.url: found sslmode "verify_full", expected one of ${SSL_MODES}`,
  ],
  [
    'a port that there is not',
    'postgres',
    {url: 'postgres://u:secret@db:99999/x'},
    'storage.config.url: found port 99999, expected one from 1 to 65535',
  ],
  [
    'a parameter that was mistyped',
    'postgres',
    {url: 'postgres://u:secret@db/x?sslmod=require'},
    `storage.config.url: found the parameter "sslmod", expected one of ${PARAMETERS}; did you mean "sslmode"?`,
  ],
  [
    'a parameter of other clients',
    'postgres',
    {url: 'postgres://u:secret@db/x?sslmode=verify-full&connection_limit=5'},
    `storage.config.url: found the parameter "connection_limit", expected one of ${PARAMETERS}`,
  ],
  [
    'the rest of a password behind its question mark',
    'postgres',
    {url: 'postgres://u:sec?ret@db/x'},
    `storage.config.url: found a parameter that has no name, expected one of ${PARAMETERS}`,
  ],
  [
    'a port among the parameters that there is not',
    'postgres',
    {url: 'postgres://u@/x?host=/run&port=0'},
    'storage.config.url: found port 0, expected one from 1 to 65535',
  ],
  [
    'a percent sign that escapes nothing',
    'postgres',
    {url: 'postgres://u:p%FF@db/x'},
    'storage.config.url: does not say how to reach PostgreSQL: URI malformed',
  ],
  [
    'a certificate that is not there',
    'postgres',
    {url: 'postgres://u@db/x?sslmode=verify-full&sslrootcert=/nowhere/ca.pem'},
    "storage.config.url: does not say how to reach PostgreSQL: ENOENT: no such file or directory, open '/nowhere/ca.pem'",
  ],
  [
    'a connectTimeout that the start cannot wait for',
    'postgres',
    {url: 'postgres://db/x', connectTimeout: '90s'},
    'storage.config.connectTimeout: found 90s, expected at most startTimeout, 60000 ms',
  ],
  [
    'a url of a port that there is not',
    'clickhouse',
    {urls: ['http://ch:99999'], database: 'gateway'},
    'storage.config.urls[0]: found "http://ch:99999", which is no url; expected one like http://host:8123',
  ],
  [
    'one server twice',
    'clickhouse',
    {urls: ['http://a:8123', 'http://b:8123', 'http://a:8123/'], database: 'gateway'},
    'storage.config.urls[2]: found http://a:8123/ again, expected each url once',
  ],
  [
    'a time zone that the start would refuse',
    'banyandb',
    {endpoints: ['bdb:17912'], timeZone: 'GMT+8'},
    'storage.config.timeZone: found "GMT+8", which is no time zone that is known; expected a name such as Europe/Berlin',
  ],
  [
    'a layer under the number of another',
    'banyandb',
    {endpoints: ['bdb:17912'], layers: {2: 'MINE'}},
    'storage.config.layers: calls the number 2, which is GENERAL in every OAP, MINE',
  ],
  [
    'one endpoint twice',
    'banyandb',
    {endpoints: 'bdb:17912,bdb:17912'},
    'storage.config.endpoints[1]: found "bdb:17912" again, expected each endpoint once',
  ],
  [
    'authorities that are not there',
    'banyandb',
    {endpoints: ['bdb:17912'], tls: {ca: '/nowhere/ca.pem'}},
    'storage.config.tls.ca: names /nowhere/ca.pem, which does not exist',
  ],
  [
    'a schema with a name of the server',
    'postgres',
    {url: 'postgres://db/x', schema: 'pg_gateway'},
    'storage.config.schema: found "pg_gateway", expected a name without pg_, which is the server\'s',
  ],
];

for (const [parameters, message] of WRONG_PARAMETERS) {
  test(`?${parameters} is a mistake in the url of PostgreSQL`, async t => {
    const url = `postgres://u:secret@db/x?${parameters}`;
    t.deepEqual(await problems('postgres', {url}), [`storage.config.url: ${message}`]);
  });
}

for (const parameters of [
  'lock_timeout=2000&client_encoding=utf-8&application_name=mine&options=-c%20geqo%3Doff',
  'ssl=0&host=/run/postgresql&port=5433&user=u&password=p',
]) {
  test(`?${parameters} is right in the url of PostgreSQL`, async t => {
    t.deepEqual(await problems('postgres', {url: `postgres://u:secret@db/x?${parameters}`}), []);
  });
}

for (const url of ['postgres://', 'postgresql:///', 'postgres://?sslmode=disable']) {
  test(`${url} leads to no database of PostgreSQL`, async t => {
    const line = 'storage.config.url: names neither a server nor a user nor a database';
    t.deepEqual(await problems('postgres', {url}), [line]);
  });
}

for (const [title, use, config, line] of MISTAKES) {
  test(`${title} is a mistake in the configuration of ${use}`, async t => {
    t.deepEqual(await problems(use, config), [line]);
  });
}

const GOOD: readonly (readonly [use: string, config: object])[] = [
  ['clickhouse', {...clickhouse, insertQuorum: 2, cluster: 'main'}],
  ['clickhouse', clickhouse],
  ['banyandb', {endpoints: ['bdb:17912', 'other:17912'], timeZone: 'Asia/Shanghai', layers: {90: 'MINE'}}],
  ['banyandb', {endpoints: ['bdb:17912'], timeZone: 'Etc/GMT-8'}],
  ['postgres', {url: 'postgres://db/x', connectTimeout: '60s'}],
  ...[
    'postgres://u:12345678@db/x',
    'postgres://db:5432/x?sslmode=verify-full',
    'postgresql://[::1]:5432/x',
    'postgres://u@/x?host=/run/postgresql&port=5433',
    'postgres://u:a%3Fb@db:65535',
  ].map(url => ['postgres', {url}] as const),
];

for (const [use, config] of GOOD) {
  test(`${use} takes ${JSON.stringify(config)}`, async t => {
    t.deepEqual(await problems(use, config), []);
  });
}
