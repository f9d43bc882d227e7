import {createHash} from 'node:crypto';
import {appendFile, readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import test, {type ExecutionContext} from 'ava';
import {FIXTURE_ADAPTER, FIXTURE_PLUGIN, scratchFolder} from '../../support/gateway.js';
import {ask, get, post} from '../../support/http.js';
import {type ServedHere, serveHere} from '../../support/library.js';

const FORM = {'content-type': 'application/x-www-form-urlencoded'};

async function start(
  t: ExecutionContext,
  record: object = {},
  folder?: string,
): Promise<ServedHere & {readonly file: string}> {
  const at = folder ?? (await scratchFolder(t));
  const gateway = await serveHere(t, {
    folder: at,
    config: {
      listeners: {fixture: {port: 0}, admin: {port: 0}},
      storage: {use: FIXTURE_ADAPTER},
      plugins: [{use: FIXTURE_PLUGIN, prefix: '/api'}],
      record: {file: './traffic.ndjson', ...record},
    },
  });
  return Object.assign(gateway, {file: join(at, 'traffic.ndjson')});
}

/** The lines once the gateway has ended, when all are written. */
async function recorded(gateway: ServedHere & {readonly file: string}): Promise<readonly Record<string, unknown>[]> {
  await gateway.stop();
  return (await readFile(gateway.file, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));
}

const sha256 = (body: string | Uint8Array): string => createHash('sha256').update(body).digest('hex');

test('each query becomes a line with what was asked and a digest of the answer, and nothing of its headers', async t => {
  const gateway = await start(t);
  const url = `${gateway.urls.fixture}/api`;
  const options = {headers: {...FORM, authorization: 'Bearer hunter2'}, method: 'POST', body: 'b=%7B2%7D&b=3'};
  const echo = await ask(`${url}/echo?a=1%20x`, options);
  const before = Date.now();
  const unknown = await get(`${url}/nowhere`);
  const failed = await get(`${url}/throw`);
  const lines = await recorded(gateway);
  t.false(JSON.stringify(lines).includes('hunter2'));
  const [first, second, ...rest] = lines;
  t.like(first, {
    plugin: 'fixture-plugin',
    method: 'POST',
    path: '/api/echo',
    parameters: 'a=1%20x&b=%7B2%7D&b=3',
    status: 200,
    bytes: echo.bytes.byteLength,
    sha256: sha256(echo.bytes),
  });
  t.deepEqual(Object.keys(first ?? {}), [
    'time',
    'plugin',
    'method',
    'path',
    'parameters',
    'status',
    'bytes',
    'ms',
    'sha256',
  ]);
  t.true(Date.parse(String(first?.time)) <= before);
  t.is(unknown.status, 404);
  t.like(second, {path: '/api/throw', status: failed.status, parameters: '', sha256: sha256(failed.bytes)});
  t.deepEqual(rest, [], 'no route, no query');
});

test('the digest and the size are of the answer before it is compressed', async t => {
  const gateway = await start(t);
  const answer = await ask(`${gateway.urls.fixture}/api/large?size=200000`, {headers: {'accept-encoding': 'gzip'}});
  t.is(answer.headers['content-encoding'], 'gzip');
  const body = gunzipSync(answer.bytes);
  const [line] = await recorded(gateway);
  t.like(line, {bytes: body.byteLength, sha256: sha256(body)});
});

test('what is written, what needs no storage and what the gateway tells of itself is not recorded', async t => {
  const gateway = await start(t);
  await get(`${gateway.urls.admin}/-/plugins`);
  await get(`${gateway.urls.admin}/metrics`);
  await get(`${gateway.urls.fixture}/api/hello`);
  await get(`${gateway.urls.fixture}/api/echo`);
  t.deepEqual(
    (await recorded(gateway)).map(({path}) => path),
    ['/api/echo'],
  );
});

test('a gateway that is started again goes on in the same file, on a line of its own where the last is torn', async t => {
  const folder = await scratchFolder(t);
  const first = await start(t, {}, folder);
  await get(`${first.urls.fixture}/api/echo`, {n: '1'});
  t.is((await recorded(first)).length, 1);
  await appendFile(first.file, '{"time":"2026');
  const second = await start(t, {}, folder);
  await get(`${second.urls.fixture}/api/echo`, {n: '2'});
  await second.stop();
  const lines = (await readFile(second.file, 'utf8')).split('\n');
  t.is(lines[1], '{"time":"2026');
  t.is(JSON.parse(lines[2] ?? '').parameters, 'n=2');
  t.deepEqual(lines.slice(3), ['']);
});

test('at its largest size the file ends with a whole line, that is told, and the gateway goes on', async t => {
  const gateway = await start(t, {maxSize: 2000});
  for (let i = 0; i < 30; i++) t.is((await post(`${gateway.urls.fixture}/api/echo`, {n: String(i)})).status, 200);
  const line = await gateway.logged('record.file has reached record.maxSize: no more queries are recorded');
  t.like(line, {level: 'warn', fields: {maxSize: 2000}});
  t.is((await get(`${gateway.urls.fixture}/api/echo`)).status, 200);
  const lines = await recorded(gateway);
  t.deepEqual(
    lines.map(({parameters}) => parameters),
    lines.map((_, i) => `n=${i}`),
  );
  const {size, mode} = await stat(gateway.file);
  t.true(size <= 2000 && size > 1600, String(size));
  t.is(mode & 0o777, 0o600);
});

test('a share of none records nothing', async t => {
  const gateway = await start(t, {share: 0});
  for (let i = 0; i < 20; i++) await get(`${gateway.urls.fixture}/api/echo`);
  t.deepEqual(await recorded(gateway), []);
});

test('a file that cannot be opened ends the start with its name', async t => {
  const folder = await scratchFolder(t);
  await writeFile(join(folder, 'plain'), '');
  const problem = await t.throwsAsync(start(t, {file: './plain/traffic.ndjson'}, folder));
  t.regex(problem?.message ?? '', /record\.file .*plain\/traffic\.ndjson.* cannot be opened/);
});

test('a reload records in another file from then on, and in none where the key has gone', async t => {
  const gateway = await start(t);
  const {fixture, admin} = gateway.urls;
  const reload = async (record: object): Promise<void> => {
    const file = join(gateway.folder, 'gateway.config.json');
    const {record: _, ...config} = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({...config, ...record}));
    t.is((await post(`${admin}/-/reload`)).status, 200);
  };
  await get(`${fixture}/api/echo`, {n: '1'});
  await reload({record: {file: './other.ndjson'}});
  await get(`${fixture}/api/echo`, {n: '2'});
  await reload({});
  await get(`${fixture}/api/echo`, {n: '3'});
  const [first] = await recorded(gateway);
  const [second, ...rest] = await recorded(Object.assign(gateway, {file: join(gateway.folder, 'other.ndjson')}));
  t.deepEqual([first?.parameters, second?.parameters, rest], ['n=1', 'n=2', []]);
});
