import {stringEnd} from './string-end.js';

/** What a JSON text begins with, as far as its head shows. */
export interface Beginning {
  readonly array: boolean;
  /** The keys of the object, or of the first object in the array. */
  readonly keys: ReadonlySet<string>;
}

/** Undefined when the head begins with neither an object nor an array. */
export function beginningOf(head: Uint8Array): Beginning | undefined {
  // A byte order mark counts as white space here.
  const text = Buffer.from(head).toString().trimStart();
  if (text[0] !== '[' && text[0] !== '{') return undefined;
  const array = text[0] === '[';
  return {array, keys: firstKeys(text, array ? 2 : 1)};
}

/** The keys of the first object at this depth of nesting. */
function firstKeys(text: string, objectDepth: number): ReadonlySet<string> {
  const keys = new Set<string>();
  let depth = 0;
  for (let at = 0; at < text.length; ) {
    const [start, character] = [at, text[at]];
    at = character === '"' ? stringEnd(text, at) : at + 1;
    if (character === '{' || character === '[') depth++;
    if (character === '}' || character === ']') depth--;
    if (depth < objectDepth && character === '}') break;
    if (depth === objectDepth && character === '"' && /^\s*:/.test(text.slice(at, at + 100))) {
      keys.add(text.slice(start + 1, at - 1));
    }
  }
  return keys;
}
