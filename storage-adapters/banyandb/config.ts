import {type ConfigMistake, type JsonSchema, LONGEST_WAIT} from '../../core/api/adapter.js';
import {quote} from '../../core/toolkit/messages.js';
import {MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND} from '../../core/toolkit/time.js';
import {type TlsOption, tlsOptionMistakes, tlsSchema} from '../../core/toolkit/tls/tls-option.js';
import {layerMistake} from './schema/layers.js';
import {TimeZone} from './schema/time-zone.js';

export interface BanyanDBConfig {
  readonly endpoints: readonly string[];
  readonly namespace: string;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: TlsOption;
  readonly timeZone: string;
  readonly layers: Readonly<Record<string, string>>;
  readonly stages: readonly string[];
  readonly searchableTags: readonly string[];
  readonly trustErrorFlag: boolean;
  /** Milliseconds, as all durations here. */
  readonly longestSegment: number;
  readonly timeout: number;
  readonly catalogRefresh: number;
  readonly metadataCache: number;
  /** Bytes. */
  readonly maxMessageSize: number;
  readonly maxRows: number;
  readonly maxEntities: number;
  readonly maxSliceTraces: number;
  readonly maxScannedTraces: number;
}

const duration = (minimum: number, fallback: number, description: string) => ({
  type: ['number', 'string'],
  format: 'duration',
  minimum,
  maximum: LONGEST_WAIT,
  default: fallback,
  description,
});
const cap = (minimum: number, fallback: number, description: string) => ({
  type: 'integer',
  minimum,
  maximum: 10_000_000,
  default: fallback,
  description,
});
const texts = (fallback: readonly string[], description: string) => ({
  type: 'array',
  items: {type: 'string', minLength: 1},
  default: fallback,
  description,
});

/** 1 to 65535. */
const PORT = '([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])';
/** Headers carry no other characters, and no blanks at their ends. */
const HEADER = {pattern: '^[!-~]([ -~]*[!-~])?$', 'x-pattern': 'is of printable ASCII characters'} as const;

export const configSchema: JsonSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  additionalProperties: false,
  required: ['endpoints'],
  dependencies: {username: ['password'], password: ['username']},
  properties: {
    endpoints: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'string',
        pattern: `^(\\[[0-9a-fA-F:.]+\\]|[^\\s/:@]+):${PORT}$`,
        'x-pattern': 'is like host:17912',
      },
      description:
        'gRPC addresses of the server, or of the liaison nodes of a cluster. When one fails another is asked.',
    },
    namespace: {
      type: 'string',
      pattern: '^[A-Za-z0-9_-]{0,64}$',
      'x-pattern': 'is a plain name, or empty',
      default: 'sw',
      description:
        "The namespace of the OAP that writes (its SW_NAMESPACE): what stands before '_' in names of groups.",
    },
    username: {type: 'string', ...HEADER, description: 'The user; without it none is sent.'},
    password: {
      type: 'string',
      ...HEADER,
      'x-secret': true,
      description: 'The password of the user. It goes with every call as it is, so use tls.',
    },
    tls: tlsSchema(
      'With it, even when empty, connections are encrypted, and the certificate and name of the server checked.',
    ),
    timeZone: {
      type: 'string',
      pattern: '^[A-Za-z0-9_+/-]+$',
      'x-pattern': 'is the name of a time zone, such as Europe/Berlin',
      default: 'UTC',
      description: 'The time zone of the OAP that writes. Its days, and in some zones its hours, are not those of UTC.',
    },
    layers: {
      type: 'object',
      additionalProperties: {type: 'string', minLength: 1},
      propertyNames: {pattern: '^[0-9]+$'},
      default: {},
      description: 'Number → name of the layers that were added to the OAP: the database has their numbers only.',
    },
    stages: texts([], 'Lifecycle stages to read, such as cold, in place of the default ones of each group.'),
    searchableTags: texts(
      [
        'http.method',
        'http.status_code',
        'rpc.status_code',
        'db.type',
        'db.instance',
        'mq.queue',
        'mq.topic',
        'mq.broker',
      ],
      'Keys of tags of native spans that the OAP has indexed all the time (its searchableTracesTags). Conditions on other tags read every trace of the window.',
    ),
    trustErrorFlag: {
      type: 'boolean',
      default: false,
      description:
        'Let the server select native traces with errors. Only right while the OAP counts every span that its agent calls an error as one, which is its default.',
    },
    longestSegment: duration(
      0,
      MS_PER_HOUR,
      'How long before a window a native segment may begin whose later spans lie in it. Segments that last longer are not found by those.',
    ),
    timeout: duration(100, 30 * MS_PER_SECOND, 'The longest time for one call to the server.'),
    catalogRefresh: duration(100, MS_PER_MINUTE, 'How old the list of metrics may be.'),
    metadataCache: duration(0, 30 * MS_PER_SECOND, 'How old the lists of services, instances and endpoints may be.'),
    maxMessageSize: {
      type: ['integer', 'string'],
      format: 'byte-size',
      minimum: 65_536,
      default: 52_428_800,
      description: 'The largest answer to one call.',
    },
    maxRows: cap(100, 200_000, 'The most rows that one question may read.'),
    maxEntities: cap(100, 1_000_000, 'The most entities of one metric, and of one list of services or endpoints.'),
    maxSliceTraces: cap(
      10,
      500,
      'The most traces that one call for a slice of time asks for. A slice with more is halved; only one of a millisecond may have more.',
    ),
    maxScannedTraces: cap(1000, 100_000, 'The most traces that one list of tag keys or values may look at.'),
  },
};

/** What the start would refuse without asking a server. */
export function checkConfig({timeZone, layers, endpoints, tls}: BanyanDBConfig): readonly ConfigMistake[] {
  const mistakes: ConfigMistake[] = [...tlsOptionMistakes(tls)];
  if (!isZone(timeZone)) {
    const message = `found ${quote(timeZone)}, which is no time zone that is known; expected a name such as Europe/Berlin`;
    mistakes.push({key: 'timeZone', message});
  }
  const mistake = layerMistake(layers);
  if (mistake !== undefined) mistakes.push({key: 'layers', message: `calls ${mistake}`});
  for (const [index, endpoint] of endpoints.entries()) {
    if (endpoints.indexOf(endpoint) === index) continue;
    mistakes.push({key: `endpoints[${index}]`, message: `found ${quote(endpoint)} again, expected each endpoint once`});
  }
  return mistakes;
}

function isZone(name: string): boolean {
  try {
    new TimeZone(name);
    return true;
  } catch {
    return false;
  }
}
