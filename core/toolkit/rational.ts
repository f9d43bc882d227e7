/** The smallest double, of which every double is a multiple. */
const UNIT_EXPONENT = -1074;
const MANTISSA_BITS = 52;

const view = new DataView(new ArrayBuffer(8));

/** A finite double as a whole number of 2^-1074. */
export function unitsOf(value: number): bigint {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const units = exponent === 0 ? fraction : (fraction | (1n << 52n)) << BigInt(exponent - 1);
  return bits >> 63n === 0n ? units : -units;
}

/**
 * The double nearest to `units / divisor` × 2^-1074, ties to even; of what is beyond all doubles the largest of its sign.
 * `divisor` is positive. Never -0.
 */
export function nearestDouble(units: bigint, divisor: bigint): number {
  const magnitude = nearestMagnitude(units < 0n ? -units : units, divisor);
  return units < 0n && magnitude > 0 ? -magnitude : magnitude;
}

/** The double nearest to a quotient of whole numbers. */
export function nearestQuotient(dividend: bigint, divisor: bigint): number {
  return nearestDouble(dividend << BigInt(-UNIT_EXPONENT), divisor);
}

function nearestMagnitude(units: bigint, divisor: bigint): number {
  // Three bits more than a double has, or as many as are needed to reach the smallest one.
  const shift = Math.max(0, bitLength(units) - bitLength(divisor) - MANTISSA_BITS - 3);
  const scaled = divisor << BigInt(shift);
  const quotient = units / scaled;
  const remainder = units - quotient * scaled;
  if (shift === 0 && quotient < 1n << 53n) {
    const twice = 2n * remainder;
    const up = twice > scaled || (twice === scaled && (quotient & 1n) === 1n);
    return Number(up ? quotient + 1n : quotient) * Number.MIN_VALUE;
  }
  // A last bit that says whether anything is left makes the one rounding, that of `Number`, the right one.
  const rounded = Number(2n * quotient + (remainder === 0n ? 0n : 1n));
  const exponent = shift - 1 + UNIT_EXPONENT;
  // In two steps, because the power alone may be smaller than any double.
  const value = rounded * 2 ** Math.ceil(exponent / 2) * 2 ** Math.floor(exponent / 2);
  return Math.min(value, Number.MAX_VALUE);
}

function bitLength(value: bigint): number {
  const digits = value.toString(16);
  return digits.length * 4 - (Math.clz32(Number.parseInt(digits[0] ?? '0', 16)) - 28);
}
