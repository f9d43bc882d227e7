import type {KeyValue} from '../../../core/api/plugin.js';
import type {OtlpResource, OtlpSpan} from '../model.js';

/** Spans by their service: services in the order in which they first occur, the spans of each in the order given. */
export class SpansByService {
  readonly #spans = new Map<string, OtlpSpan[]>();

  add(serviceName: string, span: OtlpSpan): void {
    const spans = this.#spans.get(serviceName);
    if (spans === undefined) this.#spans.set(serviceName, [span]);
    else spans.push(span);
  }

  resources(): readonly OtlpResource[] {
    return Array.from(this.#spans, ([serviceName, spans]) => ({serviceName, spans}));
  }
}

/**
 * Attributes without repeated keys, as OTLP wants them. The last value of a key counts and stands where the key first
 * occurred; the others keep their order.
 */
export function uniqueByKey(attributes: readonly KeyValue[]): readonly KeyValue[] {
  const values = new Map<string, string>();
  for (const {key, value} of attributes) values.set(key, value);
  if (values.size === attributes.length) return attributes;
  return Array.from(values, ([key, value]) => ({key, value}));
}
