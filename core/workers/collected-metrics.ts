import type {Instruments} from '../host/meter.js';
import {GatewayMetrics, lasting, type Measurements, measuredTogether, pageTogether} from '../http/gateway-metrics.js';

/** Figures of several processes as of one. What a process had counted stays when it dies: a sum never falls. */
export class CollectedMetrics {
  readonly #own: GatewayMetrics;
  /** What each has told last. */
  readonly #latest = new Map<object, Measurements>();
  #gone: Measurements = {instruments: [], runtime: []};

  /** `instruments` are those of this process. */
  constructor(instruments: Instruments) {
    this.#own = new GatewayMetrics(instruments);
  }

  /** Text of the exposition format. Of a process that does not answer (`undefined`) what it has told last. */
  async page(answers: ReadonlyMap<object, Measurements | undefined>): Promise<string> {
    for (const [worker, measured] of answers) if (measured !== undefined) this.#latest.set(worker, measured);
    return pageTogether([await this.#own.measure(), ...this.#latest.values(), this.#gone]);
  }

  /** The process has ended. */
  async forget(worker: object): Promise<void> {
    const latest = this.#latest.get(worker);
    this.#latest.delete(worker);
    if (latest === undefined) return;
    const before = this.#gone;
    this.#gone = await measuredTogether([before, lasting(latest)]);
  }
}
