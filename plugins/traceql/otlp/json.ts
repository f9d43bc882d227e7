import type {KeyValue} from '../../../core/api/plugin.js';
import type {OtlpEvent, OtlpResource, OtlpScope, OtlpSpan, OtlpStatus, OtlpTrace} from '../model.js';

/**
 * The JSON answer of a trace by id, `{"trace":{"resourceSpans":[…]}}`: enums by name, ids in hex, 64-bit times as text.
 *
 * No keys but those that the API documents, because strict clients refuse an answer with one that they do not know:
 * `parentSpanId` and `status.message` are left out when there is none, everything else is always there. The order of
 * services, spans, attributes and events is that of the trace.
 *
 * Written as text, because a trace may have tens of thousands of spans, and of each most is the same.
 */
export function writeTraceJson(trace: OtlpTrace): string {
  const resources = trace.resources.map(resource => resourceJson(resource, trace));
  return `{"trace":{"resourceSpans":[${resources.join(',')}]}}`;
}

function resourceJson(resource: OtlpResource, trace: OtlpTrace): string {
  const attributes = attributesJson([{key: 'service.name', value: resource.serviceName}]);
  const start = `{"traceId":${quote(trace.traceId)},"spanId":`;
  let spans = '';
  for (const span of resource.spans) spans += (spans === '' ? start : `,${start}`) + spanJson(span);
  return `{"resource":{"attributes":${attributes}},"scopeSpans":[{"scope":${scopeJson(trace.scope)},"spans":[${spans}]}]}`;
}

function scopeJson(scope: OtlpScope): string {
  return `{"name":${quote(scope.name)},"version":${quote(scope.version)}}`;
}

/** What follows `"spanId":`. */
function spanJson(span: OtlpSpan): string {
  const parent = span.parentSpanId === undefined ? '' : `,"parentSpanId":${quote(span.parentSpanId)}`;
  return (
    `${quote(span.spanId)}${parent},"name":${quote(span.name)},"kind":"SPAN_KIND_${span.kind}",` +
    `"startTimeUnixNano":"${span.startTimeUnixNano}","endTimeUnixNano":"${span.endTimeUnixNano}",` +
    `"attributes":${attributesJson(span.attributes)},"events":${eventsJson(span.events)},"status":${statusJson(span.status)}}`
  );
}

function eventsJson(events: readonly OtlpEvent[]): string {
  let json = '';
  for (const event of events) {
    json +=
      `${json === '' ? '' : ','}{"timeUnixNano":"${event.timeUnixNano}","name":${quote(event.name)},` +
      `"attributes":${attributesJson(event.attributes)}}`;
  }
  return `[${json}]`;
}

function attributesJson(attributes: readonly KeyValue[]): string {
  let json = '';
  for (const {key, value} of attributes) {
    json += `${json === '' ? '' : ','}{"key":${quote(key)},"value":{"stringValue":${quote(value)}}}`;
  }
  return `[${json}]`;
}

function statusJson(status: OtlpStatus): string {
  const message = status.message === undefined ? '' : `,"message":${quote(status.message)}`;
  return `{"code":"STATUS_CODE_${status.code}"${message}}`;
}

/** ASCII in which nothing is escaped: nearly every text of a trace. */
const PLAIN = /^[ !#-[\]-~]*$/;

function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
