import type {ConvertedResource, ConvertedSpan} from './model.js';

/** Stored spans by their service, as resources. The spans are converted anew by each iteration. */
export function resourcesOf<Stored>(
  services: ReadonlyMap<string, readonly Stored[]>,
  convert: (span: Stored) => ConvertedSpan,
): readonly ConvertedResource[] {
  const resources: ConvertedResource[] = [];
  for (const [serviceName, spans] of services) resources.push({serviceName, spans: new ConvertedSpans(spans, convert)});
  return resources;
}

/** An iterator and no generator, which takes longer for each span, and most resources of a trace have few. */
class ConvertedSpans<Stored> implements Iterable<ConvertedSpan> {
  readonly #spans: readonly Stored[];
  readonly #convert: (span: Stored) => ConvertedSpan;

  constructor(spans: readonly Stored[], convert: (span: Stored) => ConvertedSpan) {
    this.#spans = spans;
    this.#convert = convert;
  }

  [Symbol.iterator](): Iterator<ConvertedSpan> {
    const spans = this.#spans.values();
    const convert = this.#convert;
    return {
      next() {
        const {done, value} = spans.next();
        return done ? {done, value} : {done: false, value: convert(value)};
      },
    };
  }
}
