/** What kinds of traces differ in, of the language. */
export interface QuerySubset {
  /** Whether a condition may be on any attribute of the resource, or on the service's name alone. */
  readonly resourceAttributes: boolean;
}

/** Of kinds whose resources have the service's name and nothing else. */
export const SERVICE_ALONE: QuerySubset = {resourceAttributes: false};
