import {ConfigError} from '../../config/config-error.js';
import {flagError} from './flag-error.js';
import type {FlagType} from './flag-types.js';

export interface Flag<T> {
  readonly kind: FlagType<T>;
  readonly default: T;
  /** What it does, for the usage text. */
  readonly help: string;
  /** A letter that stands for it after a single dash. */
  readonly letter?: string;
}

/** Flags by their names, without dashes. */
export type FlagTable = Readonly<Record<string, Flag<unknown>>>;

export type FlagValues<Table extends FlagTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Flag<infer T> ? T : never;
};

/** Makes an entry of a table, so that its type is known. */
export function flag<T>(kind: FlagType<T>, fallback: T, help: string, letter?: string): Flag<T> {
  return {kind, default: fallback, help, ...(letter === undefined ? {} : {letter})};
}

/**
 * Reads a command line as Go programs do: `--name value` takes the next word whatever it is, `--name=value` takes the
 * rest, the last use of a flag counts (lists grow), `--` ends the flags. Words that are no flags are mistakes.
 * Throws a `ConfigError` for the first mistake.
 */
export function parseFlags<Table extends FlagTable>(table: Table, words: readonly string[]): FlagValues<Table> {
  const given = new Map<string, unknown>();
  const set = (name: string, shown: string, value: string): void => {
    try {
      given.set(name, table[name]?.kind.parse(value, given.get(name)));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      throw flagError(`invalid argument ${JSON.stringify(value)} for "${shown}" flag: ${error.message}`);
    }
  };

  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const [stray] = word === '--' ? words.slice(at + 1) : isFlag(word) ? [] : [word];
    if (stray !== undefined) throw flagError(`unexpected argument ${JSON.stringify(stray)}; there are flags alone`);
    if (word === '--') break;
    if (!word.startsWith('--')) {
      for (const [letter, value] of lettersOf(table, word)) set(letter.name, letter.shown, value);
      continue;
    }
    const [name = '', ...rest] = word.slice(2).split('=');
    if (name === '' || name.startsWith('-')) throw flagError(`bad flag syntax: ${word}`);
    const kind = Object.hasOwn(table, name) ? table[name]?.kind : undefined;
    if (kind === undefined) throw flagError(`unknown flag: --${name}`);
    if (rest.length > 0) {
      set(name, shownName(name, table), rest.join('='));
    } else if (kind.isSwitch) {
      set(name, shownName(name, table), 'true');
    } else {
      at++;
      const next = words[at];
      if (next === undefined) throw flagError(`flag needs an argument: --${name}`);
      set(name, shownName(name, table), next);
    }
  }
  const values = Object.entries(table).map(([name, each]) => [name, given.has(name) ? given.get(name) : each.default]);
  return Object.freeze(Object.fromEntries(values)) as FlagValues<Table>;
}

const isFlag = (word: string): boolean => word.startsWith('-') && word !== '-';

function shownName(name: string, table: FlagTable): string {
  const letter = table[name]?.letter;
  return letter === undefined ? `--${name}` : `-${letter}, --${name}`;
}

/** The switches of a word such as `-hv`. */
function* lettersOf(
  table: FlagTable,
  word: string,
): Generator<readonly [{readonly name: string; readonly shown: string}, string]> {
  for (let at = 1; at < word.length; at++) {
    const letter = word[at];
    const name = Object.keys(table).find(each => table[each]?.letter === letter);
    if (name === undefined) throw flagError(`unknown shorthand flag: '${letter}' in ${word}`);
    const found = {name, shown: shownName(name, table)};
    if (word[at + 1] === '=') {
      yield [found, word.slice(at + 2)];
      return;
    }
    yield [found, 'true'];
  }
}
