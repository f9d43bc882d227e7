import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import test from 'ava';
import {type ErrorCode, GatewayError} from '../../../core/api/adapter.js';
import type {BanyanDBConfig} from '../../../storage-adapters/banyandb/config.js';
import {TEST_TLS} from '../../fixtures/banyandb/certificate.js';
import {FakeBanyanDB, type FakeOptions} from '../../fixtures/banyandb/fake.js';
import {Seeder} from '../../fixtures/banyandb/seed/seeder.js';
import {scratchFolder} from '../../support/gateway.js';
import {call} from '../support/calls.js';
import {Opened, openScene} from './support/open-adapter.js';

const METRICS = ['export.metrics.v1', 'metadata.query.v1', 'metrics.query.v1', 'topology.query.v1'];
const TRACES = ['export.compat.v1', 'export.native.v1', 'traces.compat.v1', 'traces.native.v2'];

const RELEASES: readonly (readonly [FakeOptions, readonly string[]])[] = [
  [{release: '0.8'}, METRICS],
  // Its searches lose traces; see the fake.
  [{release: '0.9'}, METRICS],
  [{release: '0.10'}, [...METRICS, ...TRACES]],
  [{release: '0.11'}, [...METRICS, ...TRACES]],
  [{release: '0.11', apiVersion: '0.12'}, [...METRICS, ...TRACES]],
  [{release: '0.11', apiVersion: '1.0'}, [...METRICS, ...TRACES]],
];
for (const [fake, capabilities] of RELEASES) {
  test(`a server ${JSON.stringify(fake)} is claimed with ${capabilities.join(', ')}`, async t => {
    const {adapter} = await openScene(t, {fake});
    t.deepEqual(adapter.capabilities, [...capabilities].sort());
  });
}

for (const [removed, group, missing] of [
  ['segment', 'sw_trace', ['traces.native.v2', 'export.native.v1']],
  ['zipkin_span', 'sw_zipkinTrace', ['traces.compat.v1', 'export.compat.v1']],
] as const) {
  test(`without the trace ${removed} a server is not claimed with ${missing.join(' and ')}, which is said`, async t => {
    const fake = await FakeBanyanDB.start();
    t.teardown(() => fake.stop());
    Seeder.open(fake);
    fake.database.deleteTrace(group, removed);
    const adapter = new Opened({endpoints: fake.endpoints});
    t.teardown(() => adapter.storage.stop());
    await adapter.start();
    t.deepEqual(
      adapter.capabilities,
      [...METRICS, ...TRACES].filter(name => !(missing as readonly string[]).includes(name)).sort(),
    );
    t.true(JSON.stringify(adapter.warnings).includes(`trace ${removed}`), JSON.stringify(adapter.warnings));
  });
}

test('from 0.9, whose searches lose traces, none are read, which is said with the way out', async t => {
  const {adapter} = await openScene(t, {fake: {release: '0.9'}});
  const said = adapter.warnings.map(({message}) => message);
  t.is(said.length, 1, said.join());
  t.regex(said[0] ?? '', /traces are not read from this server.*0\.9 leave out traces.*upgrade it to 0\.10/);
});

/** The file of the authority that the fake's certificate is signed by. */
const CA = join(mkdtempSync(join(tmpdir(), 'banyandb-ca-')), 'ca.pem');
writeFileSync(CA, TEST_TLS.certificate);
test.after.always(() => rmSync(dirname(CA), {recursive: true}));

interface Refused {
  readonly title: string;
  readonly fake?: FakeOptions;
  readonly namespaces?: readonly string[];
  /** Groups that are not there. */
  readonly remove?: readonly string[];
  readonly config?: Partial<BanyanDBConfig>;
  readonly code: ErrorCode;
  readonly says: readonly RegExp[];
}

const REFUSED: readonly Refused[] = [
  {
    title: 'a server before 0.8',
    fake: {release: '0.7'},
    code: 'storage_failed',
    says: [/older than 0\.8/, /option endpoints/],
  },
  {
    title: 'a namespace that is not there, naming those that are',
    namespaces: ['prod', 'dev'],
    code: 'storage_failed',
    says: [/the namespace "sw" has no group sw_metricsMinute/, /found: dev, prod/, /option namespace/],
  },
  {
    title: 'a server of 0.9 with traces only, which says why they are not read',
    fake: {release: '0.9'},
    remove: ['sw_metricsMinute'],
    code: 'storage_failed',
    says: [/lacks sw_metricsMinute;/, /0\.9 leave out traces/],
  },
  {
    title: 'a server without any namespace',
    namespaces: [],
    code: 'storage_failed',
    says: [/no namespace was found/],
  },
  {
    title: 'wrong credentials',
    fake: {users: {reader: 'right'}},
    config: {username: 'reader', password: 'wrong'},
    code: 'storage_failed',
    says: [/refuses the user "reader"/, /Invalid credentials/, /options username and password/],
  },
  {
    title: 'no credentials where some are needed',
    fake: {users: {reader: 'right'}},
    code: 'storage_failed',
    says: [/refuses calls without a user/],
  },
  {
    title: 'an endpoint where nobody is',
    config: {endpoints: ['127.0.0.1:1']},
    code: 'storage_unavailable',
    says: [/127\.0\.0\.1:1 cannot be reached/],
  },
  {
    title: 'plain text to a server that speaks TLS',
    fake: {tls: TEST_TLS},
    code: 'storage_failed',
    says: [/cannot be reached: it speaks TLS; set the option tls$/],
  },
  {
    title: 'TLS to a server that speaks none',
    config: {tls: {}},
    code: 'storage_failed',
    says: [/does not speak TLS; leave the option tls out/],
  },
  {
    title: 'a certificate that nobody vouches for',
    fake: {tls: TEST_TLS},
    config: {tls: {}},
    code: 'storage_failed',
    says: [/BanyanDB at 127\.0\.0\.1:\d+ cannot be reached: its certificate is not trusted; set tls\.ca/],
  },
  {
    title: 'a certificate of another name',
    fake: {tls: TEST_TLS},
    config: {tls: {ca: CA, serverName: 'elsewhere'}},
    code: 'storage_failed',
    says: [/its certificate is of another name; .*tls\.serverName/],
  },
  {
    title: 'a server that wants a certificate of its clients',
    fake: {tls: {...TEST_TLS, clientCa: TEST_TLS.certificate}},
    config: {tls: {ca: CA}},
    code: 'storage_failed',
    says: [/certificate of its clients/],
  },
  {
    title: 'a zone that does not exist',
    config: {timeZone: 'Mars/Olympus'},
    code: 'storage_failed',
    says: [/option timeZone/, /Mars\/Olympus/],
  },
  {
    title: 'a file of authorities that is not there',
    config: {tls: {ca: '/nowhere/ca.pem'}},
    code: 'storage_failed',
    says: [/option tls\.ca/, /nowhere/],
  },
];

for (const {title, fake: options = {}, namespaces = ['sw'], remove = [], config = {}, code, says} of REFUSED) {
  test(`start refuses ${title}`, async t => {
    const fake = await FakeBanyanDB.start(options);
    t.teardown(() => fake.stop());
    for (const namespace of namespaces) {
      Seeder.open(fake, {namespace});
    }
    for (const group of remove) fake.database.groups.delete(group);
    const adapter = new Opened({endpoints: fake.endpoints, ...config});
    t.teardown(() => adapter.storage.stop());
    const error = await t.throwsAsync(adapter.start());
    t.true(GatewayError.is(error));
    if (!GatewayError.is(error)) return;
    t.is(error.code, code, error.message);
    for (const text of says) t.regex(error.message, text);
    t.notRegex(error.message, /wrong/, 'the password');
  });
}

test('a namespace may be empty, and another than that of the OAP beside it', async t => {
  for (const namespace of ['', 'prod']) {
    const {adapter} = await openScene(t, {seed: {namespace}, config: {namespace}});
    t.deepEqual(adapter.capabilities, [...METRICS, ...TRACES].sort(), `namespace '${namespace}'`);
  }
});

test('user, password and TLS reach a server that wants them', async t => {
  const ca = join(await scratchFolder(t), 'ca.pem');
  await writeFile(ca, TEST_TLS.certificate);
  const {adapter} = await openScene(t, {
    fake: {tls: TEST_TLS, users: {reader: 'right'}},
    config: {tls: {ca}, username: 'reader', password: 'right'},
  });
  t.deepEqual(await adapter.metadata.layers(call), []);
  t.deepEqual(await adapter.storage.health(call.signal), {status: 'ok'});
  t.deepEqual(adapter.warnings, []);
});
