/** The standard forms are 16 and 32 digits; the longer one is for ids that need more than 64 bits. */
const SHORT = 16;
const LONG = 32;

/** The form in which an id is stored, of one in any case and with or without leading zeros; undefined for what is none. */
export function canonicalTraceId(text: string): string | undefined {
  const digits = text.toLowerCase().replace(/^0+/, '');
  if (digits.length > LONG || !/^[0-9a-f]+$/.test(digits)) return undefined;
  return digits.padStart(digits.length > SHORT ? LONG : SHORT, '0');
}
