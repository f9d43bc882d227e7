import pg from 'pg';
import {type ConfigMistake, GatewayError} from '../../../core/api/adapter.js';

export interface Target {
  readonly host: string;
  readonly port: number;
  readonly database: string;
}

/**
 * Where a url leads. Throws when the driver does not understand it, or cannot read a certificate that it names; connects
 * to nothing. The password is in no message.
 */
export function targetOf(url: string): Target {
  try {
    const {host, port, database = ''} = new pg.Client({connectionString: url});
    return {host, port, database};
  } catch (problem) {
    const reason = problem instanceof Error ? problem.message : String(problem);
    throw new GatewayError('storage_failed', `storage.config.url does not say how to reach PostgreSQL: ${reason}.`);
  }
}

/** What the driver makes something of; it leaves others aside, and with them what was meant. */
const PARAMETERS: readonly string[] = [
  'host',
  'port',
  'user',
  'password',
  'ssl',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslnegotiation',
  'uselibpqcompat',
  'application_name',
  'fallback_application_name',
  'options',
  'client_encoding',
  'lock_timeout',
];
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
const LARGEST_PORT = 65_535;

/** What can be said of a url without printing it. */
export function urlMistakes(url: string): readonly ConfigMistake[] {
  const key = 'url';
  const [address = '', query = ''] = url.split('?');
  const parameters = new URLSearchParams(query);
  const mistakes = [...parameters.keys()].filter(name => !PARAMETERS.includes(name)).map(unknown);
  const mode = parameters.get('sslmode');
  if (mode !== null && !SSL_MODES.includes(mode)) {
    mistakes.push({key, message: `found sslmode '${mode}', expected one of ${SSL_MODES.join(', ')}`});
  }
  const port = parameters.get('port') ?? /:(\d*)(?:\/[^/@]*)?$/.exec(address)?.[1] ?? '';
  if (port !== '' && !(Number(port) >= 1 && Number(port) <= LARGEST_PORT)) {
    mistakes.push({key, message: `found port ${port}, expected one from 1 to ${LARGEST_PORT}`});
  }
  if (mistakes.length > 0) return mistakes;
  try {
    targetOf(url);
    return [];
  } catch (error) {
    return [{key, message: (error as Error).message.replace('storage.config.url ', '')}];
  }
}

function unknown(name: string): ConfigMistake {
  // What else stands there may be the rest of a password that holds a question mark.
  const isName = /^[a-z_]+$/i.test(name);
  const found = isName ? `the parameter ${name}` : 'a parameter that has no name';
  const message = `found ${found}, expected one of ${PARAMETERS.join(', ')}`;
  return isName ? {key: 'url', message, near: {found: name, among: PARAMETERS}} : {key: 'url', message};
}
