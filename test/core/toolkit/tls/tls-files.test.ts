import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {rootCertificates} from 'node:tls';
import test from 'ava';
import {readFiles} from '../../../../core/toolkit/files/file-set.js';
import {type TlsFiles, tlsFiles} from '../../../../core/toolkit/tls/tls-files.js';
import {TestAuthority} from '../../../support/certificates.js';
import {suiteWith} from '../../../support/programs.js';

suiteWith(test, 'openssl', 'tls-files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'query-gateway-'));
  test.after.always(() => rmSync(folder, {recursive: true}));

  const authority = new TestAuthority(folder);
  const {ca} = authority;
  const pair = authority.issue({name: 'one'});
  const another = authority.issue({name: 'another'});

  let count = 0;
  /** The path of a new file. */
  function written(content: string | Buffer): string {
    const path = join(folder, `file-${++count}.pem`);
    writeFileSync(path, content);
    return path;
  }
  const text = (path: string): string => readFileSync(path, 'latin1');
  const openssl = (...args: readonly string[]): Buffer => execFileSync('openssl', args, {stdio: 'pipe'});

  const GOOD: Readonly<Record<string, TlsFiles>> = {
    nothing: {},
    'an authority': {ca},
    'a certificate and its key': pair,
    'a certificate and its key in one file': {
      certificate: written(text(pair.certificate) + text(pair.key)),
      key: written(text(pair.certificate) + text(pair.key)),
    },
    'a chain': {...pair, certificate: written(text(pair.certificate) + text(ca))},
    'many authorities': {ca: written(rootCertificates.join('\n'))},
    'lines that end as Windows writes them': {ca: written(text(ca).replaceAll('\n', '\r\n'))},
    'text between blocks': {ca: written(`${openssl('x509', '-in', ca, '-text')}---\n${text(ca)}`)},
    'a key with its parameters before it': {
      ...pair,
      key: written(openssl('ec', '-in', pair.key, '-param_enc', 'named_curve')),
    },
  };

  for (const [title, files] of Object.entries(GOOD)) {
    test(`${title}: the files can be used`, t => {
      const reading = readFiles(tlsFiles(files));
      t.is(reading.mistakes, undefined);
      t.is('value' in reading && reading.value.expires !== undefined, files.certificate !== undefined);
    });
  }

  interface Bad {
    readonly title: string;
    readonly files: TlsFiles;
    /** Key and message, without the path of the file. */
    readonly says: string;
  }

  const head = (path: string, bytes: number): string => written(text(path).slice(0, bytes));
  const CUT_OFF = 'is cut off: a block of PEM in it has no end';

  const BAD: readonly Bad[] = [
    {title: 'an empty file', files: {ca: written('')}, says: 'ca has no certificate in PEM that can be read'},
    {
      title: 'DER',
      files: {ca: written(openssl('x509', '-in', ca, '-outform', 'der'))},
      says: 'ca has no certificate in PEM that can be read',
    },
    {title: 'a key as authority', files: {ca: pair.key}, says: 'ca has no certificate in PEM that can be read'},
    {
      title: 'a block of nonsense',
      files: {ca: written(text(ca).replace(/MII.{40}/, ''))},
      says: 'ca has no certificate in PEM that can be read',
    },
    {title: 'a file that is cut in the middle', files: {ca: head(ca, 300)}, says: `ca ${CUT_OFF}`},
    {
      title: 'a chain that is cut',
      files: {...pair, certificate: written(text(pair.certificate) + text(ca).slice(0, 3))},
      says: `certificate ${CUT_OFF}`,
    },
    {title: 'a key that is cut', files: {...pair, key: head(pair.key, 100)}, says: `key ${CUT_OFF}`},
    {
      title: 'a certificate as key',
      files: {...pair, key: pair.certificate},
      says: 'key has no private key in PEM that can be read',
    },
    {
      title: 'a key with a passphrase',
      files: {...pair, key: written(openssl('pkcs8', '-topk8', '-in', pair.key, '-passout', 'pass:secret'))},
      says: 'key has a private key that is encrypted, expected one without a passphrase',
    },
    {
      title: 'an old key with a passphrase',
      files: {...pair, key: written(openssl('ec', '-in', pair.key, '-aes128', '-passout', 'pass:secret'))},
      says: 'key has a private key that is encrypted, expected one without a passphrase',
    },
    {
      title: 'the key of another certificate',
      files: {...pair, key: another.key},
      says: `key does not fit the certificate in ${pair.certificate}`,
    },
    {
      title: 'a chain that begins with the authority',
      files: {...pair, certificate: written(text(ca) + text(pair.certificate))},
      says: `certificate has another certificate before the one that ${pair.key} fits, expected that one first`,
    },
    {
      title: 'a certificate without a key',
      files: {certificate: pair.certificate},
      says: 'key missing; expected beside certificate',
    },
    {title: 'a key without a certificate', files: {key: pair.key}, says: 'certificate missing; expected beside key'},
    {
      title: 'a key that is too small',
      files: (() => {
        const key = join(folder, 'small.key');
        const certificate = join(folder, 'small.crt');
        openssl(
          'req',
          '-x509',
          '-newkey',
          'rsa:512',
          '-nodes',
          '-keyout',
          key,
          '-subj',
          '/CN=small',
          '-out',
          certificate,
        );
        return {certificate, key};
      })(),
      says: 'certificate cannot be used: ee key too small',
    },
  ];

  for (const {title, files, says} of BAD) {
    test(`${title}: the mistake names the key, the file and what is wrong`, t => {
      const {mistakes = []} = readFiles(tlsFiles(files));
      t.deepEqual(
        mistakes.map(({key, message}) => `${key} ${message.replace(/^names \/\S+, which /, '')}`),
        [says],
      );
    });
  }

  test('messages call the keys as they are called where the files are named', t => {
    const keys = {ca: 'clientCa', certificate: 'certificate', key: 'key'};
    const {mistakes} = readFiles(tlsFiles({ca: pair.key}, keys));
    t.deepEqual(
      mistakes?.map(({key}) => key),
      ['clientCa'],
    );
  });
});
