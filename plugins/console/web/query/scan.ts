/** What may stand at a place of an expression, told from the text before it. */
export type Spot =
  | {readonly kind: 'name'; readonly from: number}
  | {readonly kind: 'label'; readonly from: number; readonly selector: WrittenSelector}
  | {
      readonly kind: 'value';
      readonly from: number;
      readonly label: string;
      readonly quote: string;
      readonly selector: WrittenSelector;
    }
  | {readonly kind: 'nothing'};

/** A selector as far as it is written. */
export interface WrittenSelector {
  readonly metric: string;
  readonly labels: ReadonlyMap<string, string>;
}

const NAME = /[A-Za-z_][\w]*/y;

/** Reads the text from its beginning: strings may hold braces, and braces commas. */
export function spotAt(text: string): Spot {
  let metric = '';
  let labels: Map<string, string> | undefined;
  let label = '';
  for (let at = 0; at < text.length; ) {
    const char = text[at] ?? '';
    if (char === '"' || char === "'" || char === '`') {
      const end = endOf(text, at);
      if (end < 0) {
        if (labels === undefined) return {kind: 'nothing'};
        return {kind: 'value', from: at + 1, label, quote: char, selector: {metric, labels}};
      }
      labels?.set(label, text.slice(at + 1, end));
      at = end + 1;
      continue;
    }
    NAME.lastIndex = at;
    const name = NAME.exec(text)?.[0];
    if (name !== undefined) {
      if (at + name.length === text.length) {
        return labels === undefined ? {kind: 'name', from: at} : {kind: 'label', from: at, selector: {metric, labels}};
      }
      if (labels === undefined) metric = name;
      else label = name;
      at += name.length;
      continue;
    }
    if (char === '{') labels = new Map();
    else if (char === '}') labels = undefined;
    else if (/\d/.test(char)) at += (/^[\w.]*/.exec(text.slice(at))?.[0].length ?? 1) - 1;
    at++;
  }
  const last = text.trimEnd().slice(-1);
  if (labels !== undefined) {
    return last === '{' || last === ','
      ? {kind: 'label', from: text.length, selector: {metric, labels}}
      : {kind: 'nothing'};
  }
  return last === '' || /[(+\-*/%<>=]/.test(last) ? {kind: 'name', from: text.length} : {kind: 'nothing'};
}

function endOf(text: string, begin: number): number {
  const quote = text[begin];
  for (let at = begin + 1; at < text.length; at++) {
    if (text[at] === '\\' && quote !== '`') at++;
    else if (text[at] === quote) return at;
  }
  return -1;
}
