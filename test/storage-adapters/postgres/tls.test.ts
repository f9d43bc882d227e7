import {mkdtempSync, renameSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import test from 'ava';
import {GatewayError} from '../../../core/api/adapter.js';
import type {TlsOption} from '../../../core/toolkit/tls/tls-option.js';
import {LOCAL_NAMES, TestAuthority} from '../../support/certificates.js';
import {suiteWith} from '../../support/programs.js';
import {type PostgresServer, type SecureFiles, sharedPostgres} from '../../support/servers/postgres.js';
import {metric} from '../support/batches.js';
import {call} from '../support/calls.js';
import {RotatingFiles, taken} from '../support/rotating-files.js';
import {Harness} from './harness.js';

suiteWith(test, ['postgres', 'openssl'], 'PostgreSQL over TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'query-gateway-'));
  test.after.always(() => rmSync(folder, {recursive: true}));
  const authority = new TestAuthority(folder);
  const next = new TestAuthority(folder, 'next');
  const good = {...authority.issue({name: 'server', names: LOCAL_NAMES}), ca: authority.ca};
  const user = {ca: authority.ca, ...authority.issue({name: 'gateway'})};
  const shared = sharedPostgres(test, {secure: good});
  let database: Promise<string> | undefined;

  /** Whose certificate is shown is who may enter. */
  async function url(server: PostgresServer, parameters = '', host = '127.0.0.1'): Promise<string> {
    const make = async (): Promise<string> => {
      const name = await server.database();
      await server.sql('CREATE ROLE gateway LOGIN');
      await server.sql(`ALTER DATABASE ${name} OWNER TO gateway`);
      return name;
    };
    database ??= make();
    return server.url(await database, 'gateway').replace('127.0.0.1', host) + parameters;
  }

  /** The authority of the certificate that each session of the gateway has shown. */
  const issuers = async (server: PostgresServer): Promise<readonly unknown[]> => {
    const text = `SELECT DISTINCT issuer_dn FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'gateway'`;
    return (await server.sql(text)).map(row => row.issuer_dn);
  };

  test.serial('an adapter shows its certificate, and writes and reads', async t => {
    const server = await shared();
    const harness = await Harness.open(t, server, {url: await url(server), tls: user});
    await harness.write({metrics: [metric('load')]});
    t.is((await harness.writer.declared(call)).length, 1);
    t.deepEqual(await harness.storage.health(call.signal), {status: 'ok'});
    t.deepEqual(await issuers(server), ['/CN=authority']);
  });

  interface Refused {
    readonly title: string;
    readonly secure?: SecureFiles;
    readonly tls?: TlsOption;
    readonly parameters?: string;
    readonly says: RegExp;
  }

  const {ca, certificate, key} = user;
  const REFUSED: readonly Refused[] = [
    {
      title: 'whose certificate is of another name',
      secure: {...good, ...authority.issue({name: 'server', names: ['DNS:db.internal']})},
      says: /its certificate is of another name; name the host as the certificate does, or set tls\.serverName \(.*127\.0\.0\.1/,
    },
    {
      title: 'whose certificate has expired',
      secure: {...good, ...authority.issue({name: 'server', names: LOCAL_NAMES, days: -1})},
      says: /its certificate has expired/,
    },
    {
      title: 'whose authority is unknown',
      tls: {ca: next.ca, certificate, key},
      says: /its certificate is not trusted; set tls\.ca to its authority/,
    },
    {
      title: 'whose authority is unknown to the system',
      tls: {certificate, key},
      says: /its certificate is not trusted; set tls\.ca to its authority/,
    },
    {
      title: 'whose authority the url does not name',
      parameters: '?sslmode=verify-full',
      says: /its certificate is not trusted; set sslrootcert of the url to its authority/,
    },
    {
      title: 'that takes nobody without TLS',
      parameters: '?sslmode=disable',
      says: /it takes no such connection without TLS; set tls, or mend its pg_hba\.conf/,
    },
    {
      title: 'that asks for a certificate',
      tls: {ca},
      says: /it asks for a certificate of the user; set tls\.certificate/,
    },
    {
      title: 'that asks for another certificate',
      tls: {ca, ...next.issue({name: 'gateway'})},
      says: /it does not accept the certificate of tls\.certificate \(.*unknown ca/,
    },
    {
      title: 'that knows another user by the certificate',
      tls: {ca, ...authority.issue({name: 'somebody'})},
      says: /it does not know the user by the certificate of tls\.certificate/,
    },
  ];

  for (const {title, secure = good, tls = user, parameters = '', says} of REFUSED) {
    test.serial(`a server ${title} is named, with the reason, and no later attempt is made`, async t => {
      const server = await shared();
      await server.secureBy(secure);
      const option = parameters === '' ? {tls} : {};
      const harness = new Harness({url: await url(server, parameters), ...option});
      t.teardown(() => harness.storage.stop());
      const error = await t.throwsAsync(harness.start());
      t.true(GatewayError.is(error) && error.code === 'storage_failed', `${error}`);
      t.regex(error?.message ?? '', new RegExp(`^PostgreSQL at 127\\.0\\.0\\.1:${server.port}/test_1: `));
      t.regex(error?.message ?? '', says);
    });
  }

  for (const [title, names, host, serverName] of [
    ['an address', ['IP:127.0.0.1'], '127.0.0.1', undefined],
    ['a name', ['DNS:localhost'], 'localhost', undefined],
    ['the name that the option gives', ['DNS:db.internal'], 'localhost', 'db.internal'],
    ['the name that the option gives beside an address', ['DNS:db.internal'], '127.0.0.1', 'db.internal'],
  ] as const) {
    test.serial(`a server is known by ${title}`, async t => {
      const server = await shared();
      await server.secureBy({...good, ...authority.issue({name: 'server', names})});
      const tls = {...user, ...(serverName !== undefined && {serverName})};
      await Harness.open(t, server, {url: await url(server, '', host), tls});
      t.pass();
    });
  }

  test.serial('authorities and certificates change on both sides while queries run, and none fails', async t => {
    const server = await shared();
    await server.secureBy(good);
    const files = new RotatingFiles(folder);
    files.trust(authority.ca);
    files.use(user);
    const harness = await Harness.open(t, server, {url: await url(server), tls: files.option});
    let asked = 0;
    let isOver = false;
    const asking = async (): Promise<void> => {
      for (; !isOver; asked++) await harness.metadata.layers(call);
    };
    const running = Promise.all([asking(), asking(), asking(), asking()]);
    running.catch(() => undefined);
    /** Sessions that are open stay with what they began with: so they end, and queries need new ones. */
    const renewed = async (): Promise<readonly unknown[]> => {
      await server.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'gateway'`);
      const before = asked;
      while (asked < before + 20) await Promise.race([running, new Promise(resolve => setTimeout(resolve, 10))]);
      return issuers(server);
    };

    const both = join(folder, 'both.crt');
    const union = new RotatingFiles(folder);
    union.trust(authority.ca, next.ca);
    renameSync(union.option.ca, both);
    await server.secureBy({...good, ca: both});
    files.trust(authority.ca, next.ca);
    await taken(harness, 1);
    t.deepEqual(await renewed(), ['/CN=authority']);

    files.use(next.issue({name: 'gateway'}));
    await taken(harness, 2);
    t.deepEqual(await renewed(), ['/CN=next']);

    await server.secureBy({...next.issue({name: 'server', names: LOCAL_NAMES}), ca: next.ca});
    files.trust(next.ca);
    await taken(harness, 3);
    t.deepEqual(await renewed(), ['/CN=next']);

    // What cannot be used changes nothing, but for a warning.
    files.use({...user, key: authority.ca});
    while (harness.warnings.length === 0) await sleep(20);
    t.regex(
      `${harness.warnings[0]?.fields.problem}`,
      /the option tls\.key names .*used\.key, which has no private key in PEM/,
    );
    t.deepEqual(await renewed(), ['/CN=next']);
    isOver = true;
    await running;
  });
});
