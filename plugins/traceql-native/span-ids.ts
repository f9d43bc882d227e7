import {type NativeSpan, nativeParent, type Segment} from '../../core/api/plugin.js';
import {encodeId} from './trace-id.js';

/** The public ids of spans of one trace: the hex form of the segment's id, the letter S and the number in the segment. */
export class SpanIds {
  /** By segment: what its spans' ids have in common. */
  readonly #prefixes = new Map<string, string>();

  of(segmentId: string, spanNumber: number): string {
    let prefix = this.#prefixes.get(segmentId);
    if (prefix === undefined) {
      prefix = encodeId(`${segmentId}S`);
      this.#prefixes.set(segmentId, prefix);
    }
    return prefix + encodedNumber(spanNumber);
  }

  /** That of the span's parent, which need not have been stored; undefined where it has none. */
  parentOf(segment: Segment, span: NativeSpan): string | undefined {
    const parent = nativeParent({segment, span});
    return parent && this.of(parent.segmentId, parent.spanId);
  }
}

/** Most spans of most segments: made once, because each takes two buffers to make. */
const FIRST_NUMBERS = Array.from({length: 100}, (_, number) => encodeId(String(number)));

function encodedNumber(number: number): string {
  return FIRST_NUMBERS[number] ?? encodeId(String(number));
}
