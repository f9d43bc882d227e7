/** Settings of the server that go with a statement. */
export type Settings = Readonly<Record<string, string | number>>;

/** One request to the server. */
export interface Statement {
  readonly text: string;
  /** The rows of an INSERT; the text then goes into the address. */
  readonly body?: Buffer;
  readonly settings: Settings;
  /** Stops the statement at the server too. */
  readonly signal?: AbortSignal | undefined;
  readonly database: string | undefined;
  /** Asked on a connection of its own, so that it waits for no other. */
  readonly isProbe?: boolean;
}
