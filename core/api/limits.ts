/** The limits that a plugin applies itself; the host applies those on bodies, time and concurrency. */
export interface QueryLimits {
  /** The longest query text, in bytes of UTF-8. Longer text is refused before it is parsed. */
  readonly queryLength: number;
  /** How deep parentheses and calls may nest in a query text. */
  readonly nesting: number;
}
