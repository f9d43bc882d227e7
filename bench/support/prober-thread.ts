import {setTimeout as sleep} from 'node:timers/promises';
import {parentPort, workerData} from 'node:worker_threads';

let isOver = false;
const times: number[] = [];
parentPort?.once('message', () => {
  isOver = true;
});

async function ask(): Promise<number> {
  const begun = performance.now();
  try {
    await (await fetch(workerData as string)).arrayBuffer();
  } catch {
    // Nobody is there any more: the server of the test was told to stop.
    isOver = true;
  }
  return performance.now() - begun;
}

// The first ones open the connection and load what is needed for it.
for (let round = 0; round < 5; round++) await ask();
parentPort?.postMessage('ready');
while (!isOver) {
  times.push(await ask());
  await sleep(5);
}
parentPort?.postMessage(times);
