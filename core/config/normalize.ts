import {resolve} from 'node:path';
import type {JsonSchema} from '../api/json-schema.js';
import {didYouMean} from '../toolkit/messages.js';
import {parseByteSize} from './byte-size.js';
import type {Problems} from './config-error.js';
import {parseDuration} from './duration.js';
import {expectation, shown, typesOf} from './expectation.js';
import {keyPath} from './key-path.js';
import {type Environment, VariableText, variable} from './placeholders.js';

/** Where values come from when the file leaves them out, and where problems go. */
export interface NormalizeContext {
  readonly environment: Environment;
  /** The folder of the configuration file: relative paths begin here. */
  readonly folder: string;
  readonly problems: Problems;
}

/**
 * Gives a value the form that its schema describes: text from variables takes the type asked for, keys that are left out
 * come from their variable or default, formats are normalised, and keys that the schema does not know are reported.
 * What is of the wrong type is left as it is, for the validator to report.
 */
export function normalize(schema: JsonSchema, value: unknown, path: string, context: NormalizeContext): unknown {
  if (value instanceof VariableText) context.problems.comesFrom(path, value.variable);
  const typed = value instanceof VariableText ? coerce(schema, value) : value;
  if (typed instanceof VariableText) {
    context.problems.add(path, `found ${shown(typed, schema)}, expected ${expectation(schema)}`);
    return typed.text;
  }
  if (Array.isArray(typed)) {
    const items = schemaOf(schema.items);
    return typed.map((item, index) => normalize(items, item, keyPath(path, index), context));
  }
  if (typeof typed === 'object' && typed !== null) return normalizeObject(schema, typed, path, context);
  if (typeof typed === 'number' && schema.format === 'duration') return wholeMilliseconds(typed);
  return typeof typed === 'string' ? normalizeText(schema, typed, path, context) : typed;
}

function normalizeObject(schema: JsonSchema, value: object, path: string, context: NormalizeContext): object {
  const properties = propertiesOf(schema);
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const others = schema.additionalProperties ?? schema.patternProperties !== undefined;
    if (known === undefined && others === false && isObjectSchema(schema)) {
      const names = Object.keys(properties);
      const list = names.length === 0 ? 'no keys' : `one of ${names.join(', ')}`;
      context.problems.add(keyPath(path, key), `unknown key; expected ${list}${didYouMean(key, names)}`);
      continue;
    }
    Object.defineProperty(result, key, {
      value: normalize(known ?? schemaOf(others), item, keyPath(path, key), context),
      enumerable: true,
    });
  }
  for (const [key, property] of Object.entries(properties)) {
    if (Object.hasOwn(result, key)) continue;
    const left = leftOut(property, context.environment);
    if (left !== undefined) result[key] = normalize(property, left, keyPath(path, key), context);
  }
  return result;
}

/** The value of a key that the file leaves out: its variable's, else its default. */
function leftOut(schema: JsonSchema, environment: Environment): unknown {
  const name = schema['x-env'];
  const text = typeof name === 'string' ? variable(environment, name) : undefined;
  return text === undefined ? structuredClone(schema.default) : new VariableText(text, name as string);
}

function normalizeText(schema: JsonSchema, text: string, path: string, context: NormalizeContext): unknown {
  const {format} = schema;
  if (isListOnly(schema)) return normalize(schema, splitList(text), path, context);
  if (format === 'path' && text !== '') return resolve(context.folder, text);
  if (format !== 'duration' && format !== 'byte-size') return text;
  const number = format === 'duration' ? parseDuration(text) : parseByteSize(text);
  if (number === undefined) {
    context.problems.add(path, `found ${shown(text, schema)}, expected ${expectation(schema)}`);
    return text;
  }
  context.problems.wasWritten(path, text);
  return number;
}

/** As text with a unit gives them: timers and servers take no fractions. */
function wholeMilliseconds(number: number): number {
  return Number.isFinite(number) ? Math.round(number) : number;
}

/** Text from a variable as the first type of the schema that it fits; the variable itself when it fits none. */
function coerce(schema: JsonSchema, from: VariableText): unknown {
  const {text} = from;
  const types = typesOf(schema);
  if ((types.includes('integer') && /^-?\d+$/.test(text)) || (types.includes('number') && isNumber(text))) {
    return Number(text);
  }
  if (types.includes('boolean') && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if (types.includes('string') || types.length === 0) return text;
  if (types.includes('array')) {
    const items = schemaOf(schema.items);
    return splitList(text).map(item => coerce(items, new VariableText(item, from.variable)));
  }
  return from;
}

/** A list of texts may be written as one text, in the file as in a variable. */
function isListOnly(schema: JsonSchema): boolean {
  const types = typesOf(schema);
  return types.includes('array') && !types.includes('string') && typesOf(schemaOf(schema.items)).includes('string');
}

/** The parts between commas, without blanks around them; what is empty is none. */
function splitList(text: string): readonly string[] {
  return text.split(',').flatMap(item => (item.trim() === '' ? [] : [item.trim()]));
}

function isNumber(text: string): boolean {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text);
}

function isObjectSchema(schema: JsonSchema): boolean {
  return schema.properties !== undefined || typesOf(schema).includes('object');
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
}

function schemaOf(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : {};
}
