/**
 * Sums and means as mathematics has them, by fractions of whole numbers, without any of the arithmetic of doubles that an
 * adapter might use.
 */
export interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

const view = new DataView(new ArrayBuffer(8));

/** A double, exactly. */
export function fractionOf(value: number): Fraction {
  if (Number.isInteger(value)) return {over: BigInt(value), under: 1n};
  view.setFloat64(0, value);
  const exponent = Math.max(1, (view.getUint16(0) >> 4) & 0x7ff) - 1075;
  return {
    over: BigInt(value * 2 ** Math.min(1023, -exponent) * 2 ** Math.max(0, -exponent - 1023)),
    under: 1n << BigInt(-exponent),
  };
}

export function sumOf(fractions: readonly Fraction[]): Fraction {
  return fractions.reduce((a, b) => {
    if (a.under === b.under) return {over: a.over + b.over, under: a.under};
    if (a.under % b.under === 0n) return {over: a.over + b.over * (a.under / b.under), under: a.under};
    if (b.under % a.under === 0n) return {over: b.over + a.over * (b.under / a.under), under: b.under};
    return {over: a.over * b.under + b.over * a.under, under: a.under * b.under};
  });
}

export function by({over, under}: Fraction, divisor: number): Fraction {
  return {over, under: under * BigInt(divisor)};
}

/** The nearest double, of two the even one; the largest of its sign for what is beyond. Never -0. */
export function nearest({over, under}: Fraction): number {
  const magnitude = positive(over < 0n ? -over : over, under);
  return over < 0n && magnitude > 0 ? -magnitude : magnitude;
}

function positive(over: bigint, under: bigint): number {
  // In units of 2^-scale it has 57 bits or more, if doubles have such units.
  const scale = Math.min(1074, 61 + 4 * (under.toString(16).length - over.toString(16).length));
  const [a, b] = scale < 0 ? [over, under << BigInt(-scale)] : [over << BigInt(scale), under];
  const whole = a / b;
  const rest = a % b;
  if (scale === 1074 && whole < 1n << 53n) {
    const isUp = rest * 2n > b || (rest * 2n === b && whole % 2n === 1n);
    return Number(whole + (isUp ? 1n : 0n)) * Number.MIN_VALUE;
  }
  // The language rounds a whole number to the nearest double; that something is left only counts where it is a tie.
  const rounded = Number(whole * 2n + (rest === 0n ? 0n : 1n)) / 2;
  const half = Math.trunc(scale / 2);
  return Math.min(rounded / 2 ** half / 2 ** (scale - half), Number.MAX_VALUE);
}
