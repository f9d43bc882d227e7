import type {ConfigMistake, JsonSchema} from '../../api/json-schema.js';
import type {Logger, Meter} from '../../api/telemetry.js';
import {readFiles} from '../files/file-set.js';
import {reloadSuccess, WatchedFiles} from '../files/watched-files.js';
import type {TlsFailureTerms} from './tls-failure.js';
import {type TlsFileKeys, type TlsFiles, type TlsMaterial, tlsFiles} from './tls-files.js';

/** The option `tls` of an adapter that connects to a server. */
export interface TlsOption extends TlsFiles {
  readonly serverName?: string;
}

const keysAfter = (start: string): TlsFileKeys => ({
  ca: `${start}tls.ca`,
  certificate: `${start}tls.certificate`,
  key: `${start}tls.key`,
});

const path = (description: string) => ({type: 'string', format: 'path', description});

/** `use` says when connections are encrypted. */
export const tlsSchema = (use: string): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  description: `${use} The files are read again when they change; connections that are made then use them.`,
  properties: {
    ca: path('A PEM file of the authorities to trust; those of the system when left out.'),
    certificate: path(
      "A PEM file of the gateway's own certificate and those up to its authority, for a server that asks.",
    ),
    key: path('A PEM file of the key of that certificate, without a passphrase.'),
    serverName: {
      type: 'string',
      pattern: '^(?![0-9.]+$)[A-Za-z0-9_.-]+$',
      'x-pattern': 'is the name of a host, and no address',
      description:
        'The name that the certificate of the server must have, where it is not the host that is connected to.',
    },
  },
});

/** For `checkConfig`: what the files of the option have that cannot be used. */
export function tlsOptionMistakes(option: TlsOption | undefined): readonly ConfigMistake[] {
  return option === undefined ? [] : (readFiles(tlsFiles(option, keysAfter(''))).mistakes ?? []);
}

/** The files of the option while the adapter runs: `tls:storage` in its warnings and metrics. Throws when they cannot be used. */
export function watchTlsOption(option: TlsOption, log: Logger, meter: Meter): WatchedFiles<TlsMaterial> {
  const what = 'tls:storage';
  return new WatchedFiles(tlsFiles(option, keysAfter('the option ')), {what, log, success: reloadSuccess(meter, what)});
}

export const tlsOptionTerms = (option: TlsOption | undefined): TlsFailureTerms => ({
  ca: 'tls.ca',
  certificate: 'tls.certificate',
  serverName: 'tls.serverName',
  hasCertificate: option?.certificate !== undefined,
});
