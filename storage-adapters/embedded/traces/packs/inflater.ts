import {unzlibSync} from 'fflate';

/** After so many bytes the sums of a checksum are brought back below its base (RFC 1950), which keeps them exact. */
const SUMMED = 3800;
const BASE = 65_521;

/**
 * Reads short texts in the form of zlib that were written with a dictionary. Node.js's own makes a stream and buffers of tens of
 * kilobytes for each text, which is garbage of twice the time that reading takes.
 */
export class Inflater {
  #dictionary: Uint8Array | undefined;
  #checksum = 0;
  /** What was read last. */
  #content = Buffer.alloc(0);

  /** What `data` says, until the next call; undefined when that is longer than `most`, or damaged. */
  read(data: Uint8Array, dictionary: Uint8Array, most: number): Buffer | undefined {
    this.#begin(dictionary, most);
    // The library takes any dictionary, and cuts what is too long, without a word: checksums tell.
    if (data.length < 10 || word(data, 2) !== this.#checksum) return undefined;
    let content: Uint8Array;
    try {
      content = unzlibSync(data, {dictionary, out: this.#content});
    } catch {
      return undefined;
    }
    if (content.length > most || word(data, data.length - 4) !== adler(content)) return undefined;
    return this.#content.subarray(0, content.length);
  }

  #begin(dictionary: Uint8Array, most: number): void {
    if (this.#content.length < most) this.#content = Buffer.allocUnsafeSlow(most);
    if (this.#dictionary === dictionary) return;
    this.#dictionary = dictionary;
    this.#checksum = adler(dictionary);
  }
}

function word(bytes: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(at, at + 4);
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}

/** The checksum of zlib. */
function adler(bytes: Uint8Array): number {
  let sum = 1;
  let sums = 0;
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(bytes.length, at + SUMMED);
    for (; at < end; at++) {
      sum += bytes[at] as number;
      sums += sum;
    }
    sum %= BASE;
    sums %= BASE;
  }
  return ((sums << 16) | sum) >>> 0;
}
