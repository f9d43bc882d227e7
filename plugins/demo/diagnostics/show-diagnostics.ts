import {setTimeout as sleep} from 'node:timers/promises';
import type {Call} from '../../../core/api/plugin.js';
import {startAgents} from './agents.js';
import {CAST} from './cast.js';

/**
 * Starts a few agents with a database behind them, until the signal aborts. Resolves when the proxy shows the metrics of
 * them all. `diagnostics` and `grpc`: the addresses of the proxy.
 */
export async function showDiagnostics(
  diagnostics: string,
  grpc: string,
  folder: string,
  {signal, log}: Call,
): Promise<void> {
  const agents = await startAgents(grpc, folder, log);
  const stop = (): void =>
    void agents.stop().catch((error: unknown) => log.warn('an agent of the demo did not stop', {err: error}));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  while (!signal.aborted) {
    const response = await fetch(`${diagnostics}/metrics-windows`, {signal});
    const series = (await response.json()) as readonly {readonly pod_name: string}[];
    if (new Set(series.map(({pod_name}) => pod_name)).size === CAST.length) return;
    await sleep(50, undefined, {signal});
  }
}
