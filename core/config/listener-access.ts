import type {JsonSchema} from '../api/json-schema.js';
import {type ServerTls, serverTlsSchema} from '../toolkit/tls/server-tls.js';

/** The keys of a listener that say who reaches it, and how. */
export interface ListenerAccess {
  readonly tls?: ServerTls;
  /** `open` asks nobody who they are, though the configuration has an `access` block. */
  readonly access: 'required' | 'open';
  /** Names, in lower case, by which callers may call a loopback listener. */
  readonly hosts: readonly string[];
  readonly cors: {readonly origins: readonly string[]};
}

export const LISTENER_ACCESS_KEYS = {
  tls: serverTlsSchema('TLS.'),
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
