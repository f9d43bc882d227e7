/** The limits that a plugin applies itself; the host applies those on bodies, time and concurrency. */
export interface QueryLimits {
  /** The longest query text, in bytes of UTF-8. Longer text is refused before it is parsed. */
  readonly queryLength: number;
  /** How deep parentheses and calls may nest in a query text. */
  readonly nesting: number;
}

/** Those of plugins that list names, take spans, or have sockets of their own. */
export interface PluginLimits extends QueryLimits {
  /** How many names or series one answer lists. More are left out, with a warning in the answer where its form has a place. */
  readonly listNames: number;
  /** How many tags, annotations or log entries of a span are stored. One that has more is cut, marked and counted. */
  readonly spanTags: number;
  /** The largest body to be stored, in bytes, before and after decompression; the host applies it to routes. */
  readonly ingestBody: number;
  /** How long the storage may take to store one, in milliseconds. */
  readonly ingestTimeout: number;
}
