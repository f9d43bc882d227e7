import {type Diagnostic, linter} from '@codemirror/lint';
import type {Extension, Text} from '@codemirror/state';
import {ApiError, askMetrics} from '../base/api.js';

const PAUSE = 250;
const PLACE = /\(line (\d+), column (\d+)\)/;

/** Asks the gateway itself whether it would take the expression: the language is what it takes, not what others do. */
export function refusals(told: (message: string) => void): Extension {
  return linter(
    async view => {
      const text = view.state.doc.toString();
      const message = text.trim() === '' ? '' : await refusalOf(text);
      if (view.state.doc.toString() !== text) return [];
      told(message);
      return message === '' ? [] : [diagnostic(view.state.doc, message)];
    },
    {delay: PAUSE},
  );
}

async function refusalOf(text: string): Promise<string> {
  try {
    await askMetrics('format_query', {query: text}, new AbortController().signal);
    return '';
  } catch (error) {
    return error instanceof ApiError && error.status === 400 ? error.message : '';
  }
}

function diagnostic(doc: Text, message: string): Diagnostic {
  const [, line = '1', column = '1'] = PLACE.exec(message) ?? [];
  const at = doc.line(Math.min(Math.max(Number(line), 1), doc.lines));
  const from = Math.min(at.from + Number(column) - 1, at.to);
  const word = /^\w+/.exec(doc.sliceString(from, at.to))?.[0].length ?? 1;
  return {
    from: Math.min(from, Math.max(at.to - 1, at.from)),
    to: Math.min(from + word, at.to),
    severity: 'error',
    message,
  };
}
