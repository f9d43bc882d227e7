import test from 'ava';
import {builtins} from '../../../core/cli/builtins.js';
import {ConfigError} from '../../../core/config/config-error.js';
import {loadConfig} from '../../../core/config/load.js';
import {FIXTURE_ADAPTER, run} from '../../support/gateway.js';
import {ask, get} from '../../support/http.js';
import {BEST_EFFORT, embedded, MINUTE, shaky, TeeScene, tee} from './scene.js';

const SPAN = {traceId: '00000000000000a1', id: '00000000000000b1', name: 'get', timestamp: MINUTE * 1e6, duration: 5};
const SEGMENT = {
  traceId: 'trace.1',
  traceSegmentId: 'segment.1',
  service: 'a',
  serviceInstance: 'a-1',
  spans: [{spanId: 0, parentSpanId: -1, startTime: MINUTE * 1e3, endTime: MINUTE * 1e3 + 5, operationName: 'get'}],
};

test('both storages have every write, and the catalog that was there before', async t => {
  const scene = await TeeScene.in(t);
  await scene.start(embedded('./a'));
  t.is((await scene.write('before_cpm', 1)).status, 202);
  t.is((await scene.reload(tee(embedded('./a'), embedded('./b')))).status, 200);
  t.is((await scene.write('after_cpm', 2)).status, 202);
  const {urls} = scene.gateway;
  for (const [path, body] of [
    ['/api/v2/spans', [SPAN]],
    ['/v3/segments', [SEGMENT]],
  ] as const)
    t.true((await ask(`${urls.ingest}${path}`, {method: 'POST', body: JSON.stringify(body)})).status < 300);
  t.is(await scene.read('before_cpm'), 1);
  await scene.stop();
  for (const [path, before] of [
    ['./a', 1],
    ['./b', undefined],
  ] as const) {
    await scene.start(embedded(path));
    t.is(await scene.read('before_cpm'), before, path);
    t.is(await scene.read('after_cpm'), 2, path);
    const {metrics} = scene.gateway.urls;
    const catalog = (await get(`${metrics}/api/v1/metadata`)).json<{data: object}>();
    t.deepEqual(Object.keys(catalog.data).sort(), ['after_cpm', 'before_cpm'], path);
    for (const kind of ['compat', 'native']) {
      const window = {start: `${MINUTE - 1}`, end: `${MINUTE + 1}`};
      const {traces} = (await get(`${metrics}/${kind}/api/search`, window)).json<{traces: object[]}>();
      t.is(traces.length, 1, `${path} ${kind}`);
    }
    await scene.stop();
  }
});

test('a write that is required of both fails while the secondary is down, and can be sent again', async t => {
  const scene = await TeeScene.in(t);
  await scene.start(tee(embedded('./a'), shaky('./b')));
  await scene.takes('down', true);
  const {status, text} = await scene.write('a_cpm', 1);
  t.is(status, 503);
  t.regex(text, /^\{"error":"the secondary storage, shaky, has not stored what the primary has: nothing listens at /);
  t.is(await scene.failedWrites(), 1);
  await scene.takes('down', false);
  t.is((await scene.write('a_cpm', 1)).status, 202);
  await scene.stop();
  await scene.start(embedded('./b'));
  t.is(await scene.read('a_cpm'), 1);
});

test('a secondary that is required and does not start ends the start, and a reload changes nothing', async t => {
  const scene = await TeeScene.in(t);
  const storage = tee(embedded('./a'), {use: FIXTURE_ADAPTER, config: {startError: 'no disk for storage.config.path'}});
  const failing = await run(t, {config: scene.configOf(storage), folder: scene.folder});
  t.is(await failing.exit, 1);
  const reason =
    /the storage adapter tee did not start: the secondary storage, fixture, does not start: no disk for storage\.config\.secondary\.config\.path/;
  t.regex(failing.stderr.join('\n'), reason);
  await scene.start(embedded('./a'));
  const {status, text} = await scene.reload(storage);
  t.is(status, 400, text);
  t.regex(text, reason);
  t.is((await scene.write('a_cpm', 1)).status, 202);
  t.is(await scene.read('a_cpm'), 1);
});

test('what the secondary answers differently is counted and shown', async t => {
  const scene = await TeeScene.in(t);
  await scene.start(tee(embedded('./a'), shaky('./b')));
  await scene.write('a_cpm', 7);
  await scene.takes('lies', true);
  t.is(await scene.read('a_cpm'), 7);
  await scene.until(async () => (await scene.compared('differs')) === 1);
  const {differences = [], capabilities} = await scene.status();
  const [{time, request, at, ...difference} = {}] = differences;
  t.is(differences.length, 1);
  t.deepEqual(difference, {
    capability: 'metrics.query.v1',
    method: 'values',
    primary: '7',
    secondary: '8',
  });
  t.like(JSON.parse(request ?? ''), {metric: 'a_cpm', entity: {layer: 'GENERAL', service: 'a'}});
  t.regex(at ?? '', /^\[0\]\.values\[\d\]$/);
  t.false(Number.isNaN(Date.parse(time ?? '')));
  t.true(capabilities.includes('export.metrics.v1'));
  t.is((await scene.gateway.logged('the two storages answer differently')).method, 'values');
});

test('the storages of a tee are checked where they stand', async t => {
  const scene = await TeeScene.in(t);
  const rows: readonly [storage: object, key: string, message: RegExp][] = [
    [
      tee(embedded('./a'), embedded('./a')),
      'storage.config.secondary.config.path',
      /found the folder .*\/a, which is the primary's too/,
    ],
    [
      tee(embedded('./a'), {use: 'embedded', config: {path: '../x/./a', pth: 1}}),
      'storage.config.secondary.config.pth',
      /unknown key/,
    ],
    [tee({use: 'embedded', config: {path: ''}}, embedded('./b')), 'storage.config.primary.config.path', /found ""/],
    [tee({use: 'embeded', config: {}}, embedded('./b')), 'storage.config.primary.use', /did you mean "embedded"/],
    [
      tee(tee(embedded('./a'), embedded('./b')), embedded('./c')),
      'storage.config.primary.use',
      /found "tee" within another/,
    ],
    [tee(embedded('./a'), embedded('./b'), {compare: {share: 2}}), 'storage.config.compare.share', /from 0 to 1/],
    [
      tee(embedded('./a'), embedded('./b'), {secondaryWrites: 'maybe'}),
      'storage.config.secondaryWrites',
      /one of "required"/,
    ],
    [{use: 'tee', config: {primary: embedded('./a')}}, 'storage.config.secondary', /missing/],
    [
      tee(
        {use: 'clickhouse', config: {urls: ['http://a:8123', 'http://b:8123'], database: 'x'}},
        {use: 'clickhouse', config: {urls: ['http://b:8123/'], database: 'x', connections: 3}},
      ),
      'storage.config.secondary.config.database',
      /found the database x at b:8123/,
    ],
    [
      tee(
        {use: 'postgres', config: {url: 'postgres://u:one@db/x'}},
        {use: 'postgres', config: {url: 'postgres://v:two@db:5432/x'}},
      ),
      'storage.config.secondary.config.url',
      /found the schema query_gateway of the database x at db:5432, which/,
    ],
  ];
  for (const [storage, key, message] of rows) {
    const value = scene.configOf(storage);
    const error = await t.throwsAsync(loadConfig({value, folder: scene.folder}, builtins), {instanceOf: ConfigError});
    const [problem, ...others] = error?.problems ?? [];
    t.is(problem?.path, key);
    t.regex(problem?.message ?? '', message);
    t.deepEqual(others, []);
  }
  await scene.takes('down', true);
  const config = scene.configOf(tee(embedded('./a'), shaky('./b'), BEST_EFFORT));
  const check = await run(t, {config, folder: scene.folder, args: file => ['check', '--connect', '--config', file]});
  t.is(await check.exit, 0);
  const lines = check.stdout.join('\n');
  t.regex(lines, /ingest\.otlp\.v1 +yes/);
  t.regex(lines, /storage +tee/);
  t.regex(lines, /health +degraded: the secondary storage: .*shaky/);
});
