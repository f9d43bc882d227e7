import type {Parameters} from './http.js';

/**
 * What `query-gateway rehearse` has to know of a plugin's protocol: it asks recorded queries of the same plugin over two
 * storages, and compares the answers. Of a plugin that tells nothing, answers are compared as bytes and then as JSON, and times
 * stay as they were recorded.
 */
export interface Rehearsal {
  /**
   * The times in a request of a route, which is named by its path as it was added. Undefined where no time has an effect on
   * the answer. Pure; parameters may be wrong, as those of any request.
   */
  readonly times: (route: string, parameters: Parameters) => AskedTimes | undefined;
  /**
   * What an answer with status 200 says, as far as it has to be the same over another storage. What it throws means that the
   * answer cannot be read. Pure.
   */
  readonly telling: (answer: RehearsedAnswer) => Telling;
}

/** Parameters that are times, each in Unix seconds or RFC 3339. */
export interface AskedTimes {
  /** The one that begins the window of the answer, if there is one. */
  readonly start?: string;
  /** The one that ends it, or is its only moment. A request that leaves it out asks for now. */
  readonly end: string;
  /**
   * Milliseconds: the answer is made of what lies in spans of this length, which begin at multiples of it since the epoch.
   * One that is not over yet still changes.
   */
  readonly bucket: number;
}

export interface RehearsedAnswer {
  /** As the route was added. */
  readonly route: string;
  /** Of the request. */
  readonly parameters: Parameters;
  /** Of the answer, in lower case; empty when it has none. */
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** JSON, and in it what need not be the same to the last digit, and lists without an order. */
export type Telling =
  | null
  | boolean
  | number
  | string
  | Measured
  | AnyOrder
  | readonly Telling[]
  | {readonly [key: string]: Telling};

/**
 * The value of a metric, a ranking or a record: two that differ by less than the tolerance are the same. Never a time, a duration,
 * an id, a label or a tag.
 */
export class Measured {
  /** As the protocol writes it: what `Number` reads, or `NaN`, `+Inf` and `-Inf`. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A list whose order says nothing: each item goes with the one of the same key. Keys that occur again are told apart by their turn. */
export class AnyOrder {
  readonly items: readonly (readonly [key: string, item: Telling])[];

  constructor(items: readonly (readonly [key: string, item: Telling])[]) {
    this.items = items;
  }
}
