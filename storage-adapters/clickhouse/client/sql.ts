/**
 * A piece of a statement. Only the tag below makes one, so a value never becomes part of a statement as it is: text is
 * written as a literal, a number as an integer, and nothing else is accepted.
 */
export class Sql {
  readonly text: string;

  /** `text` comes from source code, or from `literal` and `identifier`. */
  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Uint8Array;

/** What may stand in a template: other pieces, values, and lists of values as `(a, b)`. */
export type SqlPart = Sql | Value | readonly Value[];

export function sql(fixed: TemplateStringsArray, ...parts: readonly SqlPart[]): Sql {
  let text = fixed[0] ?? '';
  for (const [i, part] of parts.entries()) text += written(part) + fixed[i + 1];
  return new Sql(text);
}

/** Pieces with a word of the language between them. */
export function joined(pieces: readonly Sql[], between: ' AND ' | ' OR ' | ', ' | ' UNION ALL '): Sql {
  return new Sql(pieces.map(({text}) => text).join(between));
}

/** A name of a database, table or cluster. */
export function identifier(name: string): Sql {
  return new Sql(`\`${escaped(name)}\``);
}

function written(part: SqlPart): string {
  if (part instanceof Sql) return part.text;
  if (part instanceof Uint8Array || typeof part !== 'object') return literal(part);
  if (part.length === 0) throw new RangeError('BUG: a list in a statement is empty.');
  return `(${part.map(literal).join(', ')})`;
}

function literal(value: Value): string {
  if (typeof value === 'string') return `'${escaped(value)}'`;
  if (value instanceof Uint8Array) return `'${Array.from(value, byte => `\\x${hex(byte)}`).join('')}'`;
  if (!Number.isSafeInteger(value)) throw new RangeError(`BUG: ${value} in a statement is no exact integer.`);
  return String(value);
}

/**
 * Inside quotes of any kind only a backslash and the quotes themselves mean anything; they and all control characters
 * go as the number of their byte. Text that is no well-formed Unicode has the replacement character in place of what
 * is wrong, as UTF-8 would have it.
 */
function escaped(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped
  return text.toWellFormed().replace(/[\\'"`\u0000-\u001f\u007f]/g, found => `\\x${hex(found.charCodeAt(0))}`);
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
