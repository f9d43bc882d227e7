import type {CompletionContext, CompletionResult} from '@codemirror/autocomplete';
import {HighlightStyle, StreamLanguage, syntaxHighlighting} from '@codemirror/language';
import type {Extension} from '@codemirror/state';
import {tags} from '@lezer/highlight';
import {ask} from '../base/api.js';

interface Scopes {
  readonly scopes: readonly {readonly name: string; readonly tags: readonly string[]}[];
}

/** The source of suggestions for one kind of traces: attributes and values that its spans have. */
export function suggestFor(plugin: string): (context: CompletionContext) => Promise<CompletionResult | null> {
  return async context => {
    const before = context.state.sliceDoc(0, context.pos);
    const value = /([\w.:-]+)\s*!?=~?\s*"((?:[^"\\]|\\.)*)$/.exec(before);
    try {
      if (value !== null) {
        const [, attribute = '', begun = ''] = value;
        const options = (await valuesOf(plugin, attribute)).map(label => ({
          label,
          apply: JSON.stringify(label).slice(1),
          type: 'text',
        }));
        return {from: context.pos - begun.length, options, validFor: /^[^"\\]*$/};
      }
      const name = /(?:^|[{(\s&|])([A-Za-z][\w.:-]*)?$/.exec(before);
      if (name === null || (name[1] === undefined && !context.explicit)) return null;
      const options = (await namesOf(plugin)).map(label => ({label, type: 'property'}));
      return {from: context.pos - (name[1]?.length ?? 0), options, validFor: /^[\w.:-]*$/};
    } catch {
      // Whoever has no suggestions writes without them; the search says what is wrong.
      return null;
    }
  };
}

async function namesOf(plugin: string): Promise<readonly string[]> {
  const {scopes} = await ask<Scopes>(`${plugin}/api/v2/search/tags`, {limit: 10_000}, new AbortController().signal);
  return scopes.flatMap(({name, tags: all}) => all.map(tag => (name === 'intrinsic' ? tag : `${name}.${tag}`)));
}

/** The values of an attribute, as `resource.service.name`. */
export async function valuesOf(plugin: string, attribute: string): Promise<readonly string[]> {
  const path = `${plugin}/api/v2/search/tag/${attribute.split('/').map(encodeURIComponent).join('/')}/values`;
  const {tagValues} = await ask<{readonly tagValues: readonly {readonly value: unknown}[]}>(
    path,
    {limit: 10_000},
    new AbortController().signal,
  );
  return tagValues.map(({value}) => String(value));
}

const language = StreamLanguage.define({
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^`[^`]*`?/)) return 'string';
    if (stream.match(/^\d[\w.]*/)) return 'number';
    if (stream.match(/^(?:error|ok|unset|server|client|internal|producer|consumer|true|false)\b/)) return 'keyword';
    if (stream.match(/^[A-Za-z.][\w.:-]*/)) return 'propertyName';
    stream.next();
    return 'operator';
  },
});

const colours = HighlightStyle.define([
  {tag: tags.string, color: 'var(--s3)'},
  {tag: tags.number, color: 'var(--s2)'},
  {tag: tags.keyword, color: 'var(--s4)'},
  {tag: tags.propertyName, color: 'var(--s7)'},
]);

/** Colours of a query of spans. */
export const mode: Extension = [language, syntaxHighlighting(colours)];
