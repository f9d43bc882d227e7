import type {ErrorObject, ValidateFunction} from 'ajv';
import type {JsonSchema} from '../api/json-schema.js';
import {didYouMean} from '../toolkit/messages.js';
import {expectation, shown} from './expectation.js';
import {keyPath, pointerPath} from './key-path.js';
import {type NormalizeContext, normalize} from './normalize.js';
import {checkOf} from './schema-check.js';

/** Settles `value` by `schema`, reports every violation, and gives what a component receives (frozen). */
export function validate(schema: JsonSchema, value: unknown, path: string, context: NormalizeContext): unknown {
  const check = compile(schema, path, context);
  const normalized = normalize(schema, value, path, context);
  if (check !== undefined && !check(normalized)) {
    for (const error of check.errors ?? []) report(error, normalized, path, context);
  }
  return deepFreeze(normalized);
}

function compile(schema: JsonSchema, path: string, context: NormalizeContext): ValidateFunction | undefined {
  try {
    return checkOf(schema);
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
