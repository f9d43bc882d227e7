import {setImmediate as turn} from 'node:timers/promises';

/** Repeats `read` as long as `work` goes on, and waits for the end of both whatever happens. */
export async function readWhile(work: () => Promise<void>, read: () => Promise<void>): Promise<void> {
  let done = false;
  const working = work().finally(() => {
    done = true;
  });
  try {
    do {
      await read();
      // A reader that answers from memory would else keep the writer from its turn.
      await turn();
    } while (!done);
  } finally {
    await Promise.allSettled([working]);
  }
  await working;
}
