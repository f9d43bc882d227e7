/**
 * The end of a sample's line as most senders write it, `"time":1700000040,"value":6}`, read without a JSON parser. Spaces
 * after colons and commas are taken too. Anything else is simply not recognised, and the caller reads the whole line.
 */
const TIME_KEY = '"time":';
const VALUE_KEY = '"value":';

/** The longest tail: two keys, an integer of 12 digits, a number, spaces. */
const TAIL_LENGTH = 80;

/** Powers of ten that doubles hold exactly; so is the quotient of an exact integer and one of them rounded right. */
const POWERS = Array.from({length: 23}, (_, n) => Number(`1e${n}`));

/** A scanner that is reused, so that reading a tail allocates nothing. After `scan` its fields hold what was read. */
export class SampleTail {
  /** Where the tail begins; what stands before it is the same in every line of a series. */
  start = 0;
  /** Unix seconds as written. */
  time = 0;
  value = 0;
  #line = '';
  #at = 0;

  /** Whether the line ends in a tail. */
  scan(line: string): boolean {
    const start = line.lastIndexOf(TIME_KEY);
    if (start < line.length - TAIL_LENGTH || start < 0) return false;
    this.#line = line;
    this.#at = start + TIME_KEY.length;
    this.start = start;
    return this.#time() && this.#take(0x2c) && this.#valueKey() && this.#value() && this.#take(0x7d) && this.#atEnd();
  }

  #spaces(): void {
    while (this.#line.charCodeAt(this.#at) === 0x20) this.#at++;
  }

  #take(code: number): boolean {
    this.#spaces();
    if (this.#line.charCodeAt(this.#at) !== code) return false;
    this.#at++;
    return true;
  }

  #valueKey(): boolean {
    this.#spaces();
    if (!this.#line.startsWith(VALUE_KEY, this.#at)) return false;
    this.#at += VALUE_KEY.length;
    return true;
  }

  #atEnd(): boolean {
    this.#spaces();
    return this.#at === this.#line.length;
  }

  /** Digits as an integer; -1 when there is none, a leading zero that JSON forbids, or too many to be exact. */
  #digits(): number {
    const from = this.#at;
    let number = 0;
    for (;;) {
      const digit = this.#line.charCodeAt(this.#at) - 0x30;
      if (!(digit >= 0 && digit <= 9)) break;
      number = number * 10 + digit;
      this.#at++;
    }
    const length = this.#at - from;
    const leadingZero = length > 1 && this.#line.charCodeAt(from) === 0x30;
    return length === 0 || length > 15 || leadingZero ? -1 : number;
  }

  #time(): boolean {
    this.#spaces();
    this.time = this.#digits();
    return this.time >= 0;
  }

  /** A plain decimal. Exponents, and more digits than fit an exact integer, are left to the caller. */
  #value(): boolean {
    this.#spaces();
    const negative = this.#line.charCodeAt(this.#at) === 0x2d;
    if (negative) this.#at++;
    const whole = this.#digits();
    if (whole < 0) return false;
    let number = whole;
    if (this.#line.charCodeAt(this.#at) === 0x2e) {
      const from = ++this.#at;
      let digit = this.#line.charCodeAt(this.#at) - 0x30;
      for (; digit >= 0 && digit <= 9; digit = this.#line.charCodeAt(this.#at) - 0x30) {
        number = number * 10 + digit;
        this.#at++;
      }
      const decimals = this.#at - from;
      if (decimals === 0 || decimals >= POWERS.length || number > Number.MAX_SAFE_INTEGER) return false;
      number /= POWERS[decimals] ?? 1;
    }
    this.value = negative ? -number : number;
    return true;
  }
}
