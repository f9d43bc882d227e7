import type {Caller, Need} from './access.js';
import type {Call} from './call.js';

/**
 * HTTP as a plugin sees it: our own small types, so that the host's HTTP library can change without a plugin noticing.
 *
 * A plugin adds routes; the host mounts them under the plugin's prefix on its listener, reads bodies within their
 * limits, turns what a handler throws into the plugin's error form, answers 405 (with `Allow`) for other methods of a
 * known path and 404 for unknown paths under the prefix. HEAD is answered wherever GET is.
 */

/** One parsed set of parameters: the query string first, then the form body. Names and values are decoded. */
export interface Parameters {
  /** The first value that is not empty, or undefined: an empty parameter is an absent one. */
  first(name: string): string | undefined;
  /** Every value that is not empty, in order. */
  all(name: string): readonly string[];
}

export interface HttpRequest extends Call {
  readonly method: string;
  /** The target as the client sent it: the path, undecoded and with the plugin's prefix, then the query string. */
  readonly target: string;
  /** Values of the `:name` and `:name+` parts of the route's path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly parameters: Parameters;
  /** The raw query string, without the question mark; empty when there is none. */
  readonly queryString: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The decompressed body of a route with `body: 'bytes'`; empty otherwise. */
  readonly body: Uint8Array;
  /** Who asks; undefined where nobody is asked who they are. A handler may answer a caller with more rights more. */
  readonly caller?: Caller | undefined;
  /**
   * Milliseconds from the end of the request's headers in which the listener wants the answer to have left whole; the
   * connection is cut then. 0: no bound.
   */
  readonly writeTimeout: number;
  /**
   * Tells that what follows takes many milliseconds or megabytes, and waits for one of the few slots for such work. The
   * request gives up its place among the others, so small ones do not wait behind it; the slot is given back when the
   * handler has ended. Rejects with `overloaded` when too many wait, and as `signal` when it aborts. Asking twice is one.
   */
  heavySlot(): Promise<void>;
}

/** What is known of a request whatever it was refused for. */
export type RefusedRequest = Pick<HttpRequest, 'headers'>;

export interface Reply {
  readonly status: number;
  /** Names in lower case. `content-type` is JSON in UTF-8 unless given. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Sent as it is. Pieces are asked for one after the other, as fast as the client takes them, and not at all for HEAD;
   * when one cannot be made the connection is cut, so that the client does not take a part for the whole. Making a piece
   * must not hold up other requests: keep it small.
   */
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array>;
}

export type Handler = (request: HttpRequest) => Reply | Promise<Reply>;

export interface Route {
  readonly methods: readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS')[];
  /**
   * Begins with a slash; a part `:name` takes one path segment, a part `:name+` one or more, as many as it can. Only one
   * part of a path, and only one path with the same beginning, can have the plus. Relative to the plugin's prefix.
   */
  readonly path: string;
  /**
   * How parameters are told apart, in the query string and in a form body. `plain` (default): at every `&`. `braces`:
   * what stands inside balanced braces, outside quotes, is literal, so that `q={a="x" && b="y"}` is one parameter though
   * its sender left it as it is.
   */
  readonly parameters?: 'plain' | 'braces';
  /**
   * - `form` (default): a body of the type `application/x-www-form-urlencoded` joins the parameters, on every method,
   *   GET included. Limit: `limits.formBody`.
   * - `bytes`: the body as it is, decompressed when its `content-encoding` is gzip or deflate. Limit: `limits.ingestBody`,
   *   counted before and after.
   */
  readonly body?: 'form' | 'bytes';
  /**
   * `query` (default) counts against `limits.concurrentQueries` and has the deadline `limits.queryTimeout`; `write` counts
   * alike and has the deadline `limits.ingestTimeout`; `light` does neither: for answers that need no storage.
   */
  readonly work?: 'query' | 'write' | 'light';
  /**
   * Of a route that keeps answers: the one to a request without a form for this target, path and query string as they were
   * sent, where it is known at once. It is asked for before the handler, and what it gives is sent without a place, a
   * deadline or parameters, and is counted and logged as any other answer.
   */
  readonly kept?: (target: string) => Reply | undefined;
  /**
   * What callers need where they are asked who they are; the definition's `right` unless given. `open` asks nobody. A
   * request that is no query (the right is not `read`, or `work` is `write`), by a method other than GET, HEAD and OPTIONS,
   * is refused to web pages of other origins.
   */
  readonly right?: Need;
}

export interface Routes {
  add(route: Route, handler: Handler): void;
}
