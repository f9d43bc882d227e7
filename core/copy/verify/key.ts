/** 64 bits that tell one thing from others, as two halves of 32. Of twenty million things no two have the same, but for a chance of 1 in 90,000. */
export interface ItemKey {
  readonly high: number;
  readonly low: number;
}

export function keyOf(text: string): ItemKey {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  return {high: mixed(high, low >>> 15), low: mixed(low, high >>> 13)};
}

/** A half of a key with a whole number of 32 bits, such as a minute, in it: another half for each. */
export function mixed(half: number, number: number): number {
  let bits = half ^ number;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** What stands for a text in comparisons: a whole number of 53 bits. */
export function numberOf(text: string): number {
  const {high, low} = keyOf(text);
  return high * 2 ** 21 + (low >>> 11);
}
