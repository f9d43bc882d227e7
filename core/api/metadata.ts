import type {Call} from './call.js';

/**
 * The entities that exist: layers, services, and the instances and endpoints of a service.
 *
 * Lists come as pages, each page an array of names in ascending code point order (`compareNames`), all pages together
 * in that order and without repetition. A consumer stops iterating at its limit, and the reader then releases what it
 * holds (`return()` of the iterator). The size of a page is the reader's choice; an empty page is allowed.
 */
export type NamePages = AsyncIterable<readonly string[]>;

/**
 * Conditions on the listed name. A hint: a reader may use it to send less, and may ignore it. Whoever asks filters
 * again. All given conditions must hold.
 */
export interface NameHint {
  /** The name is exactly this. */
  readonly equals?: string;
  /** The name is one of these. */
  readonly oneOf?: readonly string[];
  /** The name begins with this. */
  readonly prefix?: string;
}

/** Seconds, both included. An entity passes when it was last seen at or after `from`, and first seen at or before `to`. */
export interface SeenWindow {
  readonly from: number;
  readonly to: number;
}

export interface ServicesRequest {
  /** Exact, case included. A service that lives in several layers is listed in each. */
  readonly layer: string;
  readonly name?: NameHint;
}

export interface InstancesRequest {
  readonly layer: string;
  readonly service: string;
  /** Exact: seen is counted in minutes, that is, `from` and both times of the entity are floored to their minute. */
  readonly seen?: SeenWindow;
  readonly name?: NameHint;
}

export interface EndpointsRequest extends InstancesRequest {
  /** Exact: the name contains this text, case included. Empty or absent: every name. */
  readonly keyword?: string;
}

/** `metadata.query.v1`. A layer or a service that does not exist has empty lists. */
export interface MetadataReader {
  /** Layers that occur in the data, in code point order. */
  layers(call: Call): Promise<readonly string[]>;
  services(request: ServicesRequest, call: Call): NamePages;
  instances(request: InstancesRequest, call: Call): NamePages;
  endpoints(request: EndpointsRequest, call: Call): NamePages;
  /**
   * Optional: a number that is another one as soon as any list, of those by this `seen` and of those without, or the catalog
   * of metrics that the storage has beside them, may have become another one. While it stays the same, whoever has read a list may answer with it. It is asked for with every query, so
   * it is known at once; a reader whose storage others write to as well cannot tell, and leaves the method out.
   */
  version?(seen?: SeenWindow): number;
}
