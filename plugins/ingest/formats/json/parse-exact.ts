import {stringEnd} from './string-end.js';

/** Finds most texts that need no change. */
const LONG_INTEGER = /[:[,]\s*-?(?:9\d{15}|\d{17})/;

/** Longer ones fit no integer of 64 bits. */
const QUOTED = /^-?[1-9]\d{15,30}$/;

/**
 * JSON.parse, but integers that a double cannot hold come as their decimal text, so that nothing of them is lost: in
 * JSON an integer of 64 bits is a number or its text.
 */
export function parseExact(text: string): unknown {
  return JSON.parse(LONG_INTEGER.test(text) ? quoteUnsafeIntegers(text) : text);
}

function quoteUnsafeIntegers(text: string): string {
  let changed = '';
  let copied = 0;
  for (let at = 0; at < text.length; ) {
    if (text[at] === '"') {
      at = stringEnd(text, at);
    } else if (isOfNumber(text.charCodeAt(at))) {
      const end = numberEnd(text, at);
      if (isUnsafe(text, at, end)) {
        changed += `${text.slice(copied, at)}"${text.slice(at, end)}"`;
        copied = end;
      }
      at = end;
    } else {
      at++;
    }
  }
  return changed + text.slice(copied);
}

function isUnsafe(text: string, at: number, end: number): boolean {
  // Where a key should stand a number is no JSON, and must not become any.
  if (end - at < 16 || end - at > 32 || /^\s*:/.test(text.slice(end, end + 100))) return false;
  const literal = text.slice(at, end);
  return QUOTED.test(literal) && !Number.isSafeInteger(Number(literal));
}

function numberEnd(text: string, at: number): number {
  let end = at + 1;
  while (isOfNumber(text.charCodeAt(end))) end++;
  return end;
}

/** A digit, sign, point or letter: what may stand in a number, or spoils one. */
function isOfNumber(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d || code === 0x2e || isLetter(code | 0x20);
}

function isLetter(lowerCase: number): boolean {
  return lowerCase >= 0x61 && lowerCase <= 0x7a;
}
