import type {JsonSchema} from '../api/json-schema.js';

/** Older versions are broken, and no client needs them. */
const MIN_VERSIONS = ['TLSv1.2', 'TLSv1.3'] as const;

/** The keys of a listener that say who reaches it, and how. */
export interface ListenerAccess {
  readonly tls?: ListenerTls;
  /** `open` asks nobody who they are, though the configuration has an `access` block. */
  readonly access: 'required' | 'open';
  /** Names, in lower case, by which callers may call a loopback listener. */
  readonly hosts: readonly string[];
  readonly cors: {readonly origins: readonly string[]};
}

/** Absolute paths of PEM files. */
export interface ListenerTls {
  readonly certificate: string;
  readonly key: string;
  readonly clientCa?: string;
  readonly minVersion: (typeof MIN_VERSIONS)[number];
}

const file = (description: string): JsonSchema => ({type: 'string', format: 'path', minLength: 1, description});

export const TLS_KEYS: JsonSchema = {
  type: 'object',
  description: 'TLS. The files are read again when they change.',
  required: ['certificate', 'key'],
  properties: {
    certificate: file('The certificate in PEM, followed by those that lead to its root.'),
    key: file('Its private key in PEM, without a passphrase.'),
    clientCa: file('Authorities in PEM. With them every client has to show a certificate of one of them.'),
    minVersion: {enum: [...MIN_VERSIONS], default: 'TLSv1.2', description: 'The oldest version of TLS that is spoken.'},
  },
};

export const LISTENER_ACCESS_KEYS = {
  tls: TLS_KEYS,
  access: {
    enum: ['required', 'open'],
    default: 'required',
    description: 'Whether callers are asked for credentials where the configuration has an "access" block.',
  },
  hosts: {
    type: 'array',
    default: [],
    items: {
      type: 'string',
      pattern: '^[^\\s/:\\[\\]@]+$',
      'x-pattern': 'is a host name without a port',
    },
    description:
      'Names by which a listener on a loopback address may be called beside localhost; of another listener, the only names.',
  },
  cors: {
    type: 'object',
    default: {},
    description: 'Web pages of other origins that may use the listener.',
    properties: {
      origins: {
        type: 'array',
        default: [],
        items: {
          type: 'string',
          pattern: '^https?://[^\\s/?#@*]+$',
          'x-pattern': 'is an origin such as "https://console.example", without a path or a star',
        },
        description: 'Their origins.',
      },
    },
  },
} satisfies Record<string, JsonSchema>;
