/**
 * The outcome of work that goes on whoever waits for it, or the reason of the signal, whichever comes first. `aborted` is
 * called at once when it is the signal.
 */
export function unlessAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  aborted: () => void = () => undefined,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      aborted();
      reject(signal.reason);
    };
    // Taken off before anyone learns of the outcome: an abort from then on is none of this.
    const done = (): void => signal.removeEventListener('abort', abort);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, {once: true});
    work.then(
      result => {
        done();
        resolve(result);
      },
      error => {
        done();
        reject(error);
      },
    );
  });
}
