/** Ordinals of spans, ascending. */
export type Ordinals = Uint32Array;

export const NO_ORDINALS: Ordinals = new Uint32Array(0);

/** Delta-encoded LEB128 varints: each ordinal as its distance from the one before. In memory that is used again. */
export class PostingEncoder {
  bytes = new Uint8Array(65_536);
  length = 0;

  /** The first `count` of them. */
  encode(ordinals: ArrayLike<number>, count: number): void {
    if (this.bytes.length < count * 5) this.bytes = new Uint8Array(count * 5);
    const {bytes} = this;
    let length = 0;
    let previous = 0;
    for (let i = 0; i < count; i++) {
      const ordinal = ordinals[i] as number;
      let distance = ordinal - previous;
      previous = ordinal;
      while (distance > 0x7f) {
        bytes[length++] = (distance & 0x7f) | 0x80;
        distance >>>= 7;
      }
      bytes[length++] = distance;
    }
    this.length = length;
  }
}

export function decodePostings(blob: Uint8Array): Ordinals {
  const ordinals = new Uint32Array(blob.length);
  let count = 0;
  let ordinal = 0;
  let shift = 0;
  let distance = 0;
  for (let i = 0; i < blob.length; i++) {
    const byte = blob[i] as number;
    distance |= (byte & 0x7f) << shift;
    if (byte > 0x7f) {
      shift += 7;
      continue;
    }
    ordinal += distance;
    ordinals[count++] = ordinal;
    distance = 0;
    shift = 0;
  }
  return ordinals.subarray(0, count);
}

/** There always is one. */
export function firstPosting(blob: Uint8Array): number {
  return findPosting(blob, () => true) as number;
}

/** The first ordinal that passes; decodes no further than it has to. */
export function findPosting(blob: Uint8Array, passes: (ordinal: number) => boolean): number | undefined {
  let ordinal = 0;
  let shift = 0;
  let distance = 0;
  for (let i = 0; i < blob.length; i++) {
    const byte = blob[i] as number;
    distance |= (byte & 0x7f) << shift;
    if (byte > 0x7f) {
      shift += 7;
      continue;
    }
    ordinal += distance;
    if (passes(ordinal)) return ordinal;
    distance = 0;
    shift = 0;
  }
  return undefined;
}

/** What is in both; cheap when `a` is the shorter one. */
export function intersect(a: Ordinals, b: Ordinals): Ordinals {
  const both = new Uint32Array(Math.min(a.length, b.length));
  let count = 0;
  let at = 0;
  for (const ordinal of a) {
    at = lowerBound(b, ordinal, at);
    if (at === b.length) break;
    if (b[at] === ordinal) both[count++] = ordinal;
  }
  return both.subarray(0, count);
}

export function unite(a: Ordinals, b: Ordinals): Ordinals {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const all = new Uint32Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  all.sort();
  let count = 0;
  for (const ordinal of all) if (count === 0 || all[count - 1] !== ordinal) all[count++] = ordinal;
  return all.subarray(0, count);
}

/**
 * The first index from `from` on whose value is at least `value`. Looks near `from` first, so that walking through two
 * lists side by side is linear where they are alike and logarithmic where one is much longer.
 */
export function lowerBound(values: ArrayLike<number>, value: number, from = 0): number {
  let step = 1;
  let low = from;
  while (low + step < values.length && (values[low + step] as number) < value) {
    low += step;
    step *= 2;
  }
  let high = Math.min(values.length, low + step + 1);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
