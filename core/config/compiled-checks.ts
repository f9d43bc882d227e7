import type {ValidateFunction} from 'ajv';

/**
 * The checks of the schemas that come with this package, by the text of the schema. They are compiled when the package is
 * built, and `scripts/compile-checks.mjs` puts them in the place of this file in `dist`: compiling them, with what is loaded
 * for it, is a tenth of what it takes to start a gateway.
 */
export const compiledChecks: ReadonlyMap<string, ValidateFunction> = new Map();
