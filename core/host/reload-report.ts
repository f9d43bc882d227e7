import type {ReloadStatus} from '../api/status.js';
import type {Gauge, Logger, Meter} from '../api/telemetry.js';
import {ConfigError} from '../config/config-error.js';

/** Tells how the latest reload went: the start is the first success. */
export class ReloadReport {
  readonly #success: Gauge;
  readonly #timestamp: Gauge;
  #latest: ReloadStatus | null = null;

  constructor(meter: Meter) {
    const success =
      'Whether the latest reading of the configuration, at the start or by a reload, has been put in force.';
    const time = 'When a configuration was put in force last, in seconds since 1970.';
    this.#success = meter.gauge('query_gateway_config_reload_success', success).with({});
    this.#timestamp = meter.gauge('query_gateway_config_reload_timestamp_seconds', time).with({});
  }

  /** Null before the first reload. */
  get latest(): ReloadStatus | null {
    return this.#latest;
  }

  started(): void {
    this.#success.set(1);
    this.#timestamp.set(Date.now() / 1000);
  }

  succeeded(log: Logger): void {
    this.started();
    this.#latest = {time: new Date().toISOString(), success: true};
    log.info('the configuration was read again and is in force');
  }

  /** Gives the error back. */
  failed(error: unknown, log: Logger): unknown {
    this.#success.set(0);
    const mistakes = error instanceof ConfigError ? error.problems : [];
    const problems = mistakes.map(({path: key, message}) => ({key, message}));
    const {message} = error as Error;
    this.#latest = {time: new Date().toISOString(), success: false, error: message, problems};
    const found = problems.length > 0 ? problems : message;
    log.error('the configuration was read again and is not in force: nothing has changed', {problems: found});
    return error;
  }
}
