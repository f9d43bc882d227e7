import type {ConfigError} from '../../config/config-error.js';
import {flagError} from './flag-error.js';

/**
 * Fields between commas as in a line of a CSV file: blanks count, a field in double quotes may hold commas, and two
 * double quotes in it stand for one. No text is no field.
 */
export function splitFields(text: string): readonly string[] {
  if (text === '') return [];
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    const [field, end] = text[at] === '"' ? quoted(text, at) : plain(text, at);
    fields.push(field);
    if (end >= text.length) return fields;
    at = end + 1;
  }
}

function plain(text: string, start: number): readonly [field: string, end: number] {
  const comma = text.indexOf(',', start);
  const end = comma < 0 ? text.length : comma;
  const field = text.slice(start, end);
  const quote = field.indexOf('"');
  if (quote >= 0) throw misplaced(start + quote, 'bare " in non-quoted field');
  return [field, end];
}

function quoted(text: string, start: number): readonly [field: string, end: number] {
  let field = '';
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote < 0) throw misplaced(text.length, 'extraneous or missing " in quoted field');
    field += text.slice(at, quote);
    const next = text[quote + 1];
    if (next === undefined || next === ',') return [field, quote + 1];
    if (next !== '"') throw misplaced(quote, 'extraneous or missing " in quoted field');
    field += '"';
    at = quote + 2;
  }
}

const misplaced = (at: number, why: string): ConfigError =>
  flagError(`parse error on line 1, column ${at + 1}: ${why}`);
