import type {Counter, Gauge, LabelValues, Meter} from '../../../core/api/plugin.js';
import type {Family, FamilySample, FamilyType} from '../../diagnostics/exposition/model.js';
import type {DropReason} from './dropped-samples.js';

/** A number that stands on the admin listener's page and on the proxy's own. */
class OwnInstrument implements Counter, Gauge {
  readonly #instrument: Partial<Counter & Gauge>;
  readonly #labels: LabelValues;
  #value = 0;

  constructor(instrument: Partial<Counter & Gauge>, labels: LabelValues) {
    this.#instrument = instrument;
    this.#labels = labels;
  }

  add(amount = 1): void {
    this.#value += amount;
    this.#instrument.add?.(amount);
  }

  set(value: number): void {
    this.#value = value;
    this.#instrument.set?.(value);
  }

  sample(name: string): FamilySample {
    return {name, labels: Object.entries(this.#labels).flat(), value: this.#value};
  }
}

export type FanOutKind = 'metrics' | 'topology' | 'lifecycle';
const KINDS: readonly FanOutKind[] = ['lifecycle', 'metrics', 'topology'];
const DROPS: readonly DropReason[] = ['reserved_name', 'time', 'bucket_bound', 'quantile'];

/** The proxy's own metrics. */
export class ProxyMetrics {
  readonly registered: Counter;
  readonly refused: Counter;
  readonly oversized: Counter;
  readonly malformed: Counter;
  readonly online: Gauge;
  readonly offline: Gauge;
  readonly collections: Readonly<Record<FanOutKind, Counter>>;
  readonly missing: Readonly<Record<FanOutKind, Counter>>;
  readonly seconds: Readonly<Record<FanOutKind, Counter>>;
  readonly dropped: Readonly<Record<DropReason, Counter>>;
  readonly #families: {
    readonly name: string;
    readonly help: string;
    readonly type: FamilyType;
    readonly all: OwnInstrument[];
  }[] = [];
  readonly #meter: Meter;

  constructor(meter: Meter) {
    this.#meter = meter;
    const agents = this.#family('gauge', 'diagnostics_proxy_agents', 'Registered agents by status.', 'status');
    this.offline = agents('offline');
    this.online = agents('online');
    this.registered = this.#single('diagnostics_proxy_registrations_total', 'Registrations of agents.');
    this.refused = this.#single('diagnostics_proxy_refused_registrations_total', 'Registrations that were refused.');
    this.oversized = this.#single('diagnostics_proxy_oversized_messages_total', 'Messages over the size limit.');
    this.malformed = this.#single('diagnostics_proxy_malformed_answers_total', 'Answers that could not be decoded.');
    this.collections = this.#by('kind', KINDS, 'diagnostics_proxy_collections_total', 'FanOut from agents, by kind.');
    this.missing = this.#by(
      'kind',
      KINDS,
      'diagnostics_proxy_missing_answers_total',
      'Agents that gave a collection nothing.',
    );
    this.seconds = this.#by('kind', KINDS, 'diagnostics_proxy_collection_seconds_total', 'Time spent on collections.');
    this.dropped = this.#by('reason', DROPS, 'diagnostics_proxy_dropped_samples_total', 'Samples that were left out.');
  }

  families(): readonly Family[] {
    return this.#families.map(({name, help, type, all}) => ({
      name,
      help,
      type,
      samples: all.map(own => own.sample(name)),
    }));
  }

  #family(type: 'counter' | 'gauge', name: string, help: string, label?: string): (value?: string) => OwnInstrument {
    const all: OwnInstrument[] = [];
    this.#families.push({name, help, type, all});
    const family = this.#meter[type](name, help, label === undefined ? [] : [label]);
    return value => {
      const labels: LabelValues = label === undefined ? {} : {[label]: value ?? ''};
      const own = new OwnInstrument(family.with(labels), labels);
      all.push(own);
      return own;
    };
  }

  #single(name: string, help: string): OwnInstrument {
    return this.#family('counter', name, help)();
  }

  #by<T extends string>(
    label: string,
    values: readonly T[],
    name: string,
    help: string,
  ): Readonly<Record<T, OwnInstrument>> {
    const child = this.#family('counter', name, help, label);
    return Object.fromEntries(values.map(value => [value, child(value)])) as Record<T, OwnInstrument>;
  }
}
