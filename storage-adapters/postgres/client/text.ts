/**
 * Text as PostgreSQL can hold it. Its text has neither U+0000 nor lone surrogates, so both are escaped with U+0001,
 * and U+0001 with itself. Text without any of the three, which is nearly all, is stored as it is.
 *
 * The escapes keep the order of code points where they can (U+0000 before U+0001, both before the rest), and the code
 * of a text that contains another contains the other's code.
 */
const ESCAPE = String.fromCharCode(1);
const NUL = String.fromCharCode(0);
const SPECIAL = new RegExp(`[${NUL}${ESCAPE}\\ud800-\\udfff]`, 'gu');
const CODE = new RegExp(`${ESCAPE}(?:\\x01|\\x02|\\x03([\\ue000-\\ue7ff]))`, 'gu');
/** From a lone surrogate to a character of private use. */
const SHIFT = 0x800;

export function encodeText(text: string): string {
  return text.replace(SPECIAL, character => {
    if (character === NUL) return '\x01\x01';
    if (character === ESCAPE) return '\x01\x02';
    return `\x01\x03${String.fromCharCode(character.charCodeAt(0) + SHIFT)}`;
  });
}

export function decodeText(text: string): string {
  if (!text.includes(ESCAPE)) return text;
  return text.replace(CODE, (code, surrogate?: string) => {
    if (surrogate !== undefined) return String.fromCharCode(surrogate.charCodeAt(0) - SHIFT);
    return code === '\x01\x01' ? NUL : ESCAPE;
  });
}
