import {setTimeout as sleep} from 'node:timers/promises';
import {loadDiagnosticsScene} from '../../../plugins/builtins.js';
import type {Call} from '../../api/call.js';

const AGENTS = 3;

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
  const startScene = await loadDiagnosticsScene();
  const scene = await startScene(grpc, folder, log);
  const stop = (): void =>
    void scene.stop().catch((error: unknown) => log.warn('an agent of the demo did not stop', {err: error}));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  while (!signal.aborted) {
    const response = await fetch(`${diagnostics}/metrics-windows`, {signal});
    const series = (await response.json()) as readonly {readonly pod_name: string}[];
    if (new Set(series.map(({pod_name}) => pod_name)).size === AGENTS) return;
    await sleep(50, undefined, {signal});
  }
}
