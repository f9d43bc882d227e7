import type {Meter} from '../../api/telemetry.js';

const DROPPED = /^query_gateway_storage_dropped_(samples|spans)_total$/;

/** What a storage has dropped because it was older than its retention, by what adapters count of it. */
export class LateData {
  readonly #dropped = new Map<string, number>();

  /** A meter that passes everything on to `meter`. */
  watch(meter: Meter): Meter {
    return {
      gauge: meter.gauge.bind(meter),
      histogram: meter.histogram.bind(meter),
      counter: (name, help, labels) => {
        const counter = meter.counter(name, help, labels);
        const [, what] = DROPPED.exec(name) ?? [];
        if (what === undefined) return counter;
        return {
          with: values => ({
            add: (by = 1) => {
              this.#dropped.set(what, (this.#dropped.get(what) ?? 0) + by);
              counter.with(values).add(by);
            },
          }),
        };
      },
    };
  }

  /** As a summary says it: "3 spans older than the retention". */
  toList(): readonly string[] {
    // Adapters also report that nothing was dropped.
    const late = [...this.#dropped].filter(([, count]) => count > 0);
    return late.map(([what, count]) => {
      const counted = count === 1 ? `1 ${what.slice(0, -1)}` : `${count} ${what}`;
      return `${counted} older than the retention`;
    });
  }
}
