/**
 * What the serving thread and a worker say to each other: one table of operations per kind of worker. Requests and replies
 * are copied from thread to thread, but for the buffers of their typed arrays, which are handed over.
 */
export type Operations = Readonly<Record<string, {readonly request: unknown; readonly reply: unknown}>>;

/** Throws when the call was cancelled. Long work calls it at least every few milliseconds. */
export type Checkpoint = () => void;
