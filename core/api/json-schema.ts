/**
 * The schema of a plugin's or an adapter's `config` (JSON Schema, draft-07, type `object`).
 *
 * The host validates `config` with it before anything is created, fills in its `default`s, and refuses keys it does
 * not know (`additionalProperties` is taken as false at every level unless the schema says otherwise). Every property
 * should have a `description`: editors show it, and `query-gateway schema` prints it.
 *
 * Beside the standard keywords the host understands:
 *
 * - `format: "duration"` with `type: ["number", "string"]`: milliseconds, or text with a unit (`"30s"`, `"1h30m"`,
 *   `"7d"`). The component receives a number of milliseconds.
 * - `format: "byte-size"` with `type: ["integer", "string"]`: bytes, or text with a unit (`"64MiB"`). The component
 *   receives a number of bytes.
 * - `format: "path"`: a path of the file system, made absolute from the folder of the configuration file.
 * - `x-env: "NAME"`: the environment variable that the value comes from when the configuration leaves the key out. A
 *   variable that is set but empty counts as unset.
 * - `x-pattern: "begins with a slash"`: what `pattern` asks for in words; messages say "text that …" with it.
 * - `x-expected: "a number, or \"all\""`: what is expected in words, where keywords say it badly.
 * - `x-shared: true`: a number of which each worker gets its part (`workers` of the configuration), at least 1.
 * - `x-cache: true`: how much is kept in memory for queries. A command that reads or writes everything once gives its `minimum`, or 0.
 * - `x-at-most: "startTimeout"`: a duration that the configuration gives may not be above that key of its top level.
 * - `x-storage: true`, in an adapter's schema for a key of its `config`: the value is a storage of its own, `{use, config}`, as
 *   the `storage` of a configuration. The host loads and checks it, and makes it a `NestedStorage`.
 * - `x-secret: true`: the value is never printed, by no command and in no log line or error. A credential within the URL of a
 *   key that is not marked is hidden too, as it is in every message: `http://reader:(hidden)@host`.
 */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The longest time that a component may wait for, in milliseconds: 24 days. A timer of Node.js holds a day more, and
 * what is longer fires at once; so a duration that becomes a timer has this as its `maximum`.
 */
export const LONGEST_WAIT = 24 * 86_400_000;

export interface ConfigMistake {
  /** The key, or the path of one within it: `timeZone`, `retention.hour`, `urls[1]`. */
  readonly key: string;
  /** What was found and what is expected. */
  readonly message: string;
  /** A name that is none, and those that are: the host says which of them was probably meant. */
  readonly near?: {readonly found: string; readonly among: readonly string[]};
}
