import {execFileSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';

/** Paths of PEM files. */
export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

export interface CertificateOptions {
  /** The common name; where it names a user, what the server knows the user by. */
  readonly name: string;
  /** `DNS:localhost`, `IP:127.0.0.1`: what a client may call it. */
  readonly names?: readonly string[];
  /** Days until it ends; a negative number makes one that has ended. */
  readonly days?: number;
}

/** The names under which tests reach a server on this machine. */
export const LOCAL_NAMES = ['DNS:localhost', 'IP:127.0.0.1'];

const openssl = (...args: readonly string[]): void => void execFileSync('openssl', args, {stdio: 'pipe'});

/** An authority of a test's own, with openssl: it issues certificates into files of a folder. */
export class TestAuthority {
  /** The path of its own certificate, in PEM. */
  readonly ca: string;
  readonly #folder: string;
  readonly #key: string;
  #issued = 0;

  constructor(folder: string, name = 'authority') {
    this.#folder = folder;
    this.ca = join(folder, `${name}.crt`);
    this.#key = join(folder, `${name}.key`);
    newKey(this.#key);
    openssl('req', '-x509', '-new', '-key', this.#key, '-subj', `/CN=${name}`, '-days', '30', '-out', this.ca);
  }

  issue({name, names = [], days = 30}: CertificateOptions): CertificateFiles {
    const file = join(this.#folder, `${name}-${++this.#issued}-of-${this.ca.slice(this.ca.lastIndexOf('/') + 1, -4)}`);
    const [certificate, key, request, extensions] = [`${file}.crt`, `${file}.key`, `${file}.csr`, `${file}.ext`];
    newKey(key);
    openssl('req', '-new', '-key', key, '-subj', `/CN=${name}`, '-out', request);
    writeFileSync(extensions, names.length === 0 ? 'basicConstraints=CA:FALSE' : `subjectAltName=${names.join(',')}`);
    const authority = ['-CA', this.ca, '-CAkey', this.#key, '-CAcreateserial'];
    openssl(
      'x509',
      '-req',
      '-in',
      request,
      ...authority,
      '-days',
      `${days}`,
      '-extfile',
      extensions,
      '-out',
      certificate,
    );
    return {certificate, key};
  }
}

/** As strict servers want it: readable by nobody else. */
function newKey(path: string): void {
  openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', path);
}
