import {setImmediate as turn} from 'node:timers/promises';

/** Awaits work, and counts how often others have had their turn meanwhile. */
export async function countTurns<Result>(work: Promise<Result>): Promise<{result: Result; turns: number}> {
  let turns = 0;
  let done = false;
  const others = (async () => {
    while (!done) {
      await turn();
      turns++;
    }
  })();
  try {
    return {result: await work, turns};
  } finally {
    done = true;
    await others;
  }
}
