import {RE2JS} from 're2js';
import {GatewayError} from '../../../core/api/plugin.js';

const CAPACITY = 256;
const compiled = new Map<string, RE2JS>();

/** RE2, so in linear time; anchored at both ends, the dot matches newlines too. Kept, the least recently used goes. */
export function fullMatch(pattern: string, what: string): (text: string) => boolean {
  const known = compiled.get(pattern);
  const regex = known ?? compile(pattern, what);
  if (known !== undefined) compiled.delete(pattern);
  compiled.set(pattern, regex);
  if (compiled.size > CAPACITY) compiled.delete(compiled.keys().next().value as string);
  return text => regex.testExact(text);
}

function compile(pattern: string, what: string): RE2JS {
  try {
    return RE2JS.compile(pattern, RE2JS.DOTALL);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new GatewayError('bad_request', `${what} is not an RE2 regular expression: ${reason}`, {cause});
  }
}
