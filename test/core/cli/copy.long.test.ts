import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import test from 'ava';
import {type RunningGateway, scratchFolder} from '../../support/gateway.js';
import {get} from '../../support/http.js';
import {ownerOf} from '../../support/owner.js';
import {suiteWith} from '../../support/programs.js';
import {startClickHouse} from '../../support/servers/clickhouse.js';
import {startPostgres} from '../../support/servers/postgres.js';
import {type Answers, answersOf, differences} from '../../swap/compare.js';
import {EMBEDDED, loadInto} from '../../swap/gateways.js';
import {beginCopy, configFile, copy, embedded, gatewayOver, sendTo} from './copying.js';
import {configurations, smallSources, untilSamples, written} from './small-source.js';

const smallSource = smallSources(test);
const owner = ownerOf(test);
/** How often a copy is killed before it may end. */
const KILLS = Number(process.env.COPY_KILLS ?? 3);
/** Pages of samples and of spans: so many kills find something to kill. */
const HOURS = 3 + Math.ceil(KILLS / 2);
const START = 1_700_000_400;
const SERVICES = 500;

/** Each hour is a page of samples and one of spans. */
async function fill(gateway: RunningGateway): Promise<void> {
  const declared = '{"record":"metric","name":"cpm","scope":"Service","kind":"common"}\n';
  await sendTo(gateway, '/ingest/v1/metrics', declared);
  for (let hour = 0; hour < HOURS; hour++) {
    const times = Array.from({length: 60}, (_, i) => START + hour * 3600 + i * 60);
    const lines = times.flatMap((time, i) =>
      Array.from({length: SERVICES}, (_, s) =>
        JSON.stringify({record: 'sample', metric: 'cpm', layer: 'GENERAL', service: `s${s}`, time, value: s * i}),
      ),
    );
    await sendTo(gateway, '/ingest/v1/metrics', lines.join('\n'));
    const spans = Array.from({length: 2000}, (_, i) => ({
      traceId: (hour * 2000 + i + 1).toString(16).padStart(16, '0'),
      id: '1111111111111111',
      name: 'get',
      timestamp: (START + hour * 3600 + i) * 1_000_000,
      localEndpoint: {serviceName: `s${i % SERVICES}`},
    }));
    await sendTo(gateway, '/api/v2/spans', JSON.stringify(spans));
  }
}

/** What dashboards see of it. */
async function seen({urls}: RunningGateway): Promise<readonly string[]> {
  const window = {start: `${START}`, end: `${START + HOURS * 3600}`};
  const requests = [
    get(`${urls.metrics}/api/v1/query_range`, {query: `cpm{layer='GENERAL',top_n='1000',order='DES'}`, ...window}),
    ...['s1', 's77', 's499'].map(service =>
      get(`${urls.metrics}/api/v1/query_range`, {query: `cpm{layer='GENERAL',service='${service}'}`, ...window}),
    ),
    get(`${urls.traces}/compat/api/search`, {q: '{}', limit: '100000', ...window}),
  ];
  const answers = await Promise.all(requests);
  return answers.map(({status, text}) => `${status} ${text}`);
}

test.serial('a copy that is killed again and again ends equal', async t => {
  const folder = await scratchFolder(t);
  const source = await gatewayOver(t, embedded(folder, 'old'));
  await fill(source);
  await source.stop();
  const from = configFile(folder, 'old', embedded(folder, 'old'));
  const to = configFile(folder, 'new', embedded(folder, 'new'));
  const words = ['--from', from, '--to', to];
  const state = `${to}.copy-checkpoint`;
  const content = (): string => (existsSync(state) ? readFileSync(state, 'utf8') : '');
  let kills = 0;
  for (let ended = false; kills < KILLS && !ended; kills++) {
    const before = content();
    const run = beginCopy(t, folder, [...words, '--rate', '40000']);
    void run.exit.then(code => {
      ended = code !== null;
    });
    while (content() === before && !ended) await sleep(5);
    // From one page on it is at any point of its work.
    await sleep(Math.random() * 500);
    if (!ended) await run.stop('SIGKILL');
  }
  t.log(`killed ${kills} times`);
  const {code, stdout} = await copy(t, folder, words);
  t.is(code, 0);
  t.log(stdout.join());
  const [old, fresh] = [await gatewayOver(t, embedded(folder, 'old')), await gatewayOver(t, embedded(folder, 'new'))];
  t.deepEqual(await seen(fresh), await seen(old));
});

interface Source {
  /** Of embedded, which nobody holds. */
  readonly storage: object;
  readonly answers: Answers;
}

let largeSource: Promise<Source> | undefined;

/** What dashboards are compared with, written once: a copy leaves it as it is. */
function ofDashboards(): Promise<Source> {
  largeSource ??= scratchFolder(owner).then(async folder => {
    const storage = embedded(folder, 'old');
    const source = await gatewayOver(owner, storage);
    await loadInto(source, EMBEDDED, 50_000);
    const answers = await answersOf(source);
    await source.stop();
    return {storage, answers};
  });
  return largeSource;
}

test.serial(
  'what was copied is answered as the source answers it, byte for byte, and nothing is left beside it',
  async t => {
    const folder = await scratchFolder(t);
    const source = await ofDashboards();
    const from = configFile(folder, 'old', source.storage);
    const to = configFile(folder, 'new', embedded(folder, 'new'));
    const {code, stdout, stderr} = await copy(t, folder, ['--from', from, '--to', to]);
    t.deepEqual([code, stderr], [0, []]);
    t.regex(
      stdout.join('\n'),
      /^copied \d+ samples, \d+ records, \d+ compat spans, \d+ segments, \d+ native spans, \d+ OTLP spans in /,
    );
    t.false(existsSync(`${to}.copy-checkpoint`));
    t.deepEqual(await differences(source.answers, await gatewayOver(t, embedded(folder, 'new'))), []);
  },
);

test.serial('a rate bounds how much is copied in a second', async t => {
  const folder = dirname(await written(t, 40));
  const {from, to} = configurations(folder);
  const begun = performance.now();
  t.is((await copy(t, folder, ['--from', from, '--to', to, '--rate', '80'])).code, 0);
  t.true(performance.now() - begun >= 2000, '160 at 80 a second');
});

test.serial('a checkpoint that is torn, or of another copy, is refused and stays as it is', async t => {
  const {folder, from, to} = await smallSource(t);
  const words = ['--from', from, '--to', to, '--checkpoint', 'state'];
  const state = join(folder, 'state');
  const run = beginCopy(t, folder, [...words, '--rate', '1']);
  await untilSamples(state);
  t.is(await run.stop('SIGTERM'), 1);
  const whole = readFileSync(state, 'utf8');
  const elsewhere = configFile(folder, 'elsewhere', embedded(folder, 'elsewhere'));
  const cases = [
    {content: whole.slice(0, whole.length / 2), words, says: /^the checkpoint state is torn or none at all; remove it/},
    {content: '{"version":1,"kinds":{"metrics":{}},"extent":null}', words, says: /torn or none at all/},
    {content: whole.replace(/"after": .*/, '"after": "nowhere",'), words, says: /after is no place in the export/},
    {
      content: whole,
      words: [...words, '--since', '100'],
      says: /of another copy: --since is "none" there, and 100 here/,
    },
    {
      content: whole,
      words: [...words, '--to', elsewhere],
      says: /of another copy: the storage of --to is "the folder .*new \(embedded\)" there, and ".*elsewhere \(embedded\)" here/,
    },
  ];
  for (const {content, words, says} of cases) {
    writeFileSync(state, content);
    const {code, stderr} = await copy(t, folder, words);
    t.is(code, 1);
    t.regex(stderr.join('\n'), says);
    t.is(readFileSync(state, 'utf8'), content);
  }
  writeFileSync(state, whole);
  t.is((await copy(t, folder, words)).code, 0);
});

suiteWith(test, ['postgres', 'clickhouse-server'], 'copies between databases', () => {
  test.serial(
    'from a folder to ClickHouse to another folder, and by PostgreSQL to ClickHouse, all is answered alike',
    async t => {
      const folder = await scratchFolder(t);
      const [server, database] = [await startClickHouse(t), await startPostgres(t)];
      const clickhouse = (name: string) => ({use: 'clickhouse', config: {urls: [server.url], database: name}});
      const postgres = {use: 'postgres', config: {url: database.url()}};
      const source = await ofDashboards();
      const hops = [
        {name: 'first', storage: clickhouse('first'), from: 'old', native: true},
        {name: 'back', storage: embedded(folder, 'back'), from: 'first', native: true},
        {name: 'pg', storage: postgres, from: 'old', native: false},
        {name: 'second', storage: clickhouse('second'), from: 'pg', native: false},
      ] as const;
      const files = new Map([['old', configFile(folder, 'old', source.storage)]]);
      for (const {name, storage, from} of hops) {
        files.set(name, configFile(folder, name, storage));
        const {code, stderr} = await copy(t, folder, ['--from', files.get(from) ?? '', '--to', files.get(name) ?? '']);
        const stays =
          name === 'pg' ? [`native traces stay behind: the storage of ${files.get('pg')} has no ingest.native.v1`] : [];
        const said = stderr.filter(text => !text.startsWith('{'));
        t.deepEqual({name, code, said}, {name, code: stays.length, said: stays});
      }
      for (const {name, storage, native} of hops) {
        const actual = await gatewayOver(t, storage);
        const found = await differences(source.answers, actual, native ? [] : ['traces.native.v2']);
        // ClickHouse has native traces, of which nothing has come by PostgreSQL.
        t.deepEqual(name === 'second' ? found.filter(each => !each.startsWith('/native/')) : found, [], name);
        await actual.stop();
      }
    },
  );
});
