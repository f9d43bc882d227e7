import type {ConvertedResource, ConvertedSpan} from './model.js';

/** Stored spans by their service: services in the order in which they first occur, spans in the order given. */
export class SpansByService<Stored> {
  readonly #spans = new Map<string, Stored[]>();

  add(serviceName: string, span: Stored): void {
    const spans = this.#spans.get(serviceName);
    if (spans === undefined) this.#spans.set(serviceName, [span]);
    else spans.push(span);
  }

  /** The spans are converted anew by each iteration. */
  resources(convert: (span: Stored) => ConvertedSpan): readonly ConvertedResource[] {
    return Array.from(this.#spans, ([serviceName, spans]) => ({
      serviceName,
      spans: {
        *[Symbol.iterator]() {
          for (const span of spans) yield convert(span);
        },
      },
    }));
  }
}
