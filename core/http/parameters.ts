import {parse} from 'fast-querystring';
import {GatewayError} from '../api/errors.js';
import type {Parameters, Route} from '../api/http.js';
import {joinBraces} from './braces.js';

type Parsed = Readonly<Record<string, string | readonly string[] | undefined>>;

const NONE: readonly string[] = Object.freeze([]);

/** How the parameters of a route are read. */
export function parameterReader({parameters}: Route): (queryString: string, form: string) => Parameters {
  return parameters === 'braces'
    ? (queryString, form) => new FormParameters(joinBraces(queryString), joinBraces(form))
    : (queryString, form) => new FormParameters(queryString, form);
}

/** The parameters of a request: the query string's, then the form's. Rejects escapes that are not UTF-8 in percent form. */
export class FormParameters implements Parameters {
  readonly #query: Parsed;
  readonly #form: Parsed | undefined;

  constructor(queryString: string, form: string) {
    this.#query = decode(queryString, 'query string');
    this.#form = form === '' ? undefined : decode(form, 'form body');
  }

  first(name: string): string | undefined {
    return firstOf(this.#query[name]) ?? firstOf(this.#form?.[name]);
  }

  all(name: string): readonly string[] {
    const query = this.#query[name];
    const form = this.#form?.[name];
    if (query === undefined && form === undefined) return NONE;
    return [query ?? NONE, form ?? NONE].flat().filter(value => value !== '');
  }
}

function firstOf(value: string | readonly string[] | undefined): string | undefined {
  const first = typeof value === 'object' ? value.find(each => each !== '') : value;
  return first === '' ? undefined : first;
}

function decode(text: string, place: string): Parsed {
  // The parser leaves what it cannot decode as it is, which would turn a damaged query into another one.
  if (text.includes('%')) checkEscapes(text, place);
  return parse(text) as Parsed;
}

function checkEscapes(text: string, place: string): void {
  try {
    decodeURIComponent(text);
  } catch {
    const part = text.split('&').find(isDamaged) ?? '';
    const name = part.slice(0, part.indexOf('=') + 1 || undefined).replace(/=$/, '');
    const whose = isDamaged(name) ? 'a parameter' : `the parameter "${name}"`;
    throw new GatewayError(
      'bad_request',
      `${whose} in the ${place} holds a percent sign that begins no UTF-8 escape; write %25 for a literal percent sign`,
    );
  }
}

function isDamaged(part: string): boolean {
  try {
    decodeURIComponent(part);
    return false;
  } catch {
    return true;
  }
}
