import type {JsonSchema} from '../api/json-schema.js';

const HIDDEN = '(hidden)';

/** What stands before the @ of a URL, to the last @ of the word: a password may hold one, or a slash. */
const USER_INFO = /([a-z][a-z\d+.-]{0,30}:\/\/)([^\s@]{0,2000}(?:@[^\s@/?#]{0,2000})*)@/gi;
/** Parameters that hold a credential, of URLs and of connection strings such as `host=db password=secret`. */
const PARAMETER =
  /\b((?:[a-z_-]{0,30}(?:password|passwd|secret|token)|pwd|pass|api_?key|access_?key)=)[^&\s;,"']{1,2000}/gi;

/**
 * The text without credentials, whoever wrote it: messages of client libraries and servers cite the URL that they were
 * given. Everything that leaves the process as a line of a log, an error or a state goes through here.
 */
export function redactText(text: string): string {
  return text
    .replace(USER_INFO, (_, scheme: string, info: string) => `${scheme}${redactUserInfo(info)}@`)
    .replace(PARAMETER, `$1${HIDDEN}`);
}

const URL_BEGIN = /^[a-z][a-z\d+.-]*:\/\//i;
/** What the query of a URL holds, whatever it is called: nothing tells which of its parameters are credentials. */
const ANY_VALUE = /([?&](?:[^?&=#]*=)?)[^&#]+/g;
const SECRET_VALUE = /([?&][a-z_-]*(?:password|passwd|secret|token|pwd)=)[^&]*/gi;

/** A value of the configuration as a message may show it. It is one word, whatever blanks it holds. */
export function redactValue(value: string): string {
  const [, scheme = '', info, rest = ''] = /^([a-z][a-z\d+.-]*:\/\/)?(.*)@(.*)$/is.exec(value) ?? [];
  const isCredential = info !== undefined && (scheme !== '' || info.includes(':'));
  const shown = isCredential ? `${scheme}${redactUserInfo(info)}@${rest}` : value;
  return redactText(shown.replace(isCredential || URL_BEGIN.test(value) ? ANY_VALUE : SECRET_VALUE, `$1${HIDDEN}`));
}

/** `user:password` keeps the user; what has no colon may be a token. */
function redactUserInfo(info: string): string {
  const colon = info.indexOf(':');
  return colon < 0 ? HIDDEN : `${info.slice(0, colon)}:${HIDDEN}`;
}

/** The value with everything hidden that its schema marks as `x-secret`, and every credential within a text. */
export function redact(schema: JsonSchema, value: unknown): unknown {
  if (schema['x-secret'] === true) return HIDDEN;
  if (typeof value === 'string') return redactValue(value);
  if (Array.isArray(value)) return value.map(item => redact((schema.items ?? {}) as JsonSchema, item));
  if (typeof value !== 'object' || value === null) return value;
  const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redact(properties[key] ?? {}, item)]));
}
