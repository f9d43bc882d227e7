import {quote} from '../../../core/toolkit/messages.js';

/** What is wrong with a value of a parameter, as what would be right; undefined when nothing is, or only the server knows. */
type Check = (value: string) => string | undefined;

const oneOf =
  (...words: readonly string[]): Check =>
  value =>
    words.includes(value) ? undefined : `one of ${words.join(', ')}`;

const within =
  (from: number, to: number, unit: string): Check =>
  value =>
    /^\d{1,10}$/.test(value) && Number(value) >= from && Number(value) <= to
      ? undefined
      : `${unit} from ${from} to ${to}`;

const any: Check = () => undefined;

const LARGEST_INTEGER = 2 ** 31 - 1;

export const portMistake = within(1, 65_535, 'one');

/** What the driver makes something of; it leaves others aside, and with them what was meant. */
const CHECKS: Readonly<Record<string, Check>> = {
  host: any,
  port: portMistake,
  user: any,
  password: any,
  // The driver takes every other word for yes, "false" too.
  ssl: oneOf('true', '1', '0', 'no-verify'),
  sslmode: oneOf('disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'),
  sslrootcert: any,
  sslcert: any,
  sslkey: any,
  sslnegotiation: oneOf('postgres', 'direct'),
  uselibpqcompat: oneOf('true', 'false'),
  application_name: any,
  fallback_application_name: any,
  options: any,
  // The driver speaks no other one, and asks for it whatever stands here.
  client_encoding: value => (/^utf-?8$/i.test(value) ? undefined : 'UTF8'),
  lock_timeout: within(0, LARGEST_INTEGER, 'milliseconds'),
};

export const PARAMETERS: readonly string[] = Object.keys(CHECKS);

/** What is wrong with the parameters that the driver knows, as messages; each parameter has one at most. */
export function parameterMistakes(parameters: URLSearchParams): readonly string[] {
  return PARAMETERS.flatMap(name => {
    const values = parameters.getAll(name);
    if (values.length > 1) return [`found the parameter ${name} ${values.length} times, expected it once`];
    const [value] = values;
    if (value === undefined) return [];
    const expected = CHECKS[name]?.(value);
    if (expected === undefined) return [];
    // None of those that can be wrong is a credential.
    const shown = name === 'port' && value !== '' ? value : quote(value);
    return [`found ${name} ${shown}, expected ${expected}`];
  });
}
