import {
  type CompatAnnotation,
  type CompatSpan,
  compareNames,
  type OtlpAttribute,
  type OtlpEvent,
  type OtlpLink,
  type OtlpSpan,
  otlpKind,
  otlpMicros,
  otlpServiceName,
  otlpText,
} from '../../../core/api/plugin.js';
import type {Addresses} from '../../../core/toolkit/traces/addresses.js';
import {ContentBudget, CUT} from '../../../core/toolkit/traces/content-budget.js';
import type {Steps} from '../../../core/toolkit/yielder.js';
import {localEndpoint, remoteEndpoint} from './endpoints.js';

const ZIPKIN_KINDS: ReadonlySet<string> = new Set(['SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER']);
const STATUSES = ['STATUS_CODE_UNSET', 'STATUS_CODE_OK', 'STATUS_CODE_ERROR'];
const ERROR = 2;
const HALF = '0'.repeat(16);

type Draft<T> = {-readonly [Key in keyof T]: T[Key]};

/**
 * OTLP spans as compat spans, as SkyWalking maps them when it stores them as Zipkin's: the resource joins the tags of the
 * span, what says who spoke becomes an endpoint, and events, links and the status become text. Types and nanoseconds are
 * lost. Then the normal form that compat spans have whoever sends them.
 */
export class CompatConverter {
  readonly #contents: ContentBudget;
  readonly #addresses: Addresses;

  /** `spanTags` is how many tags, and annotations, are stored of a span. */
  constructor(spanTags: number, addresses: Addresses) {
    this.#contents = new ContentBudget(spanTags);
    this.#addresses = addresses;
  }

  /** How many values and lists were too long so far. */
  get cut(): number {
    return this.#contents.cut;
  }

  /** A span a step. */
  *convert(spans: readonly OtlpSpan[]): Steps<readonly CompatSpan[]> {
    const converted: CompatSpan[] = [];
    for (const span of spans) {
      this.#contents.beginRecord();
      converted.push(this.#span(span));
      yield;
    }
    return converted;
  }

  #span(span: OtlpSpan): CompatSpan {
    const tags = tagsOf(span);
    const kind = otlpKind(span.kind);
    if (span.kind === 1) tags.set('span.kind', 'internal');
    const service = storable(otlpServiceName(span.resource) ?? '');
    const local = localEndpoint(tags, service, this.#addresses);
    const remote = remoteEndpoint(tags, this.#addresses);
    setStatus(tags, span);
    for (const [at, link] of span.links.entries()) tags.set(`otlp.link.${at}`, linkText(link));
    const converted: Draft<CompatSpan> = {
      traceId: span.traceId.startsWith(HALF) ? span.traceId.slice(HALF.length) : span.traceId,
      id: span.spanId,
      localEndpoint: local,
      annotations: [],
      tags: new Map(),
    };
    if (span.parentSpanId !== undefined && span.parentSpanId !== span.spanId) converted.parentId = span.parentSpanId;
    if (ZIPKIN_KINDS.has(kind)) converted.kind = kind;
    if (span.name !== '') converted.name = storable(span.name).toLowerCase();
    const timestamp = otlpMicros(span.startTime);
    if (timestamp > 0) converted.timestamp = timestamp;
    // What took less than a microsecond took one; what has no end has no duration.
    if (span.endTime > span.startTime) converted.duration = Math.max(1, otlpMicros(span.endTime) - timestamp);
    if (remote !== undefined) converted.remoteEndpoint = remote;
    const annotations = this.#contents.first(span.events.map(event => this.#annotation(event, timestamp)));
    converted.annotations = distinct(annotations.items);
    const marked = [...tags].map(([key, value]) => [storable(key), this.#contents.fit(storable(value))] as const);
    const {items, mark} = this.#contents.first(marked);
    const kept = [...items];
    if (mark !== undefined) kept.push([`${CUT}tags`, mark]);
    if (annotations.mark !== undefined) kept.push([`${CUT}annotations`, annotations.mark]);
    converted.tags = new Map(kept.sort(([a], [b]) => compareNames(a, b)));
    return converted;
  }

  /** An event that has no time happened at the start. */
  #annotation({time, name, attributes, droppedAttributesCount: dropped}: OtlpEvent, start: number): CompatAnnotation {
    const isPlain = attributes.length === 0 && dropped === 0;
    const value = isPlain ? name : `${name}|${jsonOf(attributes)}|${dropped}`;
    return {timestamp: otlpMicros(time) || start || 1, value: this.#contents.fit(storable(value))};
  }
}

/** Attributes of the resource, what made the span, and its own attributes, which win. */
function tagsOf({resource, scope, attributes, traceState}: OtlpSpan): Map<string, string> {
  const tags = new Map<string, string>();
  for (const {key, value} of resource.attributes) tags.set(key, otlpText(value));
  const [source] = ['faas.name', 'k8s.deployment.name', 'process.executable.name'].filter(key => tags.get(key));
  if (!tags.get('service.name') && source !== undefined) {
    tags.delete(source);
    tags.set('otlp.service.name.source', source);
  }
  if (scope.name !== '') tags.set('otel.library.name', scope.name);
  if (scope.version !== '') tags.set('otel.library.version', scope.version);
  for (const {key, value} of attributes) tags.set(key, otlpText(value));
  if (traceState !== '') tags.set('w3c.tracestate', traceState);
  return tags;
}

function setStatus(tags: Map<string, string>, {status: {code, message}}: OtlpSpan): void {
  if (code === ERROR) tags.set('error', 'true');
  else tags.delete('error');
  if (code === 0) return;
  tags.set('otel.status_code', STATUSES[code] ?? String(code));
  if (message !== '') tags.set('otel.status_description', message);
}

/** SkyWalking writes the ids of links as decimal numbers. */
function linkText({traceId, spanId, traceState, attributes, droppedAttributesCount}: OtlpLink): string {
  const [trace, span] = [traceId, spanId].map(id => String(BigInt(`0x0${id}`)));
  return [trace, span, traceState, jsonOf(attributes), droppedAttributesCount].join('|');
}

const jsonOf = (entries: readonly OtlpAttribute[]): string => otlpText({entries});

/** By time, then value, each once. */
function distinct(annotations: readonly CompatAnnotation[]): readonly CompatAnnotation[] {
  const sorted = [...annotations].sort((a, b) => a.timestamp - b.timestamp || compareNames(a.value, b.value));
  return sorted.filter(({timestamp, value}, at) => {
    const before = sorted[at - 1];
    return before === undefined || before.timestamp !== timestamp || before.value !== value;
  });
}

/** Compat spans hold no U+0000. */
const storable = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text);
