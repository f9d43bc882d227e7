import type {JsonSchema, ListenerDefaults} from '../../core/api/plugin.js';
import {MS_PER_DAY} from '../../core/toolkit/time.js';

/** The settings of one kind of traces. */
export interface TraceqlConfig {
  /** Tags that the spans of a search result show. */
  readonly listResultTags: readonly string[];
  /** Milliseconds: how far back a request without a start looks. */
  readonly lookback: number;
}

/** One listener serves both kinds, each under its own prefix. */
export function traceListener(prefix: string, prefixVariable: string): ListenerDefaults {
  return {
    name: 'traces',
    host: '0.0.0.0',
    port: 3200,
    idleTimeout: 30_000,
    acceptQueueSize: 0,
    prefix,
    env: {
      host: 'SVC_TRACEQL_REST_HOST',
      port: 'SVC_TRACEQL_REST_PORT',
      idleTimeout: 'SVC_TRACEQL_REST_IDLE_TIMEOUT',
      acceptQueueSize: 'SVC_TRACEQL_REST_QUEUE_SIZE',
      prefix: prefixVariable,
    },
  };
}

/** Each kind has its own variable for the tags. */
export function configSchema(resultTags: readonly string[], resultTagsVariable: string): JsonSchema {
  return {
    type: 'object',
    additionalProperties: false,
    properties: {
      listResultTags: {
        type: 'array',
        items: {type: 'string'},
        default: resultTags,
        'x-env': resultTagsVariable,
        description:
          'Tags that the spans of a search result show where they have them, beside service.name and span.kind.',
      },
      lookback: {
        type: 'integer',
        minimum: 1,
        // A hundred years: what lies further back is a mistake.
        maximum: 36_525 * MS_PER_DAY,
        default: MS_PER_DAY,
        'x-env': 'SVC_TRACEQL_LOOKBACK',
        description: 'How far back a request without a start looks, in milliseconds.',
      },
    },
  };
}
