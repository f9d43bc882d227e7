import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {runOver} from '../../support/command.js';
import {FIXTURE_PLUGIN, type Run, run, scratchFolder, startGateway} from '../../support/gateway.js';
import {get} from '../../support/http.js';

const SECRET = 'hunter2';
const CLICKHOUSE = {use: 'clickhouse', config: {urls: ['http://ch:8123'], database: 'd'}};

/** Configurations with a mistake beside a credential, or with the credential in the wrong place. */
const MISTAKES: readonly (readonly [title: string, config: object, key: string])[] = [
  [
    'the urls of ClickHouse',
    {storage: {...CLICKHOUSE, config: {urls: [`http://reader:${SECRET}@ch:8123`], database: 'd'}}},
    'storage.config.urls[0]: found "http://reader:(hidden)@ch:8123", expected text that is like http://host:8123, without a user or password, which are keys of their own',
  ],
  [
    'a parameter of the urls of ClickHouse',
    {storage: {...CLICKHOUSE, config: {urls: [`http://ch:8123/?user=reader&password=${SECRET}`], database: 'd'}}},
    'storage.config.urls[0]: found "http://ch:8123/?user=(hidden)&password=(hidden)"',
  ],
  [
    'a parameter of the urls of ClickHouse that is called anything',
    {storage: {...CLICKHOUSE, config: {urls: [`http://u:${SECRET}@127.0.0.1:1/x?y=${SECRET}`], database: 'd'}}},
    'storage.config.urls[0]: found "http://u:(hidden)@127.0.0.1:1/x?y=(hidden)"',
  ],
  [
    'a password with blanks',
    {storage: {...CLICKHOUSE, config: {urls: [`http://reader:hunter two ${SECRET}@ch`], database: 'd'}}},
    'storage.config.urls[0]: found "http://reader:(hidden)@ch"',
  ],
  [
    'a variable',
    {storage: {...CLICKHOUSE, config: {urls: '${CH_URL}', database: 'd'}}},
    'storage.config.urls[0]: found "http://reader:(hidden)@ch:8123", expected text',
  ],
  [
    'the default of a variable',
    {storage: {...CLICKHOUSE, config: {urls: [`\${NONE:http://reader:${SECRET}@ch:8123}`], database: 'd'}}},
    'storage.config.urls[0]: found "http://reader:(hidden)@ch:8123"',
  ],
  [
    'the default of a variable for the password',
    {storage: {...CLICKHOUSE, config: {...CLICKHOUSE.config, password: `\${NONE:${SECRET}\u0001}`}}},
    'storage.config.password: found a secret of another form, expected text that holds no control characters (from NONE)',
  ],
  [
    'a list where the url of PostgreSQL belongs',
    {storage: {use: 'postgres', config: {url: [`postgres://reader:${SECRET}@db/x`]}}},
    'storage.config.url: found a secret of another form',
  ],
  [
    'a url of PostgreSQL with a blank',
    {storage: {use: 'postgres', config: {url: `postgres://reader:hunter ${SECRET}@db/x`}}},
    'storage.config.url: found a secret of another form',
  ],
  [
    'an endpoint of BanyanDB',
    {storage: {use: 'banyandb', config: {endpoints: [`reader:${SECRET}@bdb:17912`]}}},
    'storage.config.endpoints[0]: found "reader:(hidden)@bdb:17912", expected text that is like host:17912',
  ],
  ['the name of a component', {storage: {use: `http://reader:${SECRET}@host/adapter.js`}}, 'storage.use: '],
];

for (const [title, config, line] of MISTAKES) {
  test(`check shows no credential of ${title}`, async t => {
    const environment = {CH_URL: `http://reader:${SECRET}@ch:8123`};
    const check = await runOver(t, {config, environment});
    t.is(check.exit, 2);
    const said = [...check.stdout, ...check.stderr].join('\n');
    t.false(said.includes(SECRET), said);
    t.true(said.includes(line), said);
  });
}

/** An adapter whose client library cites its URL wherever it can. */
const CITING = `
const url = 'http://reader:${SECRET}@db:8123';
class Failure extends Error {
  code = 'storage_failed';
  [Symbol.for('query-gateway.GatewayError')] = true;
}
const failure = () => new Failure('cannot reach ' + url, {cause: Object.assign(new TypeError('Invalid URL'), {input: url})});
async function* fail() { throw failure(); }
export default {
  kind: 'storage-adapter', apiVersion: 1, name: 'citing',
  configSchema: {type: 'object', properties: {starts: {type: 'boolean'}}},
  create: ({config, log}) => ({
    start: async () => {
      log.warn('connecting to ' + url, {url, err: failure(), deep: [{url}]});
      if (!config.starts) throw failure();
      return {'metadata.query.v1': {layers: fail, services: fail, instances: fail, endpoints: fail}};
    },
    health: async () => ({status: 'degraded', message: 'lost ' + url}),
    stop: async () => undefined,
  }),
};`;

async function citing(t: ExecutionContext, starts: boolean): Promise<{folder: string; config: object}> {
  const folder = await scratchFolder(t);
  await writeFile(join(folder, 'citing.mjs'), CITING);
  const storage = {use: './citing.mjs', config: {starts}};
  const listeners = {admin: {port: 0}, fixture: {port: 0}};
  return {folder, config: {logLevel: 'debug', listeners, storage, plugins: [{use: FIXTURE_PLUGIN}]}};
}

function isClean(t: ExecutionContext, {stdout, stderr}: Run): void {
  const said = [...stdout, ...stderr].join('\n');
  t.true(said.includes('reader:(hidden)@db'), said);
  t.false(said.includes(SECRET), said);
}

for (const command of [['check', '--connect'], ['serve']]) {
  test(`"${command.join(' ')}" shows no credential that a client library cites`, async t => {
    const failed = await run(t, {...(await citing(t, false)), args: file => [...command, '--config', file]});
    t.is(await failed.exit, 1);
    isClean(t, failed);
  });
}

test('neither answers nor states nor the log hold a credential that a client library cites', async t => {
  const gateway = await startGateway(t, await citing(t, true));
  const {admin, fixture} = gateway.urls;
  const answers = [await get(`${fixture}/services`), await get(`${admin}/-/plugins`), await get(`${admin}/-/ready`)];
  const text = answers.map(answer => answer.text).join('\n');
  t.regex(text, /cannot reach http:\/\/reader:\(hidden\)@db:8123/);
  t.regex(text, /lost http:\/\/reader:\(hidden\)@db:8123/);
  t.false(text.includes(SECRET), text);
  t.is(await gateway.stop(), 0);
  isClean(t, gateway);
});
