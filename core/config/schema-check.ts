import {createRequire} from 'node:module';
import type * as AjvPackage from 'ajv';
import type {Ajv, ValidateFunction} from 'ajv';
import type {JsonSchema} from '../api/json-schema.js';
import {CHECK_OPTIONS} from './check-options.js';
import {compiledChecks} from './compiled-checks.js';

const require = createRequire(import.meta.url);

/** By their text: those of listeners and entries are made anew at each reading, and Ajv never forgets one that it has compiled. */
const checks = new Map<string, ValidateFunction>(compiledChecks);
let ajv: Ajv | undefined;

/** The check of a schema. Throws an `Error` that says what is wrong with the schema itself. */
export function checkOf(schema: JsonSchema): ValidateFunction {
  const text = JSON.stringify(schema);
  const known = checks.get(text);
  if (known !== undefined) return known;
  // Loaded for the schemas of components that came from elsewhere.
  ajv ??= newAjv();
  const check = ajv.compile(schema);
  checks.set(text, check);
  return check;
}

function newAjv(): Ajv {
  const {Ajv} = require('ajv') as typeof AjvPackage;
  return new Ajv(CHECK_OPTIONS);
}
