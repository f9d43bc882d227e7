import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import test from 'ava';
import {GatewayError} from '../../../core/api/adapter.js';
import type {TlsOption} from '../../../core/toolkit/tls/tls-option.js';
import {FakeBanyanDB} from '../../fixtures/banyandb/fake.js';
import {Seeder} from '../../fixtures/banyandb/seed/seeder.js';
import {type CertificateFiles, LOCAL_NAMES, TestAuthority} from '../../support/certificates.js';
import {suiteWith} from '../../support/programs.js';
import {call} from '../support/calls.js';
import {RotatingFiles, taken} from '../support/rotating-files.js';
import {Opened} from './support/open-adapter.js';

suiteWith(test, 'openssl', 'BanyanDB over TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'query-gateway-'));
  test.after.always(() => rmSync(folder, {recursive: true}));
  const authority = new TestAuthority(folder);
  const next = new TestAuthority(folder, 'next');
  const text = (path: string): string => readFileSync(path, 'latin1');
  const serving = ({certificate, key}: CertificateFiles, clientCa = authority.ca) => ({
    certificate: text(certificate),
    key: text(key),
    clientCa: text(clientCa),
  });
  const good = authority.issue({name: 'server', names: LOCAL_NAMES});
  const {certificate, key} = authority.issue({name: 'gateway'});
  const {ca} = authority;
  const client = {ca, certificate, key};

  interface Refused {
    readonly title: string;
    readonly server?: CertificateFiles;
    readonly tls?: TlsOption;
    readonly says: RegExp;
  }

  const REFUSED: readonly Refused[] = [
    {
      title: 'whose certificate is of another name',
      server: authority.issue({name: 'server', names: ['DNS:db.internal']}),
      says: /its certificate is of another name; name the host as the certificate does, or set tls\.serverName \(.*127\.0\.0\.1/,
    },
    {
      title: 'whose certificate has expired',
      server: authority.issue({name: 'server', names: LOCAL_NAMES, days: -1}),
      says: /its certificate has expired/,
    },
    {
      title: 'whose authority is unknown',
      tls: {ca: next.ca, certificate, key},
      says: /its certificate is not trusted; set tls\.ca to its authority/,
    },
    {
      title: 'that asks for a certificate',
      tls: {ca},
      says: /it asks for a certificate of its clients; set tls\.certificate/,
    },
  ];

  for (const {title, server = good, tls = client, says} of REFUSED) {
    test(`a server ${title} is named, with the reason, and no later attempt is made`, async t => {
      const fake = await FakeBanyanDB.start({tls: serving(server)});
      t.teardown(() => fake.stop());
      Seeder.open(fake);
      const adapter = new Opened({endpoints: fake.endpoints, tls});
      t.teardown(() => adapter.storage.stop());
      const error = await t.throwsAsync(adapter.start());
      t.true(GatewayError.is(error) && error.code === 'storage_failed', `${error}`);
      t.true(error?.message.startsWith(`BanyanDB at ${fake.endpoints} cannot be reached: `), error?.message);
      t.regex(error?.message ?? '', says);
    });
  }

  test('a server is known by the name that the option gives', async t => {
    const fake = await FakeBanyanDB.start({
      tls: serving(authority.issue({name: 'server', names: ['DNS:db.internal']})),
    });
    t.teardown(() => fake.stop());
    Seeder.open(fake);
    for (const host of ['127.0.0.1', 'localhost']) {
      const endpoints = fake.endpoints.map(endpoint => endpoint.replace('127.0.0.1', host));
      const adapter = new Opened({endpoints, tls: {...client, serverName: 'db.internal'}});
      t.teardown(() => adapter.storage.stop());
      await adapter.start();
      t.deepEqual(await adapter.storage.health(call.signal), {status: 'ok'});
    }
  });

  test('authorities and certificates change on both sides while queries run, and none fails', async t => {
    let tls = serving(good);
    const fake = await FakeBanyanDB.start({
      liaisons: 2,
      get tls() {
        return tls;
      },
    });
    t.teardown(() => fake.stop());
    Seeder.open(fake);
    const files = new RotatingFiles(folder);
    files.trust(ca);
    files.use(client);
    const adapter = new Opened({endpoints: fake.endpoints, tls: files.option, metadataCache: 0});
    t.teardown(() => adapter.storage.stop());
    await adapter.start();
    let asked = 0;
    let isOver = false;
    const asking = async (): Promise<void> => {
      for (; !isOver; asked++) await adapter.metadata.layers(call);
    };
    const running = Promise.all([asking(), asking(), asking()]);
    running.catch(() => undefined);
    /** One server after the other, as operators do it. */
    const renewed = async (): Promise<void> => {
      for (const liaison of fake.liaisons) {
        liaison.stop();
        await liaison.start();
        const before = asked;
        while (asked < before + 20) await Promise.race([running, sleep(10)]);
        while ((await adapter.storage.health(call.signal)).status !== 'ok') await sleep(20);
      }
    };
    files.trust(ca, next.ca);
    await taken(adapter, 1);
    tls = {...serving(good), clientCa: text(ca) + text(next.ca)};
    await renewed();
    files.use(next.issue({name: 'gateway'}));
    await taken(adapter, 2);
    tls = serving(next.issue({name: 'server', names: LOCAL_NAMES}), next.ca);
    await renewed();
    files.trust(next.ca);
    await taken(adapter, 3);
    files.use({certificate, key: ca});
    while (adapter.warnings.length === 0) await sleep(20);
    t.regex(
      `${adapter.warnings[0]?.fields.problem}`,
      /the option tls\.key names .*used\.key, which has no private key in PEM/,
    );
    await renewed();
    isOver = true;
    await running;
  });
});
