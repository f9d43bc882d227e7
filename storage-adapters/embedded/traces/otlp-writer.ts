import type {Call, EncodedOtlpSpans, OtlpSpan, OtlpSpanWriter} from '../../../core/api/adapter.js';
import {encodeOtlpSpans} from '../../../core/toolkit/otlp/encoded-spans.js';
import {cooperate, forEachYielding} from '../../../core/toolkit/yielder.js';
import {joinBytes} from '../threads/bodies.js';
import type {SpanPart, TracePart} from '../threads/writer-protocol.js';
import {FragmentQueue, PART_FRAGMENTS, PART_LENGTH, type TraceHost} from './fragment-queue.js';
import {embeddedOtlpModel} from './fragments/model.js';

/** Has spans of OTLP stored in their encoded form, in the order of the calls. */
export class EmbeddedOtlpWriter extends FragmentQueue implements OtlpSpanWriter {
  constructor(host: TraceHost) {
    super(embeddedOtlpModel, host);
  }

  write(spans: readonly OtlpSpan[], call: Call): Promise<void> {
    return this.store(spans.length, async () => partsOf(await cooperate(encodeOtlpSpans(spans))), call);
  }

  writeEncoded(spans: EncodedOtlpSpans, call: Call): Promise<void> {
    return this.store(spans.spans.length / 3, () => partsOf(spans), call);
  }
}

async function partsOf(spans: EncodedOtlpSpans): Promise<readonly TracePart[]> {
  const parts: TracePart[] = [];
  await forEachYielding(cuts(spans.spans), ([from, to]) => {
    parts.push(partOf(spans, from, to));
  });
  return parts;
}

/** The first and last index of each part. */
function* cuts(places: Uint32Array): Generator<readonly [from: number, to: number]> {
  for (let from = 0; from < places.length; ) {
    const begin = places[from + 1] as number;
    let to = from + 3;
    for (; to < places.length && to - from < PART_FRAGMENTS * 3; to += 3) {
      if ((places[to + 2] as number) - begin > PART_LENGTH) break;
    }
    yield [from, to];
    from = to;
  }
}

/** A copy, which goes over to the other thread as a whole. */
function partOf({bytes, spans, origins}: EncodedOtlpSpans, from: number, to: number): SpanPart {
  const begin = spans[from + 1] as number;
  const places = new Uint32Array(to - from);
  const pieces: Uint8Array[] = [];
  const known = new Map<number, number>();
  for (let at = from; at < to; at += 3) {
    const origin = spans[at] as number;
    let index = known.get(origin);
    if (index === undefined) {
      index = known.size;
      known.set(origin, index);
      const of = origins[origin];
      if (of === undefined) throw new RangeError(`span ${at / 3} has no origin ${origin}`);
      pieces.push(of.resource, Buffer.from(of.resourceSchemaUrl), of.scope, Buffer.from(of.scopeSchemaUrl));
    }
    places[at - from] = index;
    places[at - from + 1] = (spans[at + 1] as number) - begin;
    places[at - from + 2] = (spans[at + 2] as number) - begin;
  }
  return {bytes: bytes.slice(begin, spans[to - 1]), spans: places, origins: joinBytes(pieces)};
}
