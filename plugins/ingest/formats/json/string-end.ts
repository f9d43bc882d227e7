/**
 * Where the string ends whose opening quote stands at `at`: behind its closing quote, or at the end of the text. A loop,
 * because a regular expression needs stack for each character, and strings may be long.
 */
export function stringEnd(text: string, at: number): number {
  let quote = text.indexOf('"', at + 1);
  while (quote >= 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote < 0 ? text.length : quote + 1;
}

function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text[first - 1] === '\\') first--;
  return (quote - first) % 2 === 1;
}
