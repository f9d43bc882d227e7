import {createHash} from 'node:crypto';

/** The longest name that is accepted, in bytes. */
export const LONGEST_NAME = 1024;
/** The longest value of a tag and content of a record, in bytes. */
export const LONGEST_TEXT = 1_048_576;

/** A text of so many bytes that does not become shorter by compression, the same for the same seed. */
export function longText(bytes: number, seed: string): string {
  let text = '';
  for (let i = 0; text.length < bytes; i++) text += createHash('sha256').update(`${seed} ${i}`).digest('base64url');
  return text.slice(0, bytes);
}
