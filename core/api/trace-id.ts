/**
 * The ids of compat and of OTLP traces.
 *
 * A compat trace id is a number of up to 128 bits in hexadecimal. Senders and dashboards write the same id in any case,
 * and with or without leading zeros: it names one trace in all of these forms. Spans reach a writer with the canonical one;
 * a reader is asked with whatever a user has typed. The ids of native traces are plain text, of which every character
 * counts.
 */

/** Digits of the two canonical lengths; the longer one is for ids that need more than 64 bits. */
const SHORT = 16;
const LONG = 32;

/**
 * The canonical form of any text that names a compat trace: 16 digits of lower case hex, or 32 where 16 do not hold it.
 * Undefined for text that is the id of no trace, as zero is none.
 */
export function canonicalTraceId(text: string): string | undefined {
  const digits = text.toLowerCase().replace(/^0+/, '');
  if (digits.length > LONG || !/^[0-9a-f]+$/.test(digits)) return undefined;
  return digits.padStart(digits.length > SHORT ? LONG : SHORT, '0');
}

/** The same of an OTLP trace, whose ids always have 128 bits: 32 digits. */
export function canonicalOtlpTraceId(text: string): string | undefined {
  return canonicalTraceId(text)?.padStart(LONG, '0');
}
