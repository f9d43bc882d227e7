import type {ConvertedResource, ConvertedSpan} from './model.js';

/** Stored spans by their service, as resources. The spans are converted anew by each iteration. */
export function resourcesOf<Stored>(
  services: ReadonlyMap<string, readonly Stored[]>,
  convert: (span: Stored) => ConvertedSpan,
): readonly ConvertedResource[] {
  return Array.from(services, ([serviceName, spans]) => ({
    serviceName,
    spans: {
      *[Symbol.iterator]() {
        for (const span of spans) yield convert(span);
      },
    },
  }));
}
