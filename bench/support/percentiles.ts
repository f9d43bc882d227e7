export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
}

export function percentiles(times: readonly number[]): Percentiles {
  const ordered = [...times].sort((a, b) => a - b);
  const at = (share: number) => ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * share))] ?? Number.NaN;
  return {p50: at(0.5), p99: at(0.99)};
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
