import {basename} from 'node:path';
import {RIGHTS, type Right} from '../api/access.js';
import type {ConfigMistake, JsonSchema} from '../api/json-schema.js';
import type {FileReading, FileSet} from '../toolkit/files/file-set.js';
import {JsonSyntaxError, parseJson} from '../toolkit/json.js';
import {Problems} from './config-error.js';

import {readPasswordHash} from './password-hash.js';
import {validate} from './validate.js';

/** A token, of which only the digest is known. */
export interface TokenEntry {
  readonly name: string;
  /** The SHA-256 of the token, in hexadecimal digits of either case. */
  readonly sha256: string;
  readonly rights: readonly Right[];
}

export interface UserEntry {
  readonly name: string;
  /** As `readPasswordHash` takes it. */
  readonly password: string;
  readonly rights: readonly Right[];
}

/** Those who are known. Several entries of one name may stand side by side, so that a change of credentials overlaps. */
export interface AccessEntries {
  readonly tokens: readonly TokenEntry[];
  readonly users: readonly UserEntry[];
}

/** The block `access` of the configuration. */
export interface AccessConfig extends AccessEntries {
  /** A file that holds more of them and is read again when it changes: an absolute path. */
  readonly file?: string;
}

const name = (description: string, pattern: string, words: string): JsonSchema => ({
  type: 'string',
  pattern,
  'x-pattern': words,
  description,
});

const RIGHTS_KEY: JsonSchema = {
  type: 'array',
  minItems: 1,
  items: {type: 'string', enum: [...RIGHTS]},
  description: 'What the caller may do; no right includes another.',
};

const ENTRIES = {
  tokens: {
    type: 'array',
    default: [],
    description: 'Tokens ("Authorization: Bearer …"). "query-gateway token" makes one.',
    items: {
      type: 'object',
      required: ['name', 'sha256', 'rights'],
      properties: {
        name: name('Whose token it is, for logs. Several tokens may have one name.', '\\S', 'is not blank'),
        sha256: {
          type: 'string',
          pattern: '^[\\dA-Fa-f]{64}$',
          'x-pattern': 'is the SHA-256 of the token, 64 hexadecimal digits',
          'x-secret': true,
          description: 'The SHA-256 of the token in hexadecimal digits.',
        },
        rights: RIGHTS_KEY,
      },
    },
  },
  users: {
    type: 'array',
    default: [],
    description: 'Users with a password ("Authorization: Basic …").',
    items: {
      type: 'object',
      required: ['name', 'password', 'rights'],
      properties: {
        name: name('The user name. Several users may have one name.', '^[^:]*[^:\\s][^:]*$', 'holds no colon'),
        password: {
          type: 'string',
          minLength: 1,
          'x-secret': true,
          description: 'The password as "query-gateway password" prints it, or as bcrypt.',
        },
        rights: RIGHTS_KEY,
      },
    },
  },
} satisfies Record<string, JsonSchema>;

export const ACCESS: JsonSchema = {
  type: 'object',
  description: 'Who may use the gateway. Without this block nobody is asked for credentials.',
  properties: {
    file: {
      type: 'string',
      format: 'path',
      minLength: 1,
      description: 'A file with "tokens" and "users" as they stand here. It is read again when it changes.',
    },
    ...ENTRIES,
  },
};

/** The schema of the file that an access block names. */
export const ACCESS_FILE: JsonSchema = {type: 'object', properties: ENTRIES};

/** What is wrong with the entries of the configuration itself, which fit their schema. */
export function checkAccessEntries(entries: AccessEntries, problems: Problems): void {
  checkEntries(entries, pathOf, new Map(), problems);
}

const pathOf = (key: string): string => `access.${key}`;

/**
 * The access file of a configuration. A mistake in it names the file and the key: `access.json: tokens[1].rights[0]`. It may
 * not double a token of the configuration.
 */
export function accessFile({file, ...inline}: AccessConfig & {readonly file: string}): FileSet<AccessEntries> {
  return {files: [{key: 'access.file', path: file}], parse: ([content]) => parse(String(content), file, inline)};
}

function parse(text: string, file: string, inline: AccessEntries): FileReading<AccessEntries> {
  const called = basename(file);
  const problems = new Problems();
  const mistakes = (): readonly ConfigMistake[] =>
    problems.all.map(({path, message}) => ({key: path === '' ? called : `${called}: ${path}`, message}));
  let raw: unknown;
  try {
    raw = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return {mistakes: [{key: called, message: `is not JSON: ${error.message}`}]};
  }
  const entries = validate(ACCESS_FILE, raw, '', {environment: {}, folder: '', problems}) as AccessEntries;
  if (problems.all.length > 0) return {mistakes: mistakes()};
  checkEntries(entries, key => key, digestsOf(inline), problems);
  return problems.all.length > 0 ? {mistakes: mistakes()} : {value: entries};
}

/** Where each digest stands. */
type Digests = ReadonlyMap<string, string>;

function digestsOf({tokens}: AccessEntries): Digests {
  return new Map(tokens.map(({sha256}, index) => [sha256.toLowerCase(), pathOf(`tokens[${index}]`)]));
}

function checkEntries(
  {tokens, users}: AccessEntries,
  path: (key: string) => string,
  before: Digests,
  problems: Problems,
): void {
  const digests = new Map(before);
  for (const [index, {sha256}] of tokens.entries()) {
    const own = path(`tokens[${index}]`);
    const digest = sha256.toLowerCase();
    const twin = digests.get(digest);
    if (twin === undefined) digests.set(digest, own);
    else problems.add(`${own}.sha256`, `found the digest of ${twin}, expected one of its own`);
  }
  for (const [index, {password}] of users.entries()) {
    const hash = readPasswordHash(password);
    if (typeof hash === 'string') problems.add(path(`users[${index}].password`), hash);
  }
}
