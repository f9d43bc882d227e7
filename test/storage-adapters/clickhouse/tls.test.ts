import {copyFileSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import test from 'ava';
import {GatewayError} from '../../../core/api/adapter.js';
import type {TlsOption} from '../../../core/toolkit/tls/tls-option.js';
import {type CertificateFiles, LOCAL_NAMES, TestAuthority} from '../../support/certificates.js';
import {ownerOf} from '../../support/owner.js';
import {suiteWith} from '../../support/programs.js';
import {type ClickHouseServer, prepareClickHouse} from '../../support/servers/clickhouse.js';
import {freePorts} from '../../support/servers/ports.js';
import {metric} from '../support/batches.js';
import {call} from '../support/calls.js';
import {RotatingFiles, taken} from '../support/rotating-files.js';
import {Harness} from './harness.js';

suiteWith(test, ['clickhouse-server', 'openssl'], 'ClickHouse over TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'query-gateway-'));
  test.after.always(() => rmSync(folder, {recursive: true}));
  const path = (name: string): string => join(folder, name);
  const authority = new TestAuthority(folder);
  const next = new TestAuthority(folder, 'next');
  const good = authority.issue({name: 'server', names: LOCAL_NAMES});
  const client = {ca: authority.ca, ...authority.issue({name: 'gateway'})};
  const owner = ownerOf(test);

  let port = 0;
  let server: ClickHouseServer | undefined;

  /** This server reads its files at a start only; it asks clients for a certificate. */
  async function secureBy({certificate, key}: CertificateFiles, ca = authority.ca): Promise<void> {
    for (const [from, name] of [
      [certificate, 'server.crt'],
      [key, 'server.key'],
      [ca, 'clients.crt'],
    ] as const)
      copyFileSync(from, path(name));
    await server?.process.kill();
    if (server === undefined) {
      [port = 0] = await freePorts(1);
      const config = `<https_port>${port}</https_port><keep_alive_timeout>1</keep_alive_timeout><openSSL><server>
        <certificateFile>${path('server.crt')}</certificateFile><privateKeyFile>${path('server.key')}</privateKeyFile>
        <caConfig>${path('clients.crt')}</caConfig><loadDefaultCAFile>false</loadDefaultCAFile>
        <verificationMode>strict</verificationMode></server></openSSL>`;
      server = await prepareClickHouse(owner, {config});
    }
    await server.process.start();
  }

  const url = (host = '127.0.0.1'): string => `https://${host}:${port}`;

  interface Refused {
    readonly title: string;
    readonly server?: CertificateFiles;
    readonly tls?: TlsOption;
    readonly says: RegExp;
  }

  const {ca, certificate, key} = client;
  /** Those of the same server stand together, because another certificate is another start. */
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
      server: good,
      tls: {ca: next.ca, certificate, key},
      says: /its certificate is not trusted; set tls\.ca to its authority/,
    },
    {
      title: 'whose authority is unknown to the system',
      tls: {certificate, key},
      says: /its certificate is not trusted; set tls\.ca to its authority/,
    },
    {
      title: 'that asks for a certificate',
      tls: {ca},
      says: /it asks for a certificate of its clients; set tls\.certificate/,
    },
    {
      title: 'that asks for another certificate',
      tls: {ca, ...next.issue({name: 'gateway'})},
      says: /it does not accept the certificate of tls\.certificate \(.*unknown ca/,
    },
  ];

  for (const {title, server, tls = client, says} of REFUSED) {
    test.serial(`a server ${title} is named, with the reason, and no later attempt is made`, async t => {
      if (server !== undefined) await secureBy(server);
      const harness = new Harness({urls: [url()], tls});
      t.teardown(() => harness.storage.stop());
      const error = await t.throwsAsync(harness.start());
      t.true(GatewayError.is(error) && error.code === 'storage_failed', `${error}`);
      t.true(error?.message.startsWith(`ClickHouse at ${url()} cannot be reached: `), error?.message);
      t.regex(error?.message ?? '', says);
    });
  }

  test.serial(
    'an adapter shows its certificate, and authorities and certificates change while queries run, of which none fails',
    async t => {
      const files = new RotatingFiles(folder);
      files.trust(authority.ca);
      files.use(client);
      const harness = await Harness.start(t, {urls: [url()], tls: files.option, connections: 4});
      await harness.write({metrics: [metric('load')]});
      t.is((await harness.writer.declared(call)).length, 1);
      let asked = 0;
      let isOver = false;
      /** The server closes a connection that has been idle for a second, so that some are new. */
      const asking = async (pause: number): Promise<void> => {
        for (; !isOver; asked++) {
          await harness.metadata.layers(call);
          await sleep(pause);
        }
      };
      const running = Promise.all([asking(5), asking(5), asking(1200), asking(1300)]);
      running.catch(() => undefined);
      files.trust(authority.ca, next.ca);
      await taken(harness, 1);
      files.use(authority.issue({name: 'another'}));
      await taken(harness, 2);
      files.use({...client, key: authority.ca});
      while (harness.warnings.length === 0) await Promise.race([running, sleep(20)]);
      t.regex(
        `${harness.warnings[0]?.fields.problem}`,
        /the option tls\.key names .*used\.key, which has no private key in PEM/,
      );
      const before = asked;
      while (asked < before + 100) await Promise.race([running, sleep(20)]);
      isOver = true;
      await running;

      // The other side goes over to the next authority: what was read meanwhile fits it.
      files.use(next.issue({name: 'gateway'}));
      await taken(harness, 3);
      await secureBy(next.issue({name: 'server', names: ['DNS:localhost', 'IP:127.0.0.1']}), next.ca);
      t.deepEqual(await harness.metadata.layers(call), []);
      t.is((await harness.writer.declared(call)).length, 1);
    },
  );

  test.serial('a server is known by the name that the option gives', async t => {
    await secureBy(authority.issue({name: 'server', names: ['DNS:db.internal']}));
    const tls = {...client, serverName: 'db.internal'};
    for (const host of ['127.0.0.1', 'localhost']) {
      const harness = await Harness.start(t, {urls: [url(host)], tls});
      t.deepEqual(await harness.storage.health(call.signal), {status: 'ok'});
    }
  });
});
