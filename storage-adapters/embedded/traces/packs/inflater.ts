/** Where a block says how long the codes of its lengths are (RFC 1951, 3.2.7). */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const LONGEST_CODE = 15;
const LITERALS = 288;
const DISTANCES = 32;
const END = 256;
/** After so many bytes the sums of a checksum are brought back below its base (RFC 1950), which keeps them exact. */
const SUMMED = 3800;
const BASE = 65_521;

const LENGTH_BASE = new Uint16Array(32);
const LENGTH_BITS = new Uint8Array(32);
const DISTANCE_BASE = new Uint16Array(32);
const DISTANCE_BITS = new Uint8Array(32);
for (let code = 0, base = 3; code < 28; code++) {
  LENGTH_BITS[code] = code < 8 ? 0 : (code >> 2) - 1;
  LENGTH_BASE[code] = base;
  base += 1 << (LENGTH_BITS[code] as number);
}
LENGTH_BASE[28] = 258;
for (let code = 0, base = 1; code < 30; code++) {
  DISTANCE_BITS[code] = code < 4 ? 0 : (code >> 1) - 1;
  DISTANCE_BASE[code] = base;
  base += 1 << (DISTANCE_BITS[code] as number);
}

/** Codes by the bits that come next: sixteen times the symbol, and how many of the bits are its own; 0 where none begins so. */
class Codes {
  readonly table = new Uint16Array(1 << LONGEST_CODE);
  bits = 0;
  readonly #counts = new Uint16Array(LONGEST_CODE + 1);
  readonly #next = new Uint16Array(LONGEST_CODE + 1);

  /** False when no codes have these lengths. */
  make(lengths: Uint8Array, from: number, to: number): boolean {
    const counts = this.#counts.fill(0);
    for (let i = from; i < to; i++) {
      const length = lengths[i] as number;
      counts[length] = (counts[length] as number) + 1;
    }
    counts[0] = 0;
    let code = 0;
    this.bits = 1;
    for (let length = 1; length <= LONGEST_CODE; length++) {
      code = (code + (counts[length - 1] as number)) << 1;
      this.#next[length] = code;
      if (code + (counts[length] as number) > 1 << length) return false;
      if ((counts[length] as number) > 0) this.bits = length;
    }
    const {table, bits} = this;
    const size = 1 << bits;
    table.fill(0, 0, size);
    for (let i = from; i < to; i++) {
      const length = lengths[i] as number;
      if (length === 0) continue;
      const entry = ((i - from) << 4) | length;
      const next = this.#next[length] as number;
      this.#next[length] = next + 1;
      for (let at = reversed(next, length); at < size; at += 1 << length) table[at] = entry;
    }
    return true;
  }
}

function reversed(code: number, length: number): number {
  let result = 0;
  for (let i = 0, rest = code; i < length; i++, rest >>= 1) result = (result << 1) | (rest & 1);
  return result;
}

const FIXED_LENGTHS = new Uint8Array(LITERALS + DISTANCES).map((_, i) =>
  i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : i < LITERALS ? 8 : 5,
);

/**
 * Reads short texts in the form of zlib that were written with a dictionary. The library makes a stream and a window for each
 * text, which takes longer than to read one of a few kilobytes here.
 */
export class Inflater {
  readonly #literals = new Codes();
  readonly #distances = new Codes();
  readonly #lengths = new Uint8Array(LITERALS + DISTANCES + 258);
  #dictionary: Uint8Array | undefined;
  #checksum = 0;
  /** The dictionary, and behind it what was read last. */
  #window = Buffer.alloc(0);
  #data: Uint8Array = this.#window;
  #at = 0;
  #hold = 0;
  #held = 0;

  /** What `data` says, until the next call; undefined when that is longer than `most`, or damaged. */
  read(data: Uint8Array, dictionary: Uint8Array, most: number): Buffer | undefined {
    this.#begin(dictionary, most);
    // A method and a window that are known, and a dictionary.
    if (data.length < 10 || ((data[0] as number) & 0x8f) !== 0x08 || ((data[1] as number) & 0x20) === 0)
      return undefined;
    if (word(data, 2) !== this.#checksum) return undefined;
    this.#data = data;
    this.#at = 6;
    this.#hold = 0;
    this.#held = 0;
    const from = dictionary.length;
    let to: number | undefined = from;
    for (let isLast = false; !isLast && to !== undefined; ) {
      isLast = this.#bits(1) === 1;
      to = this.#block(this.#bits(2), to, from + most);
    }
    const end = this.#at - (this.#held >> 3);
    if (to === undefined || end + 4 > data.length) return undefined;
    return word(data, end) === adler(this.#window, from, to) ? this.#window.subarray(from, to) : undefined;
  }

  #begin(dictionary: Uint8Array, most: number): void {
    if (this.#dictionary === dictionary && this.#window.length >= dictionary.length + most) return;
    this.#window = Buffer.allocUnsafeSlow(dictionary.length + most);
    this.#window.set(dictionary);
    this.#dictionary = dictionary;
    this.#checksum = adler(dictionary, 0, dictionary.length);
  }

  /** Where the window ends behind the block; undefined when it does not fit, or is damaged. */
  #block(type: number, from: number, limit: number): number | undefined {
    if (type === 0) return this.#stored(from, limit);
    if (type === 1) {
      this.#literals.make(FIXED_LENGTHS, 0, LITERALS);
      this.#distances.make(FIXED_LENGTHS, LITERALS, LITERALS + DISTANCES);
    } else if (type !== 2 || !this.#readCodes()) return undefined;
    return this.#compressed(from, limit);
  }

  #stored(from: number, limit: number): number | undefined {
    const data = this.#data;
    const at = this.#at - (this.#held >> 3);
    this.#hold = 0;
    this.#held = 0;
    const length = (data[at] ?? 0) | ((data[at + 1] ?? 0) << 8);
    this.#at = at + 4 + length;
    if (from + length > limit || this.#at > data.length) return undefined;
    this.#window.set(data.subarray(at + 4, this.#at), from);
    return from + length;
  }

  #readCodes(): boolean {
    const lengths = this.#lengths.fill(0);
    const literals = this.#bits(5) + 257;
    const distances = this.#bits(5) + 1;
    const count = this.#bits(4) + 4;
    for (let i = 0; i < count; i++) lengths[ORDER[i] as number] = this.#bits(3);
    if (!this.#literals.make(lengths, 0, 19)) return false;
    lengths.fill(0, 0, 19);
    for (let i = 0; i < literals + distances; ) {
      const symbol = this.#symbol(this.#literals);
      if (symbol < 0) return false;
      if (symbol < 16) lengths[i++] = symbol;
      else {
        const value = symbol === 16 ? (lengths[i - 1] ?? 0) : 0;
        const times = symbol === 16 ? 3 + this.#bits(2) : symbol === 17 ? 3 + this.#bits(3) : 11 + this.#bits(7);
        lengths.fill(value, i, i + times);
        i += times;
      }
    }
    return this.#literals.make(lengths, 0, literals) && this.#distances.make(lengths, literals, literals + distances);
  }

  #compressed(from: number, limit: number): number | undefined {
    const window = this.#window;
    const data = this.#data;
    const {table: literals} = this.#literals;
    const {table: distances} = this.#distances;
    const literalMask = (1 << this.#literals.bits) - 1;
    const distanceMask = (1 << this.#distances.bits) - 1;
    const last = data.length + 4;
    let at = this.#at;
    let hold = this.#hold;
    let held = this.#held;
    let to = from;
    for (;;) {
      // 15 bits of a code, and 5 behind it.
      for (; held < 20; held += 8) hold |= (data[at++] ?? 0) << held;
      let entry = literals[hold & literalMask] as number;
      hold >>>= entry & 15;
      held -= entry & 15;
      const symbol = entry >> 4;
      if (entry === 0 || at > last) return undefined;
      if (symbol < END) {
        if (to === limit) return undefined;
        window[to++] = symbol;
        continue;
      }
      if (symbol === END) break;
      const extra = LENGTH_BITS[symbol - 257] as number;
      let left = (LENGTH_BASE[symbol - 257] as number) + (hold & ((1 << extra) - 1));
      hold >>>= extra;
      held -= extra;
      for (; held < 15; held += 8) hold |= (data[at++] ?? 0) << held;
      entry = distances[hold & distanceMask] as number;
      hold >>>= entry & 15;
      held -= entry & 15;
      const more = DISTANCE_BITS[entry >> 4] as number;
      for (; held < more; held += 8) hold |= (data[at++] ?? 0) << held;
      const back = (DISTANCE_BASE[entry >> 4] as number) + (hold & ((1 << more) - 1));
      hold >>>= more;
      held -= more;
      let source = to - back;
      if (entry === 0 || back === 0 || source < 0 || to + left > limit) return undefined;
      for (; left > 0; left--) window[to++] = window[source++] as number;
    }
    this.#at = at;
    this.#hold = hold;
    this.#held = held;
    return to;
  }

  #symbol({table, bits}: Codes): number {
    this.#fill(bits);
    const entry = table[this.#hold & ((1 << bits) - 1)] as number;
    this.#hold >>>= entry & 15;
    this.#held -= entry & 15;
    return entry === 0 ? -1 : entry >> 4;
  }

  #bits(count: number): number {
    this.#fill(count);
    const value = this.#hold & ((1 << count) - 1);
    this.#hold >>>= count;
    this.#held -= count;
    return value;
  }

  #fill(count: number): void {
    for (; this.#held < count; this.#held += 8) this.#hold |= (this.#data[this.#at++] ?? 0) << this.#held;
  }
}

function word(bytes: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(at, at + 4);
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}

/** The checksum of zlib over [from, to). */
function adler(bytes: Uint8Array, from: number, to: number): number {
  let sum = 1;
  let sums = 0;
  for (let at = from; at < to; ) {
    const end = Math.min(to, at + SUMMED);
    for (; at < end; at++) {
      sum += bytes[at] as number;
      sums += sum;
    }
    sum %= BASE;
    sums %= BASE;
  }
  return ((sums << 16) | sum) >>> 0;
}
