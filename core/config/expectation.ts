import type {JsonSchema} from '../api/json-schema.js';
import {VariableText} from './placeholders.js';
import {redactValue} from './redact.js';

/** The types that a schema allows; empty when it does not say. */
export function typesOf(schema: JsonSchema): readonly string[] {
  const {type} = schema;
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? (type as string[]) : [];
}

/** What a schema expects, as a noun phrase: `an integer from 0 to 65535`. */
export function expectation(schema: JsonSchema): string {
  if (typeof schema['x-expected'] === 'string') return schema['x-expected'];
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.map(item => JSON.stringify(item)).join(', ')}`;
  if ('const' in schema) return JSON.stringify(schema.const);
  const range = rangeOf(schema);
  if (schema.format === 'duration') return `a duration${range} (milliseconds, or text such as "30s" or "1h30m")`;
  if (schema.format === 'byte-size') return `a size${range} (bytes, or text such as "64MiB")`;
  const names = typesOf(schema).map(type => NAMES[type] ?? type);
  return (names.length === 0 ? 'another value' : names.join(' or ')) + range + shapeOf(schema);
}

const NAMES: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

function rangeOf({minimum, maximum}: JsonSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? '' : ` of at most ${maximum}`;
}

function shapeOf({pattern, 'x-pattern': words, minLength, maxLength, minItems, maxItems}: JsonSchema): string {
  const parts = [
    pattern === undefined ? '' : ` that ${words ?? `matches ${pattern}`}`,
    minLength === 1 || minItems === 1 ? ' that is not empty' : '',
    typeof minLength === 'number' && minLength > 1 ? ` of at least ${minLength} characters` : '',
    maxLength === undefined ? '' : ` of at most ${maxLength} characters`,
    typeof minItems === 'number' && minItems > 1 ? ` of at least ${minItems} items` : '',
    maxItems === undefined ? '' : ` of at most ${maxItems} items`,
  ];
  return parts.join('');
}

/** A value as a message shows it. A secret is not shown, and neither is one within a URL. */
export function shown(value: unknown, schema: JsonSchema): string {
  if (schema['x-secret'] === true) return 'a secret of another form';
  if (value instanceof VariableText) return shown(value.text, schema);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  // A number beyond the doubles has no form in JSON.
  const text =
    typeof value === 'number'
      ? String(value)
      : (JSON.stringify(typeof value === 'string' ? redactValue(value) : value) ?? 'nothing');
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
