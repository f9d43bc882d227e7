import type {ConfigMistake, JsonSchema} from '../../api/json-schema.js';
import {readFiles} from '../files/file-set.js';
import {type TlsFileKeys, type TlsFiles, tlsFiles} from './tls-files.js';

/** The option `tls` of an adapter that connects to a server. */
export interface TlsOption extends TlsFiles {
  readonly serverName?: string;
}

/** What messages call the keys of the option. */
export const TLS_OPTION_KEYS: TlsFileKeys = {ca: 'tls.ca', certificate: 'tls.certificate', key: 'tls.key'};

const path = (description: string) => ({type: 'string', format: 'path', description});

/** `use` says when connections are encrypted. */
export const tlsSchema = (use: string): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  dependencies: {certificate: ['key'], key: ['certificate']},
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
  return option === undefined ? [] : (readFiles(tlsFiles(option, TLS_OPTION_KEYS)).mistakes ?? []);
}
