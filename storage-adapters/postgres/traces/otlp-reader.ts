import type {
  Call,
  OtlpSpan,
  OtlpTagKeysRequest,
  OtlpTrace,
  OtlpTraceReader,
  OtlpValuesRequest,
  TypedText,
} from '../../../core/api/adapter.js';
import {termText} from '../../../core/toolkit/traces/typed-term.js';
import {PostgresTraces} from './reader.js';

/** OTLP traces, whose columns have a type beside each value of a sender. */
export class PostgresOtlpReader extends PostgresTraces<OtlpSpan, OtlpTrace, bigint> implements OtlpTraceReader {
  tagKeys({scope, ...request}: OtlpTagKeysRequest, {signal}: Call): Promise<readonly string[]> {
    const listed = {of: scope === 'span' ? 'tag-keys' : 'resource-keys'} as const;
    return this.listing.keys({...request, listed}, signal);
  }

  async attributeValues(
    {attribute, limit, ...request}: OtlpValuesRequest,
    {signal}: Call,
  ): Promise<readonly TypedText[]> {
    const values = await this.listing.values({...request, listed: attribute}, limit, signal);
    const isTyped = attribute.of === 'tag' || attribute.of === 'resource';
    return values.map(value => (isTyped ? termText(value) : {type: 'string', text: value}));
  }
}
