import type {Options} from 'ajv';

/** How Ajv compiles the check of a schema, when the package is built and when a component is loaded. */
export const CHECK_OPTIONS: Options = {
  allErrors: true,
  verbose: true,
  strict: false,
  // A check runs once or a few times: it is not worth the time that making it faster takes.
  code: {optimize: false},
  formats: {duration: true, 'byte-size': true, path: true},
};
