import {Counter, Gauge, Histogram, type Registry} from 'prom-client';
import type * as api from '../api/telemetry.js';

/** Suits requests from a lookup in memory to the usual deadline of a query. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type Instrument = Counter | Gauge | Histogram;

/** The meter of one component: its instruments carry the component's name in the label `component`. */
export class ComponentMeter implements api.Meter {
  readonly #registry: Registry;
  readonly #component: string;

  constructor(registry: Registry, component: string) {
    this.#registry = registry;
    this.#component = component;
  }

  counter(name: string, help: string, labels: readonly string[] = []): api.Labelled<api.Counter> {
    const counter = this.#once(name, labels, Counter, common => new Counter(common), help);
    return this.#labelled(values => {
      const child = counter.labels(values);
      return {add: (amount = 1) => child.inc(amount)};
    });
  }

  gauge(name: string, help: string, labels: readonly string[] = []): api.Labelled<api.Gauge> {
    const gauge = this.#once(name, labels, Gauge, common => new Gauge(common), help);
    return this.#labelled(values => {
      const child = gauge.labels(values);
      return {set: value => child.set(value)};
    });
  }

  histogram(
    name: string,
    help: string,
    labels: readonly string[] = [],
    buckets: readonly number[] = SECONDS,
  ): api.Labelled<api.Histogram> {
    const create = (common: Common) => new Histogram({...common, buckets: [...buckets]});
    const histogram = this.#once(name, labels, Histogram, create, help);
    return this.#labelled(values => {
      const child = histogram.labels(values);
      return {observe: value => child.observe(value)};
    });
  }

  #labelled<T>(child: (values: Record<string, string>) => T): api.Labelled<T> {
    return {with: values => child({component: this.#component, ...values})};
  }

  /** The instrument of that name, made when it is asked for the first time. */
  #once<T extends Instrument>(
    name: string,
    labels: readonly string[],
    type: abstract new (...parameters: never[]) => T,
    create: (common: Common) => T,
    help: string,
  ): T {
    const known = this.#registry.getSingleMetric(name) as Instrument | undefined;
    const labelNames = ['component', ...labels];
    if (known === undefined) return create({name, help, labelNames, registers: [this.#registry]});
    if (!(known instanceof type) || labelsOf(known) !== String(labelNames)) {
      throw new Error(`the metric ${name} is declared already, with another type or other labels`);
    }
    return known;
  }
}

/** The library keeps the names and does not declare them. */
function labelsOf(instrument: Instrument): string {
  return String((instrument as {readonly labelNames?: readonly string[]}).labelNames);
}

interface Common {
  readonly name: string;
  readonly help: string;
  readonly labelNames: string[];
  readonly registers: Registry[];
}
