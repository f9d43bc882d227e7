import {type ConfigMistake, type JsonSchema, LONGEST_WAIT} from '../../core/api/adapter.js';
import {quote} from '../../core/toolkit/messages.js';
import {type Retention, retentionMistakes, retentionSchema} from '../../core/toolkit/retention.js';
import {MS_PER_DAY, MS_PER_SECOND} from '../../core/toolkit/time.js';
import {type TlsOption, tlsOptionMistakes, tlsSchema} from '../../core/toolkit/tls/tls-option.js';
import {tlsMistakes, urlMistakes} from './client/url.js';

export type {Retention} from '../../core/toolkit/retention.js';

export interface PostgresConfig {
  readonly url: string;
  readonly tls?: TlsOption;
  readonly schema: string;
  readonly createSchema: boolean;
  readonly retention?: Retention;
  readonly connections: number;
  /** Milliseconds, as all durations here. */
  readonly connectTimeout: number;
  readonly writeTimeout: number;
}

const duration = (minimum: number, description: string) => ({
  type: ['number', 'string'],
  format: 'duration',
  minimum,
  maximum: LONGEST_WAIT,
  description,
});

export const configSchema: JsonSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url: {
      type: 'string',
      pattern: '^(postgres|postgresql)://\\S*$',
      'x-pattern': 'begins with postgres:// or postgresql:// and holds no blank',
      'x-secret': true,
      description:
        'Where the database is: postgres://user:password@host:5432/database. TLS by the option tls, or by parameters, such as ?sslmode=verify-full&sslrootcert=/etc/ssl/ca.pem.',
    },
    tls: tlsSchema(
      'With it, even when empty, connections are encrypted, and the certificate and name of the server checked.',
    ),
    schema: {
      type: 'string',
      pattern: '^[a-z_][a-z0-9_]{0,47}$',
      'x-pattern': 'is a plain name: small letters, digits and underscores, at most 48',
      default: 'query_gateway',
      description: 'The schema of the database that holds the tables.',
    },
    createSchema: {
      type: 'boolean',
      default: true,
      description:
        'Create the schema and its tables, and bring those of an earlier version up to date, at start. When false, tables that are missing or old end the start.',
    },
    retention: retentionSchema(MS_PER_DAY, {
      how: ', by whole partitions',
      traces: 'Traces, from their latest span on. Each goes as a whole.',
    }),
    connections: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 10,
      'x-shared': true,
      description:
        'Connections for queries, at most. Writing takes four more, supervision one. Of several workers each has its part of the first, and its own of the others.',
    },
    connectTimeout: {
      ...duration(MS_PER_SECOND / 10, 'How long to wait for a connection, a free one or a new one.'),
      'x-at-most': 'startTimeout',
      default: 5 * MS_PER_SECOND,
    },
    writeTimeout: {
      ...duration(MS_PER_SECOND, 'How long storing one batch may take. A batch that failed is safe to send again.'),
      default: 60 * MS_PER_SECOND,
    },
  },
};

/** What the driver would take for something else, or refuse later. */
export function checkConfig({url, tls, schema, retention}: PostgresConfig): readonly ConfigMistake[] {
  const ofUrl = urlMistakes(url, tls !== undefined);
  const mistakes = [...ofUrl, ...tlsOptionMistakes(tls), ...retentionMistakes(retention)];
  if (tls !== undefined && ofUrl.length === 0) mistakes.push(...tlsMistakes(url));
  if (schema.startsWith('pg_')) {
    mistakes.push({
      key: 'schema',
      message: `found ${quote(schema)}, expected a name without pg_, which is the server's`,
    });
  }
  return mistakes;
}
