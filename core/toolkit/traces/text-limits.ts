/** The most bytes of a name. */
export const NAME_BYTES = 1024;

/** The most bytes of a text that is content: of a tag's value, of a statement. */
export const TEXT_BYTES = 1024 * 1024;

/** Why a text, which is well-formed, cannot be stored; undefined when it can. */
export function textProblem(text: string, bytes: number): string | undefined {
  // A UTF-16 unit takes at most three bytes, so short texts need no count.
  if (text.length * 3 > bytes && Buffer.byteLength(text) > bytes) {
    return `found ${Buffer.byteLength(text)} bytes, expected at most ${bytes}`;
  }
  if (text.includes('\0')) return 'found the character U+0000, which cannot be stored';
  return undefined;
}
