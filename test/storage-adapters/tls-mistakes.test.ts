import {createServer as createPlain} from 'node:http';
import {createServer as createSecure} from 'node:https';
import {type AddressInfo, createServer, type Server, type Socket} from 'node:net';
import {createSecureContext, TLSSocket} from 'node:tls';
import test, {type ExecutionContext} from 'ava';
import {GatewayError} from '../../core/api/adapter.js';
import {TEST_TLS} from '../fixtures/banyandb/certificate.js';
import {Harness as ClickHouse} from './clickhouse/harness.js';
import {Harness as Postgres} from './postgres/harness.js';
import type {StorageHarness} from './support/storage-harness.js';

const PAIR = {key: TEST_TLS.key, cert: TEST_TLS.certificate};

async function listening(t: ExecutionContext, server: Server): Promise<number> {
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const sockets = new Set<Socket>();
  server.on('connection', socket => sockets.add(socket));
  t.teardown(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** What a PostgreSQL says to who asks for TLS: that it has none, or the handshake. */
const postgres = (answer: 'N' | 'S'): Server =>
  createServer(socket => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(answer);
      if (answer === 'N') return;
      new TLSSocket(socket, {isServer: true, secureContext: createSecureContext(PAIR)}).on('error', () => undefined);
    });
  });

interface Mistake {
  readonly title: string;
  readonly server: () => Server;
  readonly open: (port: number) => StorageHarness;
  readonly says: RegExp;
}

const MISTAKES: readonly Mistake[] = [
  {
    title: 'ClickHouse with a certificate that nobody vouches for',
    server: () => createSecure(PAIR),
    open: port => new ClickHouse({urls: [`https://127.0.0.1:${port}`]}),
    says: /certificate is not trusted; set tls\.ca/,
  },
  {
    title: 'plain text to a ClickHouse that speaks TLS',
    server: () => createSecure(PAIR, (_, answer) => void answer.end('Ok.')),
    open: port => new ClickHouse({urls: [`http://127.0.0.1:${port}`]}),
    says: /https:\/\/ in urls/,
  },
  {
    title: 'TLS to a ClickHouse that speaks none',
    server: () => createPlain(),
    open: port => new ClickHouse({urls: [`https://127.0.0.1:${port}`]}),
    says: /does not speak TLS: write http:\/\/ in urls/,
  },
  {
    title: 'a ClickHouse that wants a certificate of its clients',
    server: () =>
      createSecure({...PAIR, ca: PAIR.cert, requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2'}),
    open: port => new ClickHouse({urls: [`https://127.0.0.1:${port}`]}),
    says: /certificate/,
  },
  {
    title: 'TLS to a PostgreSQL that speaks none',
    server: () => postgres('N'),
    open: port => new Postgres({url: `postgres://u:p@127.0.0.1:${port}/d?sslmode=require`}),
    says: /does not speak TLS; leave sslmode out/,
  },
  {
    title: 'PostgreSQL with a certificate that nobody vouches for',
    server: () => postgres('S'),
    open: port => new Postgres({url: `postgres://u:p@127.0.0.1:${port}/d?sslmode=verify-full`}),
    says: /certificate is not trusted.*sslrootcert/,
  },
];

for (const {title, server, open, says} of MISTAKES) {
  test(`${title} is a mistake that no later attempt mends, and is told so`, async t => {
    const harness = open(await listening(t, server()));
    t.teardown(() => harness.storage.stop());
    const problem = await t.throwsAsync(harness.start());
    t.true(GatewayError.is(problem) && problem.code === 'storage_failed', `${problem}`);
    t.regex(problem?.message ?? '', says);
  });
}
