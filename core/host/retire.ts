import {setTimeout as sleep} from 'node:timers/promises';
import {GatewayError} from '../api/errors.js';
import type {Logger} from '../api/telemetry.js';
import type {Generation} from './generation.js';
import {Lifecycle} from './lifecycle.js';
import type {Usage} from './usage.js';

export interface RetireOptions {
  /** For how long requests in progress may go on, in milliseconds; then they are ended. */
  readonly patience: number;
  /** For how long each component may stop. */
  readonly timeout: number;
  /** Ends the requests with this error. */
  readonly abort: (error: GatewayError, of: Usage) => void;
  readonly log: Logger;
}

/** How long requests that have been ended may take to notice, in milliseconds. */
const LAST_MOMENT = 1000;

/** Stops what one generation had and the next has not, when the last request that is with it is answered. */
export async function retire(
  {plugins, storage}: ReturnType<Generation['goneFrom']>,
  {patience, timeout, abort, log}: RetireOptions,
): Promise<void> {
  const usages = plugins.map(({usage}) => usage);
  const idle = Promise.all(usages.map(usage => usage.idle()));
  const isLate = await Promise.race([idle.then(() => false), sleep(patience, true, {ref: false})]);
  if (isLate) {
    log.warn('requests that came before the reload are ended, for what answers them stops', {patience});
    for (const plugin of plugins) plugin.drain();
    for (const usage of usages)
      abort(new GatewayError('overloaded', 'what answers this path is replaced; try again'), usage);
    await Promise.race([idle, sleep(LAST_MOMENT, undefined, {ref: false})]);
  }
  const lifecycle = new Lifecycle();
  if (storage !== undefined) lifecycle.add(`the storage adapter ${storage.name}`, () => storage.stop());
  for (const plugin of [...plugins].reverse()) lifecycle.add(`the plugin ${plugin.config.id}`, () => plugin.stop());
  await lifecycle
    .stop(timeout)
    .catch((error: unknown) => log.error('what a reload has replaced did not stop cleanly', {err: error}));
}
