import {ROOT} from './location.js';

/** An answer that is no success, in words for the user. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

export type AskParameters = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** Characters of a query string from which on parameters go into a body: proxies refuse long request lines. */
const LONG = 2000;

/** Asks a plugin of the gateway. `path` begins with its id. Rejects with an `ApiError`, or as `signal` when it aborts. */
export async function ask<T>(path: string, parameters: AskParameters, signal: AbortSignal): Promise<T> {
  const response = await request(path, parameters, signal);
  const text = await response.text();
  if (!response.ok) throw new ApiError(messageOf(path, response.status, text), response.status);
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new ApiError(`the answer of ${path} is no JSON`, response.status);
  }
}

/** The same of an answer that is text. */
export async function askText(path: string, signal: AbortSignal): Promise<string> {
  const response = await request(path, {}, signal);
  const text = await response.text();
  if (!response.ok) throw new ApiError(messageOf(path, response.status, text), response.status);
  return text;
}

/** The data of an answer of the Prometheus API. */
export async function askMetrics<T>(path: string, parameters: AskParameters, signal: AbortSignal): Promise<T> {
  const answer = await ask<{readonly data: T}>(`promql-subset/api/v1/${path}`, parameters, signal);
  return answer.data;
}

async function request(path: string, parameters: AskParameters, signal: AbortSignal): Promise<Response> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const each of [value ?? []].flat()) query.append(name, String(each));
  }
  const text = query.toString();
  const url = `${ROOT}api/${path}`;
  try {
    if (text.length <= LONG) return await fetch(text === '' ? url : `${url}?${text}`, {signal});
    return await fetch(url, {method: 'POST', body: query, signal});
  } catch (error) {
    signal.throwIfAborted();
    throw new ApiError(`the gateway cannot be reached (${(error as Error).message})`, 0);
  }
}

function messageOf(path: string, status: number, text: string): string {
  const told = toldBy(text);
  // The pages ask for nothing that a plugin does not have, so it is the plugin that is not there.
  if (status === 404 && told?.startsWith('no such path:')) {
    return `the plugin ${path.split('/')[0]} is not on in this gateway: the overview has its state`;
  }
  if (status === 401) return `${told ?? 'credentials are needed'}; load the page again to enter them`;
  return told ?? `the gateway has answered ${status}`;
}

/** Every plugin says what is wrong under the key `error`. */
function toldBy(text: string): string | undefined {
  try {
    const {error} = JSON.parse(text) as {readonly error?: unknown};
    return typeof error === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}
