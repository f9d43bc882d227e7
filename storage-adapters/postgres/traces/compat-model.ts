import {hash} from 'node:crypto';
import type {CompatSpan, CompatTrace} from '../../../core/api/adapter.js';
import {compatModel} from '../../../core/toolkit/traces/compat-model.js';
import {
  type CompatSpanBody,
  decodeCompatSpan,
  encodeCompatSpan,
} from '../../../core/toolkit/traces/compat-span-codec.js';
import {decodeText} from '../client/text.js';
import type {PostgresTraceModel} from './model.js';
import {COMPAT_TABLES} from './tables.js';

type Body = readonly [body: string, keys: readonly string[], values: readonly string[]];

/** The body is JSON, which escapes what a text of the database cannot hold. Tags stand in their own columns alone. */
export const postgresCompatModel: PostgresTraceModel<CompatSpan, CompatTrace> = {
  ...compatModel,
  tables: COMPAT_TABLES,
  columns: `bucket int, trace bigint, identity uuid, start bigint, duration bigint, service text, name text, kind text,
    status text, tag_keys text[], tag_values text[], terms int[], body text`,
  ownColumns: span => ({body: JSON.stringify(encodeCompatSpan(span))}),

  /** A kind that Zipkin does not know may be longer than an index takes. */
  key: ({id, kind, shared = false}) => hash('sha256', JSON.stringify([id, kind ?? null, shared]), 'hex').slice(0, 32),

  tagText: value => value,
  storedText: value => value,
  body: 'body, tag_keys, tag_values',

  decode(traceId, columns) {
    const [body, keys, values] = columns as Body;
    const tags = new Map(keys.map((key, i) => [decodeText(key), decodeText(values[i] ?? '')]));
    return decodeCompatSpan(traceId, JSON.parse(body) as CompatSpanBody, tags);
  },

  /** By its place in the body, which begins with an id of 16 digits and the parent's, or null. */
  hasStoredParent: () => `substr(s.body, 21, 4) <> 'null'`,
};
