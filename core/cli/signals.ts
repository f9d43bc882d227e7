/** The first signal that asks the process to end. The second ends it at once, with the code of a killed process. */
export function firstSignal(): Promise<string> {
  return new Promise(resolve => {
    let asked = false;
    // A program that opens no socket would end by itself.
    const alive = setInterval(() => undefined, 2 ** 30);
    const end = (signal: NodeJS.Signals, code: number) => {
      if (asked) process.exit(code);
      asked = true;
      clearInterval(alive);
      resolve(signal);
    };
    process.on('SIGTERM', signal => end(signal, 143));
    process.on('SIGINT', signal => end(signal, 130));
  });
}
