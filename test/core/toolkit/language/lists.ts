import moo from 'moo';
import {type Scanner, type SourceToken, scan} from '../../../../core/toolkit/language/bounded-tokens.js';
import {GrammarRunner} from '../../../../core/toolkit/language/grammar-runner.js';
import type {Steps} from '../../../../core/toolkit/yielder.js';

/** A small language to try the toolkit with: lists of words in parentheses, `(a (b c))`. */
export type List = readonly (string | List)[];

const scanner = moo.compile({
  space: {match: /\s+/, lineBreaks: true},
  comment: /#[^\n]*/,
  word: /[a-z]+/,
  punctuation: /[()[\]]/,
  other: moo.error,
}) as moo.Lexer & Scanner;

export function* tokeniseLists(text: string): Steps<readonly SourceToken[]> {
  const tokens: SourceToken[] = [];
  yield* scan(scanner, text, ({type = '', text: value, line, col}) => {
    tokens.push({type: type === 'punctuation' ? value : type, value, position: {line, column: col}});
  });
  return tokens;
}

const WORD = {type: 'word'};

/** As nearleyc writes a grammar. */
export const LISTS = {
  ParserStart: 'list',
  ParserRules: [
    {name: 'list', symbols: [{literal: '('}, {literal: ')'}], postprocess: () => []},
    {name: 'list', symbols: [{literal: '('}, 'items', {literal: ')'}], postprocess: (d: unknown[]) => d[1]},
    {name: 'items', symbols: ['item'], postprocess: (d: unknown[]) => [d[0]]},
    {name: 'items', symbols: ['items', 'item'], postprocess: ([items, item]: [unknown[], unknown]) => [...items, item]},
    {name: 'item', symbols: [WORD], postprocess: ([word]: [SourceToken]) => word.value},
    {name: 'item', symbols: ['list'], postprocess: (d: unknown[]) => d[0]},
  ],
};

export const lists = new GrammarRunner<List>(LISTS, {words: {word: 'a word'}});

/** An independent reading: the list, or the index of the first token with which no list can go on; the count at the end. */
export function readLists(tokens: readonly SourceToken[]): List | number {
  const open: (string | List)[][] = [];
  for (const [i, {type, value}] of tokens.entries()) {
    const inner = open.at(-1);
    if (type === '(' && (i === 0 || inner !== undefined)) open.push([]);
    else if (inner === undefined) return i;
    else if (type === 'word') inner.push(value);
    else if (type !== ')') return i;
    else {
      open.pop();
      const outer = open.at(-1);
      if (outer !== undefined) outer.push(inner);
      else return i === tokens.length - 1 ? inner : i + 1;
    }
  }
  return tokens.length;
}
