import {Ajv, type ErrorObject, type ValidateFunction} from 'ajv';
import type {JsonSchema} from '../api/json-schema.js';
import {didYouMean} from '../toolkit/messages.js';
import {expectation, shown} from './expectation.js';
import {keyPath, pointerPath} from './key-path.js';
import {type NormalizeContext, normalize} from './normalize.js';

const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  strict: false,
  // A check runs once or a few times: it is not worth the time that making it faster takes.
  code: {optimize: false},
  formats: {duration: true, 'byte-size': true, path: true},
});

/** Settles `value` by `schema`, reports every violation, and gives what a component receives (frozen). */
export function validate(schema: JsonSchema, value: unknown, path: string, context: NormalizeContext): unknown {
  const check = compile(schema, path, context);
  const normalized = normalize(schema, value, path, context);
  if (check !== undefined && !check(normalized)) {
    for (const error of check.errors ?? []) report(error, normalized, path, context);
  }
  return deepFreeze(normalized);
}

/** By their text: those of listeners and entries are made anew at each reading, and Ajv never forgets one that it has compiled. */
const compiled = new Map<string, ValidateFunction>();

function compile(schema: JsonSchema, path: string, context: NormalizeContext): ValidateFunction | undefined {
  const text = JSON.stringify(schema);
  const known = compiled.get(text);
  if (known !== undefined) return known;
  try {
    const check = ajv.compile(schema);
    compiled.set(text, check);
    return check;
  } catch (error) {
    context.problems.add(path, `the component's own schema is not valid: ${(error as Error).message}`);
    return undefined;
  }
}

/** The errors inside a union say little; the union's own error says what is wrong. */
const BRANCH = /\/(?:anyOf|oneOf|if|then|else)\//;

function report(error: ErrorObject, root: unknown, base: string, {problems}: NormalizeContext): void {
  if (BRANCH.test(error.schemaPath)) return;
  const schema = (error.parentSchema ?? {}) as JsonSchema;
  const path = pointerPath(base, root, error.instancePath);
  if (error.keyword === 'required') {
    const key = error.params.missingProperty as string;
    const missing = (schema.properties as Record<string, JsonSchema> | undefined)?.[key] ?? {};
    problems.add(keyPath(path, key), `missing; expected ${expectation(missing)}`);
  } else if (error.keyword === 'additionalProperties') {
    problems.add(keyPath(path, error.params.additionalProperty as string), 'unknown key');
  } else {
    const near = Array.isArray(schema.enum) && typeof error.data === 'string' ? schema.enum.map(String) : [];
    problems.add(
      path,
      `found ${shown(problems.written(path) ?? error.data, schema)}, expected ${wanted(error, schema)}${didYouMean(String(error.data), near)}`,
    );
  }
}

const DESCRIBED = new Set([
  'type',
  'enum',
  'const',
  'minimum',
  'maximum',
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
]);

function wanted(error: ErrorObject, schema: JsonSchema): string {
  return DESCRIBED.has(error.keyword) ? expectation(schema) : `a value that ${error.message ?? 'fits its schema'}`;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) deepFreeze(item);
  }
  return value;
}
