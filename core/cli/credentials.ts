import {createHash, randomBytes} from 'node:crypto';
import {hashPassword} from '../access/passwords.js';
import {RIGHTS, type Right} from '../api/access.js';
import {ConfigError} from '../config/config-error.js';
import {didYouMean, listOf, quote} from '../toolkit/messages.js';
import {EXIT} from './exit.js';
import {readSecret} from './read-secret.js';

export interface CredentialOptions {
  readonly name: string;
  readonly rights: string;
}

/** Tells scanners of repositories and logs that this is a token, and whose. */
const PREFIX = 'qg_';
const TOKEN_BYTES = 32;

/** Makes a token: it goes to standard output, and its entry for the configuration to standard error. */
export async function token({name, rights}: CredentialOptions): Promise<number> {
  const entry = {name: nameOf(name), sha256: '', rights: rightsOf(rights)};
  const made = `${PREFIX}${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  const sha256 = createHash('sha256').update(made).digest('hex');
  process.stderr.write(`${JSON.stringify({...entry, sha256})}\n`);
  process.stdout.write(`${made}\n`);
  return EXIT.ok;
}

/** Reads a password from standard input, and prints its entry for the configuration. */
export async function password({name, rights}: CredentialOptions): Promise<number> {
  const user = nameOf(name);
  if (user.includes(':')) throw usage(`--name: found ${quote(user)}, expected a name without a colon`);
  const entry = {name: user, password: '', rights: rightsOf(rights)};
  const secret = await readSecret(process.stdin, process.stderr);
  if (secret === '') throw usage('found an empty password, expected one on standard input');
  process.stdout.write(`${JSON.stringify({...entry, password: await hashPassword(secret)})}\n`);
  return EXIT.ok;
}

function nameOf(name: string): string {
  if (name.trim() === '') throw usage(`--name: found ${quote(name)}, expected a name that is not blank`);
  return name;
}

function rightsOf(text: string): readonly Right[] {
  const words = text.split(',').flatMap(word => (word.trim() === '' ? [] : [word.trim()]));
  const known: readonly string[] = RIGHTS;
  const wrong = words.find(word => !known.includes(word));
  const expected = `expected some of ${listOf(RIGHTS)} with commas between them`;
  if (wrong !== undefined) throw usage(`--rights: found ${quote(wrong)}, ${expected}${didYouMean(wrong, RIGHTS)}`);
  if (words.length === 0) throw usage(`--rights: found nothing, ${expected}`);
  return RIGHTS.filter(right => words.includes(right));
}

function usage(message: string): ConfigError {
  return new ConfigError([{path: '', message}]);
}
