import {Worker} from 'node:worker_threads';

/**
 * Asks for a small answer again and again, from a thread of its own that nothing else holds up, until the function that it
 * gives is called; which gives the times that they took, in milliseconds.
 */
export async function probe(url: string): Promise<() => Promise<readonly number[]>> {
  const worker = new Worker(new URL('./prober-thread.js', import.meta.url), {workerData: url});
  await new Promise(resolve => worker.once('message', resolve));
  const times = new Promise<readonly number[]>(resolve => worker.once('message', resolve));
  return async () => {
    worker.postMessage('stop');
    return times;
  };
}
