/** What is wrong with a JSON text, and where. Lines and columns count from 1. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly line: number;
  readonly column: number;
  /** In UTF-16 units from the beginning of the text. */
  readonly offset: number;
  /** What is wrong, without the place. */
  readonly problem: string;

  constructor(text: string, offset: number, problem: string) {
    const before = text.slice(0, offset).split('\n');
    const line = before.length;
    const column = (before.at(-1) ?? '').length + 1;
    super(`line ${line}, column ${column}: ${problem}`);
    this.line = line;
    this.column = column;
    this.offset = offset;
    this.problem = problem;
  }
}

const DEPTH = 100;
const LITERALS: readonly (readonly [string, unknown])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/**
 * Parses JSON as RFC 8259 has it. Unlike `JSON.parse` it says where the text goes wrong, never quotes the text (which
 * may hold secrets), and refuses a key that occurs twice, of which one would silently win.
 */
export function parseJson(source: string): unknown {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  let at = 0;

  const fail = (problem: string, offset = at): never => {
    throw new JsonSyntaxError(text, offset, problem);
  };
  const space = (): void => {
    while (' \t\r\n'.includes(text[at] ?? 'x')) at++;
  };

  const string = (): string => {
    const start = at++;
    for (;;) {
      const unit = text.charCodeAt(at);
      if (Number.isNaN(unit) || unit === 0x0a) fail('this string is not closed by a quote', start);
      if (unit === 0x22) break;
      at += unit === 0x5c ? 2 : 1;
    }
    at++;
    try {
      return JSON.parse(text.slice(start, at)) as string;
    } catch {
      return fail('this string holds a control character or an unknown escape', start);
    }
  };

  const members = (close: string, depth: number, member: () => void): void => {
    if (depth > DEPTH) fail(`more than ${DEPTH} levels of nesting`);
    at++;
    space();
    if (text[at] === close) {
      at++;
      return;
    }
    for (;;) {
      member();
      space();
      if (text[at] === close) break;
      if (text[at] !== ',')
        fail(at < text.length ? `expected "," or "${close}" here` : `the text ends before a "${close}"`);
      const comma = at++;
      space();
      if (text[at] === close) fail(`a comma may not stand before "${close}"`, comma);
    }
    at++;
  };

  const object = (depth: number): Record<string, unknown> => {
    const result: Record<string, unknown> = {};
    members('}', depth, () => {
      const start = at;
      if (text[at] !== '"') fail('expected a key in double quotes here');
      const key = string();
      if (Object.hasOwn(result, key)) fail(`the key ${JSON.stringify(key)} occurs twice`, start);
      space();
      if (text[at] !== ':') fail(`expected ":" after the key ${JSON.stringify(key)}`);
      at++;
      // Not an assignment: `__proto__` is a key like any other here.
      Object.defineProperty(result, key, {value: value(depth), enumerable: true, writable: true, configurable: true});
    });
    return result;
  };

  const value = (depth: number): unknown => {
    space();
    const first = text[at];
    if (first === undefined) return fail('the text ends where a value is expected');
    if (first === '{') return object(depth + 1);
    if (first === '"') return string();
    if (first === '[') {
      const items: unknown[] = [];
      members(']', depth + 1, () => items.push(value(depth + 1)));
      return items;
    }
    for (const [word, meaning] of LITERALS) {
      if (text.startsWith(word, at)) {
        at += word.length;
        return meaning;
      }
    }
    const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
    number.lastIndex = at;
    const digits = number.exec(text)?.[0];
    if (digits === undefined) return fail('expected a value here (text needs double quotes)');
    at += digits.length;
    return Number(digits);
  };

  const result = value(0);
  space();
  if (at < text.length) fail('expected nothing after the closing bracket');
  return result;
}

/** No reason is worth more of the thread than this much text costs. */
const LONGEST_EXPLAINED = 2 ** 16;

/**
 * Why `JSON.parse` has refused a text, for the message to its sender: the engine's own words differ from version to version
 * and count from places that the sender does not see.
 */
export function whyNotJson(text: string, refused: unknown): string {
  try {
    if (text.length <= LONGEST_EXPLAINED) parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const {line, offset, problem} = error;
    return line === 1 ? `not JSON: character ${offset + 1}: ${problem}` : `not JSON: ${error.message}`;
  }
  return `not JSON: ${(refused as Error).message}`;
}
