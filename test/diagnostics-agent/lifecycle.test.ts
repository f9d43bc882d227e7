import {mkdir, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {status} from '@grpc/grpc-js';
import test, {type ExecutionContext} from 'ava';
import {scratchFolder} from '../support/gateway.js';
import {FakeNode} from './support/fake-node.js';
import {type SceneOptions, startScene} from './support/scene.js';
import {until} from './support/until.js';

async function start(t: ExecutionContext, flags: SceneOptions['flags'] = {}, proxy: SceneOptions['proxy'] = {}) {
  const folder = await scratchFolder(t);
  const node = await FakeNode.start(t, {groups: [{name: 'g', catalog: 'CATALOG_MEASURE'}]});
  const scene = await startScene(t, {
    flags: {'lifecycle-port': node.port, 'lifecycle-report-dir': folder, 'lifecycle-cache-ttl': 0, ...flags},
    proxy,
  });
  const report = (name: string, content = '{}') => writeFile(join(folder, name), content);
  const names = async () => (await scene.proxy.lifecycle()).lifecycle_data?.reports.map(({filename}) => filename);
  return {...scene, folder, database: node, report, names};
}

test('the five newest reports by name are sent as they are, oversized and other files left out', async t => {
  const {folder, report, proxy, agent} = await start(t);
  for (let day = 1; day <= 7; day++) await report(`2026010${day}_000000.json`, `not json ${day}`);
  await report('20260108_000000.json', 'x'.repeat(5 * 2 ** 20 + 1));
  await report('20260109_000000.JSON');
  await report('note.txt');
  await mkdir(join(folder, '20260110_000000.json'));
  const {lifecycle_data} = await proxy.lifecycle();
  t.deepEqual(
    lifecycle_data?.reports,
    [7, 6, 5, 4, 3].map(day => ({filename: `2026010${day}_000000.json`, report_json: `not json ${day}`})),
  );
  t.is((await agent.logged('a lifecycle report is left out, it is too large')).bytes, 5 * 2 ** 20 + 1);
});

test('a report of exactly the largest size is sent', async t => {
  const {report, names} = await start(t);
  await report('1.json', 'x'.repeat(5 * 2 ** 20));
  t.deepEqual(await names(), ['1.json']);
});

test('a folder that is not there holds no reports, which is a warning once', async t => {
  const {proxy, agent} = await start(t, {'lifecycle-report-dir': '/nowhere/at/all'});
  for (let i = 0; i < 2; i++) await proxy.lifecycle();
  t.like((await proxy.lifecycle()).lifecycle_data, {reports: [], groups: [{name: 'g', catalog: 'CATALOG_MEASURE'}]});
  const warnings = agent.log.filter(({level, component}) => level === 'warn' && component === 'lifecycle');
  t.deepEqual(
    warnings.map(line => [line.msg, line['--lifecycle-report-dir']]),
    [['the folder of the lifecycle reports cannot be read', '/nowhere/at/all']],
  );
});

test('groups and reports are kept together for the time to live', async t => {
  const {report, proxy, database} = await start(t, {'lifecycle-cache-ttl': '1h'});
  await report('1.json');
  const first = await proxy.lifecycle();
  await report('2.json');
  database.state.groups = [];
  t.deepEqual((await proxy.lifecycle()).lifecycle_data, first.lifecycle_data);
  t.is(database.calls.InspectAll, 1);
});

test('after the time to live the next request reads again', async t => {
  const {report, names, database} = await start(t, {'lifecycle-cache-ttl': '300ms'});
  await report('1.json');
  t.deepEqual(await names(), ['1.json']);
  await report('2.json');
  await until(async () => (await names())?.length === 2, 'the second report');
  t.is(database.calls.InspectAll, 2);
});

test('groups that fail are logged, the reports go out alone and the next request asks again', async t => {
  const {report, proxy, database, agent} = await start(t, {'lifecycle-cache-ttl': '1h'});
  await report('1.json');
  database.state.failing = {InspectAll: status.INTERNAL};
  t.like((await proxy.lifecycle()).lifecycle_data, {groups: [], reports: [{filename: '1.json'}]});
  t.regex(String((await agent.logged('the node gave no lifecycle groups')).reason), /InspectAll fails/);
  database.state.failing = {};
  t.like((await proxy.lifecycle()).lifecycle_data, {groups: [{name: 'g'}]});
});

test('groups that do not come are waited for no longer than a proxy waits', async t => {
  const {proxy, database, report} = await start(t);
  await report('1.json');
  database.state.hanging.add('InspectAll');
  t.like((await proxy.lifecycle()).lifecycle_data, {groups: [], reports: [{filename: '1.json'}]});
});

test('groups that come too late for one request are there for the next, and stand while the node is slow or fails', async t => {
  const {proxy, database} = await start(t, {'lifecycle-cache-ttl': '1h'});
  database.state.hanging.add('InspectAll');
  t.like((await proxy.lifecycle()).lifecycle_data, {groups: []});
  t.is(database.hung.length, 1);
  for (const answer of database.hung.splice(0)) answer();
  const groups = async () => (await proxy.lifecycle()).lifecycle_data?.groups.map(({name}) => name);
  await until(async () => (await groups())?.length === 1, 'the late groups');
  t.is(database.calls.InspectAll, 1);

  const slow = await start(t);
  const known = async () => (await slow.proxy.lifecycle()).lifecycle_data?.groups.map(({name}) => name);
  t.deepEqual(await known(), ['g']);
  slow.database.state.hanging.add('InspectAll');
  slow.database.state.groups = [{name: 'later'}];
  t.deepEqual(await known(), ['g']);
  for (const answer of slow.database.hung.splice(0)) answer();
  slow.database.state.hanging.clear();
  slow.database.state.failing = {InspectAll: status.INTERNAL};
  await until(async () => (await known())?.[0] === 'later', 'the later groups');
  t.is((await slow.agent.logged('the node gave no lifecycle groups')).reason, 'it has not answered within 6 s');
});

test('a node without the service is asked once', async t => {
  const {database, proxy, agent, report} = await start(t);
  await report('1.json');
  database.state.failing = {InspectAll: status.UNIMPLEMENTED};
  await proxy.lifecycle();
  t.like((await proxy.lifecycle()).lifecycle_data, {groups: [], reports: [{filename: '1.json'}]});
  t.is(database.calls.InspectAll, 1);
  await agent.logged('the node has no lifecycle service, only reports are collected');
});

test('reports that do not fit into a message cost that stream alone, and the largest is left out from then on', async t => {
  const {report, proxy, agent} = await start(t, {}, {largestMessage: 10_000});
  await report('1.json', 'small');
  await report('2.json', 'x'.repeat(20_000));
  await report('3.json', 'y'.repeat(15_000));
  const ask = async (times: number) => {
    (await proxy.stream('StreamLifecycle')).call.write({request_lifecycle: true});
    await until(() => proxy.opened.filter(({name}) => name === 'StreamLifecycle').length === times, 'the stream again');
  };
  await ask(2);
  await ask(3);
  const lines = agent.log.filter(({msg}) => msg.startsWith('an answer was larger than the proxy takes'));
  t.deepEqual(
    lines.map(({leftOutFromNowOn}) => leftOutFromNowOn),
    ['2.json', '3.json'],
  );
  t.like(lines[0], {stream: 'lifecycle', pod: 'data-hot-0'});
  t.true(Number(lines[0]?.bytes) > 35_000);
  const {lifecycle_data} = await proxy.lifecycle();
  t.deepEqual(
    lifecycle_data?.reports.map(({filename}) => filename),
    ['1.json'],
  );
  t.is(proxy.registrations.length, 1);
  t.is(await agent.own('diagnostics_agent_oversized_answers_total{stream="lifecycle"}'), 2);
});

test('metrics that do not fit into a message cost their stream alone', async t => {
  const {proxy, endpoint, agent, scraped} = await startScene(t, {proxy: {largestMessage: 10_000}});
  await proxy.registration();
  endpoint.page = Array.from({length: 500}, (_, i) => `metric_${i} 1\n`).join('');
  await scraped();
  for (const times of [2, 3]) {
    (await proxy.stream('StreamMetrics')).call.write({});
    await until(() => proxy.opened.filter(({name}) => name === 'StreamMetrics').length === times, 'the stream again');
  }
  endpoint.page = 'a 1\n';
  await scraped();
  t.deepEqual(
    (await proxy.metrics()).metrics.map(({name}) => name),
    ['a'],
  );
  t.is(proxy.registrations.length, 1);
  const lines = agent.log.filter(({msg}) => msg.startsWith('an answer was larger than the proxy takes'));
  t.deepEqual(
    lines.map(({level, stream, pod}) => [level, stream, pod]),
    [
      ['warn', 'metrics', 'data-hot-0'],
      ['debug', 'metrics', 'data-hot-0'],
    ],
  );
});

test('what stays wrong with reports and groups is a warning once', async t => {
  const {report, proxy, database, agent} = await start(t);
  await report('1.json', 'x'.repeat(5 * 2 ** 20 + 1));
  database.state.failing = {InspectAll: status.INTERNAL};
  const warnings = () => agent.log.filter(({level, component}) => level === 'warn' && component === 'lifecycle').length;
  for (let i = 0; i < 3; i++) await proxy.lifecycle();
  t.is(warnings(), 2);
  await report('2.json', 'x'.repeat(5 * 2 ** 20 + 1));
  await proxy.lifecycle();
  t.is(warnings(), 3);
  database.state.failing = {};
  await proxy.lifecycle();
  database.state.failing = {InspectAll: status.INTERNAL};
  await proxy.lifecycle();
  t.is(warnings(), 4);
});

test("a report that cannot be read is left out, and takes no other's place", async t => {
  const {report, names, folder, agent} = await start(t);
  for (let day = 1; day <= 5; day++) await report(`${day}.json`);
  await symlink(join(folder, 'nowhere'), join(folder, '6.json'));
  t.deepEqual(await names(), ['5.json', '4.json', '3.json', '2.json', '1.json']);
  t.is((await agent.logged('a lifecycle report cannot be read')).file, join(folder, '6.json'));
});
