import {type Dispatcher, request as send} from 'undici';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly bytes: Uint8Array;
  /** The body parsed as JSON; fails when it is none. */
  readonly json: <T = Record<string, unknown>>() => T;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Ends the connection, which the next request could otherwise take while the server closes it. */
  readonly ends?: boolean;
}

/** One request, on any method with any body. */
export async function ask(
  url: string,
  {method = 'GET', headers = {}, body, ends = false}: AskOptions = {},
): Promise<Answer> {
  // Any word: a server must answer those that it does not know.
  const options = {method: method as Dispatcher.HttpMethod, headers, body: body ?? null, reset: ends};
  const response = await send(url, options);
  const bytes = new Uint8Array(await response.body.arrayBuffer());
  const text = Buffer.from(bytes).toString('utf8');
  return {status: response.statusCode, headers: response.headers, text, bytes, json: <T>() => JSON.parse(text) as T};
}

export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** GET with these parameters in the query string. */
export function get(url: string, parameters: Fields = {}): Promise<Answer> {
  const query = encode(parameters);
  return ask(query === '' ? url : `${url}?${query}`);
}

/** The parameters in a form body: POST, or another method. */
export function post(url: string, parameters: Fields = {}, method = 'POST'): Promise<Answer> {
  return ask(url, {method, headers: {'content-type': 'application/x-www-form-urlencoded'}, body: encode(parameters)});
}

export function encode(parameters: Fields): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const item of [value].flat()) pairs.append(name, item);
  }
  return pairs.toString();
}
