import test from 'ava';
import {builtins} from '../../core/cli/builtins.js';
import {ConfigError, loadConfig} from '../../core/gateway.js';

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
    `storage.config.url: found sslmode 'verify_full', expected one of ${SSL_MODES}`,
  ],
  [
    'a port that there is not',
    'postgres',
    {url: 'postgres://u:secret@db:99999/x'},
    'storage.config.url: found port 99999, expected one from 1 to 65535',
  ],
  [
    'a schema with a name of the server',
    'postgres',
    {url: 'postgres://db/x', schema: 'pg_gateway'},
    "storage.config.schema: found 'pg_gateway', expected a name without pg_, which is the server's",
  ],
];

for (const [title, use, config, line] of MISTAKES) {
  test(`${title} is a mistake in the configuration of ${use}`, async t => {
    t.deepEqual(await problems(use, config), [line]);
  });
}

const GOOD: readonly (readonly [use: string, config: object])[] = [
  ['clickhouse', {...clickhouse, insertQuorum: 2, cluster: 'main'}],
  ['clickhouse', clickhouse],
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
