import {setTimeout as sleep} from 'node:timers/promises';
import type {StorageAdapter} from '../api/adapter.js';
import type {Readers} from '../api/capabilities.js';
import {GatewayError} from '../api/errors.js';
import type {Logger} from '../api/telemetry.js';
import {checkReaders} from './create-storage.js';
import {within} from './lifecycle.js';

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5000;

export interface StorageStart {
  /** Milliseconds for all attempts together. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Told of every attempt that failed and will be repeated. */
  readonly retrying?: (error: GatewayError) => void;
}

/** Starts an adapter. While it answers `storage_unavailable`, tries again with growing pauses until the deadline. */
export async function startStorage(adapter: StorageAdapter, start: StorageStart): Promise<Readers> {
  const {timeout, log} = start;
  let last: GatewayError | undefined;
  const attempts = async (signal: AbortSignal): Promise<Readers> => {
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      try {
        return checkReaders(await adapter.start(signal));
      } catch (error) {
        signal.throwIfAborted();
        last = GatewayError.from(error);
        if (last.code !== 'storage_unavailable') throw last;
      }
      log.warn('the storage is not available; trying again', {error: last.message, pause});
      start.retrying?.(last);
      await sleep(pause, undefined, {signal});
    }
  };
  try {
    return await within('its start', {milliseconds: timeout, option: 'startTimeout'}, attempts, start.signal);
  } catch (error) {
    if (last === undefined || GatewayError.from(error).code !== 'timeout') throw error;
    throw new GatewayError(
      'storage_unavailable',
      `not available within startTimeout, ${timeout / 1000} s: ${last.message}`,
      {
        cause: error,
      },
    );
  }
}
