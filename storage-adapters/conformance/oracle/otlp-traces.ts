import {
  type Call,
  canonicalOtlpTraceId,
  compareNames,
  OTLP_VALUE_TYPES,
  type OtlpAttribute,
  type OtlpListedAttribute,
  type OtlpSpan,
  type OtlpSpanWriter,
  type OtlpTagKeysRequest,
  type OtlpTrace,
  type OtlpTraceReader,
  type OtlpValuesRequest,
  otlpAttribute,
  otlpSpanView,
  otlpStart,
  otlpText,
  otlpValueType,
  type TypedText,
} from '../../../core/api/adapter.js';
import {type OracleSpan, OracleTraces} from './traces.js';

interface OracleOtlpSpan extends OracleSpan {
  readonly span: OtlpSpan;
}

/** Every question is answered by looking at every span, and at all of its attributes. */
export class OracleOtlpTraces
  extends OracleTraces<OtlpSpan, OtlpTrace, OracleOtlpSpan>
  implements OtlpTraceReader, OtlpSpanWriter
{
  async tagKeys(request: OtlpTagKeysRequest, {signal}: Call): Promise<readonly string[]> {
    signal.throwIfAborted();
    const keys = this.matching(request.filter, request).flatMap(({span}) =>
      attributesOf(span, request.scope).map(({key}) => key),
    );
    return [...new Set(keys)].sort(compareNames);
  }

  async attributeValues(request: OtlpValuesRequest, {signal}: Call): Promise<readonly TypedText[]> {
    signal.throwIfAborted();
    const {attribute, filter, limit} = request;
    const seen = new Map<string, TypedText & {start: number}>();
    for (const found of this.matching(filter, request)) {
      const value = typedTextOf(found, attribute);
      if (value === undefined) continue;
      const {start = 0} = found;
      const name = `${value.type} ${value.text}`;
      const earliest = Math.min(start, seen.get(name)?.start ?? start);
      seen.set(name, {...value, start: earliest});
    }
    const rank = ({type}: TypedText): number => OTLP_VALUE_TYPES.indexOf(type);
    const ordered = [...seen.values()].sort(
      (a, b) => a.start - b.start || rank(a) - rank(b) || compareNames(a.text, b.text),
    );
    return ordered.slice(0, limit).map(({type, text}) => ({type, text}));
  }

  protected identity({spanId}: OtlpSpan): string {
    return spanId;
  }

  protected spansOf(span: OtlpSpan): readonly OracleOtlpSpan[] {
    return [{view: otlpSpanView(span), start: otlpStart(span), span}];
  }

  protected traceOf(traceId: string, spans: readonly OtlpSpan[]): OtlpTrace {
    return {traceId, spans};
  }

  protected isNamed(traceId: string, id: string): boolean {
    return canonicalOtlpTraceId(id) === traceId;
  }
}

function attributesOf(span: OtlpSpan, scope: 'resource' | 'span'): readonly OtlpAttribute[] {
  return scope === 'span' ? span.attributes : span.resource.attributes;
}

function typedTextOf({view, span}: OracleOtlpSpan, attribute: OtlpListedAttribute): TypedText | undefined {
  if (attribute.of === 'tag' || attribute.of === 'resource') {
    const value = otlpAttribute(attributesOf(span, attribute.of === 'tag' ? 'span' : 'resource'), attribute.key);
    return value === undefined ? undefined : {type: otlpValueType(value), text: otlpText(value)};
  }
  const text = view[attribute.of];
  return text === undefined || text === '' ? undefined : {type: 'string', text};
}
