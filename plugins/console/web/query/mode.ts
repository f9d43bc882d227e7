import {HighlightStyle, StreamLanguage, syntaxHighlighting} from '@codemirror/language';
import type {Extension} from '@codemirror/state';
import {tags} from '@lezer/highlight';

/** One piece of an expression after the other: enough to tell what is what while one types. */
const language = StreamLanguage.define<{inBraces: boolean}>({
  startState: () => ({inBraces: false}),
  token(stream, state) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return 'comment';
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'(?:[^'\\]|\\.)*'?/) || stream.match(/^`[^`]*`?/)) {
      return 'string';
    }
    if (stream.match(/^\d[\w.]*/)) return 'number';
    if (stream.match(/^(?:sum|min|max|avg|by|without|bool)\b(?!\s*[={])/i)) return 'keyword';
    if (stream.match(/^[A-Za-z_]\w*/)) return state.inBraces ? 'propertyName' : 'variableName';
    const char = stream.next();
    if (char === '{') state.inBraces = true;
    if (char === '}') state.inBraces = false;
    return /[-+*/%<>=!]/.test(char ?? '') ? 'operator' : 'punctuation';
  },
});

const colours = HighlightStyle.define([
  {tag: tags.string, color: 'var(--s3)'},
  {tag: tags.number, color: 'var(--s2)'},
  {tag: tags.keyword, color: 'var(--s4)'},
  {tag: tags.propertyName, color: 'var(--s7)'},
  {tag: tags.comment, color: 'var(--quiet)', fontStyle: 'italic'},
]);

/** Colours of an expression; the other extensions know nothing of its language. */
export const mode: Extension = [language, syntaxHighlighting(colours)];
