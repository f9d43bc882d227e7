import test from 'ava';
import {builtins} from '../../../core/cli/builtins.js';
import type {GatewayConfig} from '../../../core/config/gateway-config.js';
import {loadConfig} from '../../../core/config/load.js';

type Environment = Readonly<Record<string, string>>;

const load = (value: unknown, environment: Environment = {}): Promise<GatewayConfig> =>
  loadConfig({value, folder: '/etc/gateway'}, builtins, environment);

const LISTS: readonly (readonly [title: string, text: string, environment: Environment])[] = [
  ['as plain text', 'http.method,error', {}],
  ['as text with blanks and empty parts', ' http.method ,, error,', {}],
  ['as a placeholder', '${TAGS}', {TAGS: 'http.method,error'}],
  ['as the default of a placeholder', '${TAGS:http.method, error}', {}],
  ['as text with a placeholder in it', '${METHOD},error', {METHOD: 'http.method'}],
];

for (const [title, listResultTags, environment] of LISTS) {
  test(`a list of texts is taken ${title}`, async t => {
    const config = await load({plugins: [{use: 'traceql-compat', config: {listResultTags}}]}, environment);
    t.like(config.plugins[0], {config: {listResultTags: ['http.method', 'error']}});
  });
}

test('adapters take their lists as text too', async t => {
  const urls = 'http://a:8123, http://b:8123';
  const clickhouse = await load({storage: {use: 'clickhouse', config: {urls, database: 'd'}}});
  t.like(clickhouse.storage, {config: {urls: ['http://a:8123', 'http://b:8123']}});
  const endpoints = 'a:17912,b:17912';
  const banyandb = await load({storage: {use: 'banyandb', config: {endpoints, stages: 'cold'}}});
  t.like(banyandb.storage, {config: {endpoints: ['a:17912', 'b:17912'], stages: ['cold']}});
});
