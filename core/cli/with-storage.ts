import type {Readers} from '../api/capabilities.js';
import {HEALTHY, type Health} from '../api/health.js';
import type {Meter} from '../api/telemetry.js';
import type {GatewayConfig} from '../config/gateway-config.js';
import {storageFailure} from '../host/create-storage.js';
import {within} from '../host/lifecycle.js';
import {Instruments} from '../host/meter.js';
import {startStorage} from '../host/start-storage.js';
import {Storages} from '../host/storages.js';
import {interruption} from './interruption.js';
import {createLog} from './log.js';
import {logWarnings} from './warnings.js';

/**
 * Starts the configured storage without a gateway, for the time of `use`, whose signal aborts when the process is
 * interrupted, and which learns of its health. Without a storage there are no readers. `watch` sees what the
 * storage measures.
 */
export async function withStorage<T>(
  {storage, startTimeout, shutdownTimeout, logLevel}: GatewayConfig,
  use: (readers: Readers, signal: AbortSignal, health: Health) => Promise<T>,
  watch: (meter: Meter) => Meter = meter => meter,
): Promise<T> {
  if (storage === undefined) return use({}, new AbortController().signal, HEALTHY);
  const loggerOf = createLog(logLevel);
  logWarnings(loggerOf('gateway'));
  const log = loggerOf('storage');
  const instruments = new Instruments();
  const adapter = new Storages(loggerOf, component => watch(instruments.meter(component))).create(storage);
  const {signal, release} = interruption();
  const stop = () => {
    release();
    const limit = {milliseconds: shutdownTimeout, option: 'shutdownTimeout'};
    return within('stopping the storage', limit, () => adapter.stop());
  };
  let used: T;
  try {
    const readers = await startStorage(adapter, {timeout: startTimeout, signal, log}).catch((error: unknown) => {
      throw storageFailure(storage, 'did not start', error);
    });
    used = await use(readers, signal, await adapter.health(signal));
  } catch (error) {
    await stop().catch((failure: unknown) => log.error('shutdown failed', {err: failure}));
    throw error;
  }
  await stop();
  return used;
}
