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
import {attributeName, RESOURCE_KEYS, TAG_KEYS} from './index/attributes.js';
import {EmbeddedTraces} from './reader.js';

/** OTLP traces, whose index has a type beside each value of a sender. */
export class EmbeddedOtlpReader extends EmbeddedTraces<OtlpSpan, OtlpTrace, bigint> implements OtlpTraceReader {
  async tagKeys({scope, filter, from, to}: OtlpTagKeysRequest, call: Call): Promise<readonly string[]> {
    const attribute = scope === 'span' ? TAG_KEYS : RESOURCE_KEYS;
    const keys = await this.values({attribute, filter, from, to, limit: Number.POSITIVE_INFINITY}, call);
    return [...keys].sort(compareNames);
  }

  async attributeValues({attribute, ...request}: OtlpValuesRequest, call: Call): Promise<readonly TypedText[]> {
    const values = await this.values({...request, attribute: attributeName(attribute)}, call);
    const isTyped = attribute.of === 'tag' || attribute.of === 'resource';
    return values.map(value => (isTyped ? termText(value) : {type: 'string', text: value}));
  }
}
