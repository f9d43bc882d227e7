/**
 * Text of parameters in which each `&` that belongs to a query in braces is escaped, so that whoever splits the text at
 * `&` keeps the query whole. Braces count as they are: a sender that escapes them escapes `&` too. Quotes count in
 * either form, because browsers escape the double one alone. Braces without their partner are ordinary characters.
 */
export function joinBraces(text: string): string {
  if (!text.includes('{')) return text;
  let joined = '';
  let done = 0;
  for (let open = text.indexOf('{'); open >= 0; open = text.indexOf('{', done)) {
    const end = endOfQuery(text, open);
    if (end === undefined) break;
    joined += text.slice(done, open) + text.slice(open, end).replaceAll('&', '%26');
    done = end;
  }
  return joined + text.slice(done);
}

/** Between two queries in braces. */
const BETWEEN = /(?:\s|\+|%20)*&&(?:\s|\+|%20)*(?=\{)/y;

/** The end of the braces that open here, and of all that are joined to them by `&&`. */
function endOfQuery(text: string, open: number): number | undefined {
  let end = endOfBraces(text, open);
  while (end !== undefined) {
    BETWEEN.lastIndex = end;
    if (!BETWEEN.test(text)) return end;
    const next = endOfBraces(text, BETWEEN.lastIndex);
    if (next === undefined) return end;
    end = next;
  }
  return undefined;
}

const MARK = /[{}\\]|%5[Cc]|["'`]|%2[27]|%60/g;
const QUOTES: Readonly<Record<string, string>> = {'%22': '"', '%27': "'", '%60': '`'};

function endOfBraces(text: string, open: number): number | undefined {
  let depth = 0;
  let quote: string | undefined;
  MARK.lastIndex = open;
  for (let match = MARK.exec(text); match !== null; match = MARK.exec(text)) {
    const mark = QUOTES[match[0]] ?? match[0];
    if (mark === '\\' || mark.startsWith('%')) {
      if (quote !== undefined && quote !== '`') MARK.lastIndex += lengthAt(text, MARK.lastIndex);
    } else if (quote !== undefined) {
      if (mark === quote) quote = undefined;
    } else if (mark === '{') {
      depth++;
    } else if (mark === '}') {
      if (--depth === 0) return MARK.lastIndex;
    } else {
      quote = mark;
    }
  }
  return undefined;
}

/** The length of the character that stands there, which may be escaped. */
function lengthAt(text: string, index: number): number {
  return text[index] === '%' ? 3 : 1;
}
