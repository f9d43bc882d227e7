import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {connect, createServer, type TlsOptions} from 'node:tls';
import test from 'ava';
import {tlsFailure} from '../../../../core/toolkit/tls/tls-failure.js';
import {type CertificateFiles, LOCAL_NAMES, TestAuthority} from '../../../support/certificates.js';
import {suiteWith} from '../../../support/programs.js';

suiteWith(test, 'openssl', 'tls-failure', () => {
  const folder = mkdtempSync(join(tmpdir(), 'query-gateway-'));
  test.after.always(() => rmSync(folder, {recursive: true}));

  const authority = new TestAuthority(folder);
  const others = new TestAuthority(folder, 'others');
  const material = ({certificate, key}: CertificateFiles) => ({
    cert: readFileSync(certificate),
    key: readFileSync(key),
  });
  const good = material(authority.issue({name: 'server', names: LOCAL_NAMES}));
  const ca = readFileSync(authority.ca);
  const asking = {requestCert: true, rejectUnauthorized: true, ca};

  interface Failure {
    readonly title: string;
    readonly server: TlsOptions;
    readonly says: RegExp;
  }

  const FAILURES: readonly Failure[] = [
    {
      title: 'a certificate of another name',
      server: material(authority.issue({name: 'server', names: ['DNS:elsewhere.example']})),
      says: /^its certificate is of another name; name the host as the certificate does, or set tls\.serverName \(.*elsewhere\.example\)$/,
    },
    {
      title: 'a certificate that has expired',
      server: material(authority.issue({name: 'server', names: LOCAL_NAMES, days: -1})),
      says: /^its certificate has expired \(/,
    },
    {
      title: 'a certificate of an unknown authority',
      server: material(others.issue({name: 'server', names: LOCAL_NAMES})),
      says: /^its certificate is not trusted; set tls\.ca to its authority \(unable to verify the first certificate\)$/,
    },
    {
      title: 'a certificate that has signed itself',
      server: {cert: readFileSync(others.ca), key: readFileSync(join(folder, 'others.key'))},
      says: /^its certificate is not trusted; set tls\.ca to its authority \(self-signed certificate\)$/,
    },
    {
      title: 'no certificate for a server that asks',
      server: {...good, ...asking},
      says: /^it asks for a certificate of its clients; set tls\.certificate \(/,
    },
    {
      title: 'no certificate for a server of TLS 1.2 that asks',
      server: {...good, ...asking, maxVersion: 'TLSv1.2'},
      says: /^it asks for a certificate of its clients; set tls\.certificate \(/,
    },
  ];

  /** What a client meets, in its first read too: of TLS 1.3 a server looks at a client's certificate after the handshake. */
  async function failureOf(options: TlsOptions): Promise<unknown> {
    const server = createServer(options, socket => void socket.end('welcome'));
    server.on('tlsClientError', () => undefined);
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
    const {port} = server.address() as AddressInfo;
    const socket = connect({port, host: '127.0.0.1', servername: 'localhost', ca});
    try {
      return await new Promise(resolve => {
        socket.once('error', resolve);
        socket.once('data', resolve);
      });
    } finally {
      socket.destroy();
      server.close();
    }
  }

  for (const {title, server, says} of FAILURES) {
    test(`${title} is told, by the error and by its text alone`, async t => {
      const error = (await failureOf(server)) as Error;
      const terms = {
        ca: 'tls.ca',
        certificate: 'tls.certificate',
        serverName: 'tls.serverName',
        hasCertificate: false,
      };
      t.regex(tlsFailure(error, terms) ?? `nothing of ${error.message}`, says);
      // A library that passes on the text only.
      t.regex(
        tlsFailure({message: `No connection established. Last error: ${error.message}`}, terms) ?? 'nothing',
        / \(No connection/,
      );
    });
  }

  const REFUSALS = [
    '80BB:error:0A000418:SSL routines:ssl3_read_bytes:tlsv1 alert unknown ca:../ssl/record/rec_layer_s3.c:1586:SSL alert number 48',
    'write EPROTO 80BB:error:0A000415:SSL routines:ssl3_read_bytes:ssl/tls alert certificate expired:SSL alert number 45',
    'SSL alert number 42',
  ];

  for (const message of REFUSALS) {
    test(`a certificate that the server refuses with "${message.slice(-40)}" is told`, t => {
      const terms = {ca: 'tls.ca', certificate: 'tls.certificate', hasCertificate: true};
      t.is(tlsFailure(new Error(message), terms), `it does not accept the certificate of tls.certificate (${message})`);
    });
  }

  for (const message of [
    'connect ECONNREFUSED 127.0.0.1:1',
    'wrong version number',
    'read ECONNRESET',
    'getaddrinfo ENOTFOUND certificate.example',
  ]) {
    test(`"${message}" is no matter of certificates`, t => {
      t.is(tlsFailure(new Error(message), {ca: '', certificate: '', hasCertificate: false}), undefined);
    });
  }
});
