/** What a command must not die of: it ends what it has begun first. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The signal of work that ends when the process is asked to end. `release` gives the process its own ways back. */
export function interruption(): {readonly signal: AbortSignal; readonly release: () => void} {
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort(new Error('interrupted'));
  for (const signal of ENDING) process.once(signal, interrupt);
  const release = (): void => {
    for (const signal of ENDING) process.off(signal, interrupt);
  };
  return {signal: interrupted.signal, release};
}
