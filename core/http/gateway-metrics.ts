import {AggregatorRegistry, collectDefaultMetrics, type MetricObject, Registry} from 'prom-client';
import type {Meter} from '../api/telemetry.js';
import {type FamilyDump, Instruments} from '../host/meter.js';

/** Gauges of the library that have the suffix of a counter; the same numbers stand under other names by type. */
const MISNAMED = ['handles', 'requests', 'resources'].map(what => `nodejs_active_${what}_total`);

/** What the library would leave out of several processes together, or make a mean of that hides the worst. */
const TOGETHER: readonly [name: RegExp, how: string][] = [
  [/^process_start_time_seconds$/, 'min'],
  [/^nodejs_eventloop_lag_(?:seconds|mean|stddev|p\d+)/, 'max'],
];

/** What one process has measured, as it goes to another. */
export interface Measurements {
  readonly instruments: readonly FamilyDump[];
  readonly runtime: readonly MetricObject[];
}

/** Everything that one process measures: its instruments, and what every program of Node.js tells of itself. */
export class GatewayMetrics {
  readonly #instruments: Instruments;
  readonly #runtime = new Registry();
  readonly #refresh: () => void;

  /** `refresh` sets what is only known when somebody asks. */
  constructor(instruments: Instruments, refresh: () => void = () => undefined) {
    this.#instruments = instruments;
    this.#refresh = refresh;
    collectDefaultMetrics({register: this.#runtime});
    for (const name of MISNAMED) this.#runtime.removeSingleMetric(name);
  }

  /** As text of the exposition format. */
  async page(): Promise<string> {
    this.#refresh();
    return (await this.#runtime.metrics()) + this.#instruments.expose();
  }

  async measure(): Promise<Measurements> {
    this.#refresh();
    return {instruments: this.#instruments.dump(), runtime: (await this.#runtime.getMetricsAsJSON()) as MetricObject[]};
  }
}

/** What each process has measured, as of one. */
export async function measuredTogether(all: readonly Measurements[]): Promise<Measurements> {
  const instruments = new Instruments();
  for (const each of all) instruments.absorb(each.instruments);
  return {instruments: instruments.dump(), runtime: await runtimeOf(all).getMetricsAsJSON()};
}

/** The same as text. */
export async function pageTogether(all: readonly Measurements[]): Promise<string> {
  const instruments = new Instruments();
  for (const each of all) instruments.absorb(each.instruments);
  return (await runtimeOf(all).metrics()) + instruments.expose();
}

/** What stays of a process that is no more, so that sums never fall: what only grows. */
export function lasting({instruments, runtime}: Measurements): Measurements {
  const grows = ({type}: {readonly type: string | number}): boolean => LASTING.includes(String(type));
  return {instruments: instruments.filter(grows), runtime: runtime.filter(grows)};
}

const LASTING: readonly string[] = ['counter', 'histogram'];

function runtimeOf(all: readonly Measurements[]): Registry {
  const lists = all.map(({runtime}) =>
    runtime.map(metric => ({
      ...metric,
      aggregator: TOGETHER.find(([name]) => name.test(metric.name))?.[1] ?? metric.aggregator,
    })),
  );
  return AggregatorRegistry.aggregate(lists as unknown as MetricObject[]);
}

/** What the state of a gateway is in figures. */
export class StatusMetrics {
  readonly #ready;
  readonly #degraded;
  /** Every component that has been told of. */
  readonly #known = new Set<string>();

  constructor(meter: Meter, version: string) {
    meter.gauge('query_gateway_info', 'The version of the gateway.', ['version']).with({version}).set(1);
    this.#ready = meter.gauge('query_gateway_ready', 'Whether /-/ready answers 200: 1 or 0.').with({});
    const help = 'Whether a component serves less than usual: 1 or 0.';
    this.#degraded = meter.gauge('query_gateway_component_degraded', help, ['name']);
  }

  tell(isReady: boolean, components: readonly {readonly name: string; readonly state: string}[]): void {
    this.#ready.set(isReady ? 1 : 0);
    const states = new Map(components.map(({name, state}) => [name, state]));
    for (const name of states.keys()) this.#known.add(name);
    // What a reload has taken away is degraded no more.
    for (const name of this.#known) this.#degraded.with({name}).set(states.get(name) === 'degraded' ? 1 : 0);
  }
}
