import {type ConfigMistake, type JsonSchema, LONGEST_WAIT} from '../../core/api/adapter.js';
import {type Retention, retentionMistakes, retentionSchema} from '../../core/toolkit/retention.js';
import {MS_PER_DAY} from '../../core/toolkit/time.js';
import {type TlsOption, tlsOptionMistakes, tlsSchema} from '../../core/toolkit/tls/tls-option.js';

export type {Retention} from '../../core/toolkit/retention.js';

export interface ClickHouseConfig {
  readonly urls: readonly string[];
  readonly database: string;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: TlsOption;
  readonly cluster?: string;
  readonly createSchema: boolean;
  readonly retention?: Retention;
  readonly queryTimeout: number;
  readonly connections: number;
  readonly compression?: boolean;
  readonly insertQuorum?: number;
}

/** They go as headers, which have no room for these. */
const HEADER = {pattern: '^[^\\u0000-\\u001f\\u007f]*$', 'x-pattern': 'holds no control characters'} as const;

export const configSchema: JsonSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  additionalProperties: false,
  required: ['urls', 'database'],
  properties: {
    urls: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'string',
        pattern: '^https?://[^/?#@]+/?$',
        'x-pattern': 'is like http://host:8123, without a user or password, which are keys of their own',
      },
      description:
        'HTTP interfaces of the server, or of several nodes of a cluster: the first that answers is used, in this order.',
    },
    database: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      description: 'The database of the tables. It is created when it is missing and createSchema is true.',
    },
    username: {
      type: 'string',
      minLength: 1,
      ...HEADER,
      description: "The user; the server's default user when left out.",
    },
    password: {type: 'string', ...HEADER, 'x-secret': true, description: 'The password of the user.'},
    tls: tlsSchema(
      'For urls that begin with https://, which encrypt by themselves: whom to trust, and who the gateway is.',
    ),
    cluster: {
      type: 'string',
      minLength: 1,
      description:
        'A cluster of the server configuration: tables are then replicated and sharded over it. Left out, everything is on one server.',
    },
    createSchema: {
      type: 'boolean',
      default: true,
      description:
        'Create the tables, and migrate those of an earlier version, at start. Otherwise they must be there.',
    },
    retention: retentionSchema(MS_PER_DAY, {how: ', removed by whole days', traces: 'Traces.'}),
    queryTimeout: {
      type: ['number', 'string'],
      format: 'duration',
      minimum: 1000,
      // An answer is waited for somewhat longer than the server works on it.
      maximum: LONGEST_WAIT,
      default: 60_000,
      description: 'The longest time that the server may work on one statement.',
    },
    connections: {
      type: 'integer',
      minimum: 1,
      default: 32,
      'x-shared': true,
      description:
        'Connections to each URL at most; further statements wait for one. Of several workers each has its part.',
    },
    compression: {
      type: 'boolean',
      description: 'Compress requests and answers with gzip. Left out: unless the host is this machine.',
    },
    insertQuorum: {
      type: 'integer',
      minimum: 0,
      description:
        'Replicas of a shard that must have a write before it is acknowledged. Left out: all that are alive. 0: one, the others follow within moments.',
    },
  },
};

export function checkConfig(config: ClickHouseConfig): readonly ConfigMistake[] {
  const {urls, tls, retention} = config;
  return [
    ...urlMistakes(urls),
    ...plainMistakes(config),
    ...tlsOptionMistakes(tls),
    ...quorumMistakes(config),
    ...retentionMistakes(retention),
  ];
}

/** Such as a port out of range, or one server twice, which would be asked again when it has failed. */
function urlMistakes(urls: readonly string[]): readonly ConfigMistake[] {
  const plain = (url: string) => url.replace(/\/$/, '');
  const first = (url: string) => urls.findIndex(other => plain(other) === plain(url));
  return urls.flatMap((url, index) => {
    const key = `urls[${index}]`;
    if (!URL.canParse(url))
      return [{key, message: `found "${url}", which is no url; expected one like http://host:8123`}];
    return first(url) === index ? [] : [{key, message: `found ${url} again, expected each url once`}];
  });
}

/** What stands in the option would be left aside. */
function plainMistakes({urls, tls}: ClickHouseConfig): readonly ConfigMistake[] {
  if (tls === undefined) return [];
  return urls.flatMap((url, index) => {
    const message = `found ${url} beside tls, expected a url that begins with https://`;
    return url.startsWith('https:') ? [] : [{key: `urls[${index}]`, message}];
  });
}

/** On one server there are no replicas, and the server would ignore how many must have a write. */
function quorumMistakes({cluster, insertQuorum}: ClickHouseConfig): readonly ConfigMistake[] {
  if (insertQuorum === undefined || insertQuorum < 2 || cluster !== undefined) return [];
  return [
    {
      key: 'insertQuorum',
      message: `found ${insertQuorum} without a cluster, expected at most 1, or cluster beside it: one server has no replicas`,
    },
  ];
}
