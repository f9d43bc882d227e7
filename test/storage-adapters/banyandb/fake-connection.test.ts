import {status} from '@grpc/grpc-js';
import test from 'ava';
import {
  CheckHealth,
  GetAPIVersion,
  groups,
  measures,
  QueryMeasure,
  QueryTrace,
  WriteMeasure,
} from '../../../storage-adapters/banyandb/proto/methods.js';
import {TEST_TLS} from '../../fixtures/banyandb/certificate.js';
import type {DirectClient} from '../../fixtures/banyandb/client.js';
import type {FakeBanyanDB, FakeOptions} from '../../fixtures/banyandb/fake.js';
import {ask, GROUP, MEASURE, writeSamples} from './support/sample-measure.js';
import {connect, refuses, startFake} from './support/start-fake.js';

const VERSIONS: readonly (readonly [FakeOptions, string, string])[] = [
  [{release: '0.8'}, '0.8', 'v0.8.0'],
  [{release: '0.9'}, '0.9', 'v0.9.0'],
  [{release: '0.10'}, '0.10', 'v0.10.0'],
  [{release: '0.11'}, '0.10', ''],
  [{release: '0.11', apiVersion: '0.11'}, '0.11', 'v0.11.0'],
  [{release: '0.11', apiVersion: '0.12'}, '0.12', ''],
];

for (const [options, version, revision] of VERSIONS) {
  test(`a server started with ${JSON.stringify(options)} says version ${version}`, async t => {
    const {client} = await startFake(t, options);
    t.deepEqual(await client.call(GetAPIVersion, {}), {version: {version, revision}});
  });
}

test('before 0.8 a server cannot be asked for its version', async t => {
  const {client} = await startFake(t, {release: '0.7'});
  await refuses(t, client.call(GetAPIVersion, {}), status.UNIMPLEMENTED, /./);
});

test('a server is healthy', async t => {
  const {client} = await startFake(t);
  t.deepEqual(await client.call(CheckHealth, {service: ''}), {status: 'SERVING'});
});

const USERS = {admin: 'secret'};

const LOGINS: readonly (readonly [string, {readonly username?: string; readonly password?: string}, RegExp])[] = [
  ['without user and password', {}, /missing/],
  ['without password', {username: 'admin'}, /missing/],
  ['with a wrong password', {username: 'admin', password: 'guess'}, /^Invalid credentials$/],
  ['with an unknown user', {username: 'root', password: 'secret'}, /^Invalid credentials$/],
];

for (const [title, options, text] of LOGINS) {
  test(`a call ${title} is refused, the health check is not`, async t => {
    const {fake} = await startFake(t, {users: USERS});
    const client = connect(t, fake.endpoints[0] ?? '', options);
    await refuses(t, client.call(GetAPIVersion, {}), status.UNAUTHENTICATED, text);
    await refuses(t, client.write(WriteMeasure, [{}]), status.UNAUTHENTICATED, text);
    t.is((await client.call(CheckHealth, {})).status, 'SERVING');
  });
}

test('a call with user and password is answered', async t => {
  const {fake} = await startFake(t, {users: USERS});
  const client = connect(t, fake.endpoints[0] ?? '', {username: 'admin', password: 'secret'});
  t.is((await client.call(GetAPIVersion, {})).version?.version, '0.10');
});

test('with a key and a certificate the server speaks TLS only', async t => {
  const {fake, client} = await startFake(t, {tls: TEST_TLS});
  const secure = connect(t, fake.endpoints[0] ?? '', {certificate: TEST_TLS.certificate});
  t.is((await secure.call(CheckHealth, {})).status, 'SERVING');
  await refuses(t, client.call(CheckHealth, {}), status.UNAVAILABLE, /./);
});

test('a request of more than 16 MiB is refused', async t => {
  const {client} = await startFake(t);
  const call = client.call(QueryMeasure, {name: 'x'.repeat(16 * 1024 * 1024)});
  await refuses(t, call, status.RESOURCE_EXHAUSTED, /larger than max/);
});

test('an answer of more than 4 MiB is refused by a client that has not raised its limit', async t => {
  const started = await startFake(t);
  const name = 'n'.repeat(1000);
  await writeSamples(
    started,
    Array.from({length: 5000}, (_, i) => ({entity: `${name}${i}`})),
  );
  const client = connect(t, started.fake.endpoints[0] ?? '', {channel: {'grpc.max_receive_message_length': 4194304}});
  await refuses(t, client.call(QueryMeasure, ask()), status.RESOURCE_EXHAUSTED, /larger than max/);
  t.is((await started.client.call(QueryMeasure, ask())).data_points.length, 5000);
});

test('every liaison answers everything', async t => {
  const started = await startFake(t, {liaisons: 3});
  await writeSamples(started, [{entity: 'a'}]);
  t.is(new Set(started.fake.endpoints).size, 3);
  for (const endpoint of started.fake.endpoints) {
    t.is((await connect(t, endpoint).call(QueryMeasure, ask())).data_points.length, 1);
  }
});

test('a liaison that is down cannot be reached, the others can, and it comes back at its address', async t => {
  const {fake} = await startFake(t, {liaisons: 2});
  const [first, second] = fake.liaisons;
  const [address = ''] = fake.endpoints;
  first?.stop();
  await refuses(t, connect(t, address).call(CheckHealth, {}), status.UNAVAILABLE, /./);
  t.is((await connect(t, second?.address ?? '').call(CheckHealth, {})).status, 'SERVING');
  await first?.start();
  t.is(first?.address, address);
  t.is((await connect(t, address).call(CheckHealth, {})).status, 'SERVING');
});

const FAULTS: readonly (readonly [string, (fake: FakeBanyanDB) => void, number, RegExp])[] = [
  ['no leader', ({liaisons}) => liaisons[0]?.faults.loseLeader(), status.UNAVAILABLE, /leader/],
  ['no memory', ({liaisons}) => liaisons[0]?.faults.exhaust(), status.RESOURCE_EXHAUSTED, /memory/],
  ['a scan beyond its quota', ({liaisons}) => liaisons[0]?.faults.exceedQuota(), status.UNKNOWN, /quota exceeded/],
];

for (const [title, begin, code, text] of FAULTS) {
  test(`with ${title} calls are refused until the fault is cleared`, async t => {
    const {fake, client} = await startFake(t);
    begin(fake);
    await refuses(t, client.call(groups.List, {}), code, text);
    fake.liaisons[0]?.faults.clear();
    t.deepEqual((await client.call(groups.List, {})).group, []);
  });
}

test('a fault of one method leaves the others alone', async t => {
  const {fake, client} = await startFake(t);
  fake.liaisons[0]?.faults.loseLeader(measures.List);
  await refuses(t, client.call(measures.List, {}), status.UNAVAILABLE, /leader/);
  t.deepEqual((await client.call(groups.List, {})).group, []);
});

test('a query may be answered with nothing though there is something', async t => {
  const started = await startFake(t);
  await writeSamples(started, [{entity: 'a'}]);
  started.fake.liaisons[0]?.faults.answerNothing(QueryMeasure);
  t.deepEqual((await started.client.call(QueryMeasure, ask())).data_points, []);
  started.fake.liaisons[0]?.faults.clear();
  t.is((await started.client.call(QueryMeasure, ask())).data_points.length, 1);
});

test('a slow liaison lets deadlines pass', async t => {
  const {fake, client} = await startFake(t);
  fake.liaisons[0]?.faults.slowDown(60_000, groups.List);
  await refuses(t, client.call(groups.List, {}, Date.now() + 50), status.DEADLINE_EXCEEDED, /./);
  t.is((await client.call(CheckHealth, {})).status, 'SERVING');
});

test('requests are counted by method, and kept', async t => {
  const {fake, client} = await startFake(t, {liaisons: 2});
  const both: readonly DirectClient[] = [client, connect(t, fake.endpoints[1] ?? '')];
  for (const each of both) await each.call(measures.List, {group: GROUP});
  await t.throwsAsync(client.call(QueryMeasure, ask({limit: 7})));
  t.is(fake.requests.count(), 3);
  t.is(fake.requests.count(measures.List), 2);
  t.is(fake.requests.count(QueryTrace), 0);
  t.deepEqual(
    fake.requests.of(QueryMeasure).map(({name, limit}) => [name, limit]),
    [[MEASURE.name, 7]],
  );
  fake.requests.reset();
  t.is(fake.requests.count(), 0);
});
