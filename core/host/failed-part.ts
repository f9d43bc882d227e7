/** What a configuration asks for could not be started. */
export class FailedPart extends Error {
  override readonly name = 'FailedPart';
  /** The path of the key that asks for it. */
  readonly key: string;
  override readonly cause: Error;

  constructor(key: string, cause: Error) {
    super(cause.message, {cause});
    this.key = key;
    this.cause = cause;
  }
}

/** Runs `work`; what it throws is of the part that `key` asks for. */
export async function ofPart<T>(key: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new FailedPart(key, error as Error);
  }
}
