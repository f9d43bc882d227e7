import {type OtlpSpan, type OtlpTrace, otlpParent} from '../../../core/api/adapter.js';
import {encodeOtlpSpan} from '../../../core/toolkit/otlp/encode.js';
import {OtlpSpanDecoder} from '../../../core/toolkit/otlp/span-decoder.js';
import {otlpModel} from '../../../core/toolkit/traces/otlp-model.js';
import {termText} from '../../../core/toolkit/traces/typed-term.js';
import {encodeText} from '../client/text.js';
import type {PostgresTraceModel} from './model.js';
import {OTLP_TABLES} from './tables.js';

const decoder = new OtlpSpanDecoder();

/**
 * The body is the whole span in the binary form of OTLP, because its attributes have types, an order and repeated keys
 * that columns do not keep; beside it their columns hold the values as typed terms.
 */
export const postgresOtlpModel: PostgresTraceModel<OtlpSpan, OtlpTrace, bigint> = {
  ...otlpModel,
  tables: OTLP_TABLES,
  columns: `bucket int, trace bigint, identity uuid, parent uuid, start bigint, finish bigint, duration float8,
    service text, name text, kind text, status text, tag_keys text[], tag_values text[], resource_keys text[],
    resource_values text[], terms int[], body bytea`,

  ownColumns(span, {resourceTags = new Map()}) {
    const parent = otlpParent(span);
    return {
      parent: parent === undefined ? null : uuidOf(parent),
      resource_keys: Array.from(resourceTags.keys(), encodeText),
      resource_values: Array.from(resourceTags.values(), encodeText),
      body: `\\x${Buffer.from(encodeOtlpSpan(span)).toString('hex')}`,
    };
  },

  key: ({spanId}) => uuidOf(spanId),
  tagText: value => termText(value).text,
  storedText: value => `substr(${value}, 2)`,
  body: 'body',
  decode: (_, [body]) => decoder.decode(body as Buffer),
  hasStoredParent: own => `EXISTS (SELECT FROM otlp_spans WHERE ${own} AND identity = s.parent)`,
};

/** The 64 bits of a span id in the 128 of a UUID. */
function uuidOf(spanId: string): string {
  return spanId.padStart(32, '0');
}
