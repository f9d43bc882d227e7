import type {CapabilityName, Counter, Meter} from '../../core/api/adapter.js';

/** How a question ended that was to be compared. */
export type ComparisonResult = 'equal' | 'differs' | 'error' | 'skipped';

/** What the tee tells on the `/metrics` page. */
export class TeeInstruments {
  /** Writes that the primary has stored and the secondary has not. */
  readonly failedWrites: Counter;
  readonly #compared: (labels: {readonly capability: string; readonly result: string}) => Counter;
  /** By result, then by capability: no text is made for a read. */
  readonly #counters = new Map<ComparisonResult, Map<CapabilityName, Counter>>();

  constructor(meter: Meter) {
    const compared = meter.counter(
      'query_gateway_tee_compared_total',
      'Questions that the secondary storage was to be asked too: equal, differs, error (it could not answer), or skipped.',
      ['capability', 'result'],
    );
    this.#compared = labels => compared.with(labels);
    const help = 'Writes that the primary storage has stored and the secondary has not.';
    this.failedWrites = meter.counter('query_gateway_tee_failed_writes_total', help).with({});
    this.failedWrites.add(0);
  }

  compared(capability: CapabilityName, result: ComparisonResult): void {
    let counters = this.#counters.get(result);
    if (counters === undefined) {
      counters = new Map();
      this.#counters.set(result, counters);
    }
    let counter = counters.get(capability);
    if (counter === undefined) {
      counter = this.#compared({capability, result});
      counters.set(capability, counter);
    }
    counter.add();
  }
}
