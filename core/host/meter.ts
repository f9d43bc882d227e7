import type {Counter, Gauge, Histogram, Labelled, Meter, Together} from '../api/telemetry.js';
import {type Child, type ChildDump, CounterChild, GaugeChild, HistogramChild, InstrumentFamily} from './instruments.js';

/** Suits requests from a look-up in memory to the usual deadline of a query. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** All that is measured under one name, as it goes to another process. */
export interface FamilyDump {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly children: readonly (readonly [labels: string, child: ChildDump])[];
}

/** The instruments of all components of a gateway. */
export class Instruments {
  readonly #families = new Map<string, InstrumentFamily<Child>>();

  /** The meter of one component: its instruments carry the component's name in the label `component`. */
  meter(component: string): Meter {
    return {
      counter: (name, help, labels = []): Labelled<Counter> =>
        this.#labelled(component, 'counter', name, help, labels, () => new CounterChild()),
      gauge: (name, help, labels = [], together: Together = 'sum'): Labelled<Gauge> =>
        this.#labelled(component, 'gauge', name, help, labels, () => new GaugeChild(together)),
      histogram: (name, help, labels = [], buckets = SECONDS): Labelled<Histogram> =>
        this.#labelled(component, 'histogram', name, help, labels, () => new HistogramChild(buckets)),
    };
  }

  /** Everything in the Prometheus exposition format. */
  expose(): string {
    return [...this.#families.values()].map(family => family.expose()).join('');
  }

  /** All of it as plain data. */
  dump(): readonly FamilyDump[] {
    return [...this.#families.values()].map(family => family.dump());
  }

  /** Adds what another process has measured: counters and histograms add up, gauges as they say. */
  absorb(families: readonly FamilyDump[]): void {
    for (const {name, type, help, labelNames, children} of families) {
      for (const [labels, child] of children) {
        const create = () => childOf(child);
        const family = this.#families.get(name) ?? new InstrumentFamily(type, name, help, labelNames, create);
        this.#families.set(name, family);
        family.childOf(labels, create).absorb(child);
      }
    }
  }

  #labelled<T extends Child>(
    component: string,
    type: string,
    name: string,
    help: string,
    labels: readonly string[],
    create: () => T,
  ): Labelled<T> {
    const labelNames = ['component', ...labels];
    let family = this.#families.get(name);
    if (family === undefined) {
      family = new InstrumentFamily(type, name, help, labelNames, create);
      this.#families.set(name, family);
    } else if (family.type !== type || String(family.labelNames) !== String(labelNames)) {
      throw new Error(`the metric ${name} is declared already, with another type or other labels`);
    }
    // The type was compared: a family of that name has children of that class.
    const known = family as unknown as InstrumentFamily<T>;
    return {with: values => known.child({component, ...values})};
  }
}

/** One to which nothing has been added. */
function childOf(dump: ChildDump): Child {
  if ('bounds' in dump) return new HistogramChild(dump.bounds);
  return 'together' in dump ? new GaugeChild(dump.together) : new CounterChild();
}
