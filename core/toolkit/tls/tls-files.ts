import {createSecureContext} from 'node:tls';
import type {ConfigMistake} from '../../api/json-schema.js';
import type {FileReading, FileSet, NamedFile} from '../files/file-set.js';
import {certificatesIn, type PemContent, privateKeyIn} from './pem.js';

/** Files of PEM of one end of a connection. A certificate and its key go together, and may be one file. */
export interface TlsFiles {
  /** Of the authorities that the other end's certificate is checked by. */
  readonly ca?: string | undefined;
  /** This end's certificate, followed by those between it and its authority. */
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

/** What `node:tls` takes, from files that were checked. */
export interface TlsMaterial {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
  /** When the certificate ends; Unix seconds. */
  readonly expires?: number;
}

/** What the keys of the configuration, or flags, are called that name the files. */
export type TlsFileKeys = Readonly<Record<keyof TlsFiles, string>>;

const KEYS: TlsFileKeys = {ca: 'ca', certificate: 'certificate', key: 'key'};

/** The files as a set to be read once or watched. They are used only when each can be read and the key fits the certificate. */
export function tlsFiles(files: TlsFiles, keys: TlsFileKeys = KEYS): FileSet<TlsMaterial> {
  const named = (['ca', 'certificate', 'key'] as const).flatMap(role => {
    const path = files[role];
    return path === undefined ? [] : [{role, key: keys[role], path}];
  });
  return {
    files: named,
    parse: contents => {
      const read = Object.fromEntries(named.map((file, i) => [file.role, {...file, content: contents[i]}]));
      const alone = halfOf(files, keys);
      return alone === undefined ? materialOf(read) : {mistakes: [alone]};
    },
  };
}

/** A certificate without its key, or a key without its certificate. */
function halfOf({certificate, key}: TlsFiles, keys: TlsFileKeys): ConfigMistake | undefined {
  if ((certificate === undefined) === (key === undefined)) return undefined;
  const [missing, beside] = key === undefined ? [keys.key, keys.certificate] : [keys.certificate, keys.key];
  return {key: missing, message: `missing; expected beside ${beside}`};
}

interface ReadFile extends NamedFile {
  readonly content: Buffer;
}

type ReadFiles = Readonly<Partial<Record<keyof TlsFiles, ReadFile>>>;

function materialOf({ca, certificate, key}: ReadFiles): FileReading<TlsMaterial> {
  const mistakes: ConfigMistake[] = [];
  const content = <Value>(file: ReadFile | undefined, read: (content: Buffer) => PemContent<Value>) => {
    const found = file === undefined ? undefined : read(file.content);
    if (file !== undefined && found?.problem !== undefined) mistakes.push(mistake(file, found.problem));
    return found?.problem === undefined ? found?.value : undefined;
  };
  content(ca, certificatesIn);
  const chain = content(certificate, certificatesIn);
  const secret = content(key, privateKeyIn);
  if (key !== undefined && certificate !== undefined && chain !== undefined && secret !== undefined) {
    const fits = chain.findIndex(one => one.checkPrivateKey(secret));
    if (fits < 0) mistakes.push(mistake(key, `does not fit the certificate in ${certificate.path}`));
    if (fits > 0) {
      mistakes.push(
        mistake(certificate, `has another certificate before the one that ${key.path} fits, expected that one first`),
      );
    }
  }
  if (mistakes.length > 0) return {mistakes};
  const [own] = chain ?? [];
  const material: TlsMaterial = {
    ...(ca !== undefined && {ca: ca.content}),
    ...(certificate !== undefined && {cert: certificate.content}),
    ...(key !== undefined && {key: key.content}),
    ...(own !== undefined && {expires: Date.parse(own.validTo) / 1000}),
  };
  const refusal = refusalOf(material);
  const first = certificate ?? ca;
  if (refusal !== undefined && first !== undefined) return {mistakes: [mistake(first, `cannot be used: ${refusal}`)]};
  return {value: material};
}

/** OpenSSL takes less than can be read: no key that is too small, no signature that is too weak. */
function refusalOf(material: TlsMaterial): string | undefined {
  try {
    createSecureContext(material);
    return undefined;
  } catch (error) {
    const {reason, message} = error as Error & {readonly reason?: string};
    return reason ?? message;
  }
}

const mistake = ({key, path}: NamedFile, problem: string): ConfigMistake => ({
  key,
  message: `names ${path}, which ${problem}`,
});
