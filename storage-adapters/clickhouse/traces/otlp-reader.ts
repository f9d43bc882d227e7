import {
  type Call,
  compareNames,
  type OtlpSpan,
  type OtlpTagKeysRequest,
  type OtlpTrace,
  type OtlpTraceReader,
  type OtlpValuesRequest,
  type TypedText,
} from '../../../core/api/adapter.js';
import {termText} from '../../../core/toolkit/traces/typed-term.js';
import {ClickHouseTraces} from './reader.js';

/** OTLP traces, whose columns have a type beside each value of a sender. */
export class ClickHouseOtlpReader extends ClickHouseTraces<OtlpSpan, OtlpTrace, bigint> implements OtlpTraceReader {
  async tagKeys({scope, filter, from, to}: OtlpTagKeysRequest, {signal}: Call): Promise<readonly string[]> {
    const listed = {of: scope === 'span' ? 'tag keys' : 'resource keys'} as const;
    return [...(await this.listing.values({listed, filter, from, to, limit: undefined}, signal))].sort(compareNames);
  }

  async attributeValues({attribute, ...request}: OtlpValuesRequest, {signal}: Call): Promise<readonly TypedText[]> {
    const values = await this.listing.values({...request, listed: attribute}, signal);
    const isTyped = attribute.of === 'tag' || attribute.of === 'resource';
    return values.map(value => (isTyped ? termText(value) : {type: 'string', text: value}));
  }
}
