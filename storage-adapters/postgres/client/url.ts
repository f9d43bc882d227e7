import pg from 'pg';
import {type ConfigMistake, GatewayError} from '../../../core/api/adapter.js';
import {quote} from '../../../core/toolkit/messages.js';
import type {TlsFailureTerms} from '../../../core/toolkit/tls/tls-failure.js';
import {PARAMETERS, parameterMistakes, portMistake} from './url-parameters.js';

export interface PostgresAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string;
}

/**
 * Where a url leads. Throws when the driver does not understand it, or cannot read a certificate that it names; connects
 * to nothing. The password is in no message. `hasTls` where the option `tls` stands beside it.
 */
export function addressOf(url: string, hasTls = false): PostgresAddress {
  try {
    const {host, port, database = ''} = new pg.Client({connectionString: forDriver(url), ...(hasTls && {ssl: true})});
    return {host, port, database};
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new GatewayError('storage_failed', `storage.config.url does not say how to reach PostgreSQL: ${reason}`);
  }
}

/** What messages about TLS name that is asked for by the url alone. */
export const termsOf = (url: string): TlsFailureTerms => ({
  ca: 'sslrootcert of the url',
  certificate: 'sslcert of the url',
  hasCertificate: partsOf(url).parameters.has('sslcert'),
});

/** What can be said of a url without printing it. */
export function urlMistakes(url: string, hasTls: boolean): readonly ConfigMistake[] {
  const key = 'url';
  const {address, parameters} = partsOf(url);
  const mistakes = [...new Set(parameters.keys())].filter(name => !PARAMETERS.includes(name)).map(unknown);
  for (const message of parameterMistakes(parameters)) mistakes.push({key, message});
  const port = /:(\d*)(?:\/[^/@]*)?$/.exec(address)?.[1] ?? '';
  const expected = port === '' ? undefined : portMistake(port);
  if (expected !== undefined) mistakes.push({key, message: `found port ${port}, expected ${expected}`});
  const namesNothing = /^\w+:\/\/\/?$/.test(address) && !parameters.has('host') && !parameters.has('user');
  if (namesNothing) mistakes.push({key, message: 'names neither a server nor a user nor a database'});
  // The protocol ends each text with it.
  if (url.includes('%00')) mistakes.push({key, message: 'holds %00, expected none: no name has that character'});
  if (mistakes.length > 0) return mistakes;
  try {
    addressOf(url, hasTls);
    return [];
  } catch (error) {
    return [{key, message: GatewayError.from(error).message.replace('storage.config.url ', '')}];
  }
}

/** The parameters that say what the option `tls` says. */
const OF_TLS = ['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'uselibpqcompat'];

/** What keeps the option `tls` from standing beside a url that is good by itself. */
export function tlsMistakes(url: string): readonly ConfigMistake[] {
  const doubled = OF_TLS.filter(name => partsOf(url).parameters.has(name));
  if (doubled.length > 0) {
    const message = `found it beside ${doubled.join(' and ')} in the url, expected one of the two`;
    return [{key: 'tls', message}];
  }
  if (!addressOf(url, true).host.startsWith('/')) return [];
  return [{key: 'tls', message: 'found it beside a url of a Unix socket, over which PostgreSQL does not speak TLS'}];
}

/** Modes that the driver takes for verify-full, with a warning that a later version will not. */
const VERIFIED: readonly (string | null)[] = ['prefer', 'require', 'verify-ca'];

/** The url as the driver is given it: what it would take for something else says so itself. */
export function forDriver(url: string): string {
  const {address, parameters} = partsOf(url);
  const asLibpq = parameters.get('uselibpqcompat') === 'true';
  if (asLibpq || !VERIFIED.includes(parameters.get('sslmode'))) return url;
  parameters.set('sslmode', 'verify-full');
  return `${address}?${parameters}`;
}

function partsOf(url: string): {readonly address: string; readonly parameters: URLSearchParams} {
  const mark = url.indexOf('?');
  const address = mark < 0 ? url : url.slice(0, mark);
  return {address, parameters: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1))};
}

function unknown(name: string): ConfigMistake {
  // What else stands there may be the rest of a password that holds a question mark.
  const isName = /^[a-z_]+$/i.test(name);
  const found = isName ? `the parameter ${quote(name)}` : 'a parameter that has no name';
  const message = `found ${found}, expected one of ${PARAMETERS.join(', ')}`;
  return isName ? {key: 'url', message, near: {found: name, among: PARAMETERS}} : {key: 'url', message};
}
