import type {ConfigError} from '../../config/config-error.js';
import {flagError} from './flag-error.js';
import {formatGoDuration, parseGoDuration} from './go-duration.js';
import {splitFields} from './split-fields.js';

/** A type of flag values. */
export interface FlagType<T> {
  /** The word for a value in the usage text; none for a switch. */
  readonly word: string;
  /** A switch stands alone: only `--name=value` gives it a value. */
  readonly isSwitch?: boolean;
  /** The value after one more use of the flag. Throws a `ConfigError` that says what is wrong with the text. */
  parse(text: string, earlier: T | undefined): T;
  /** The default in the usage text; empty for the value that goes without saying. */
  print(value: T): string;
}

export const text: FlagType<string> = {
  word: 'string',
  parse: value => value,
  print: value => (value === '' ? '' : JSON.stringify(value)),
};

/** A file. Left out it is the empty text; given as that, as by a shell's variable that is not set, it is a mistake. */
export const path: FlagType<string> = {
  ...text,
  parse(value) {
    if (value === '') throw flagError('an empty value names no file');
    return value;
  },
};

/** Milliseconds, written as a Go duration. */
export const duration: FlagType<number> = {
  word: 'duration',
  parse: parseGoDuration,
  print: value => (value === 0 ? '' : formatGoDuration(value)),
};

/** A list as fields between commas. The first use of the flag replaces the default, further ones add to it. */
export const texts: FlagType<readonly string[]> = {
  word: 'strings',
  parse: (value, earlier = []) => [...earlier, ...splitFields(value)],
  print: value => (value.length === 0 ? '' : `[${value.join(',')}]`),
};

const INTEGER =
  /^([+-]?)(0x_?[\da-f]+(?:_[\da-f]+)*|0b_?[01]+(?:_[01]+)*|0o?_?[0-7]+(?:_[0-7]+)*|0|[1-9]\d*(?:_\d+)*)$/i;

/** A whole number: decimal, or hexadecimal, octal or binary by its prefix, with `_` between digits. */
export const integer: FlagType<number> = {
  word: 'int',
  parse(value) {
    const [, sign, digits = ''] = INTEGER.exec(value) ?? [];
    if (digits === '') throw unparsable('ParseInt', value, 'invalid syntax');
    const plain = digits.replaceAll('_', '');
    const amount = Number(/^0[0-7]+$/.test(plain) ? `0o${plain.slice(1)}` : plain);
    if (!Number.isSafeInteger(amount)) throw unparsable('ParseInt', value, 'value out of range');
    return sign === '-' && amount !== 0 ? -amount : amount;
  },
  print: value => (value === 0 ? '' : String(value)),
};

const TRUE = ['1', 't', 'T', 'true', 'TRUE', 'True'];
const FALSE = ['0', 'f', 'F', 'false', 'FALSE', 'False'];

export const toggle: FlagType<boolean> = {
  word: '',
  isSwitch: true,
  parse(value) {
    if (TRUE.includes(value)) return true;
    if (FALSE.includes(value)) return false;
    throw unparsable('ParseBool', value, 'invalid syntax');
  },
  print: value => (value ? 'true' : ''),
};

const unparsable = (what: string, value: string, why: string): ConfigError =>
  flagError(`strconv.${what}: parsing ${JSON.stringify(value)}: ${why}`);
