import type {Counter, Gauge, Histogram, Together} from '../api/telemetry.js';

/**
 * Instruments and their text in the Prometheus exposition format, version 0.0.4. They are our own because one request
 * touches several of them: a child here is plain fields, where a general client hashes the labels at every call.
 */
export interface Child {
  dump(): ChildDump;
  /** Adds the numbers of another process. */
  absorb(dump: ChildDump): void;
  /** The lines of this child. `labels` is `name="value",…`, never empty. */
  lines(name: string, labels: string): string;
}

/** The numbers of a child: those of a counter, a gauge or a histogram. */
export type ChildDump =
  | {readonly value: number}
  | {readonly value: number; readonly together: Together}
  | {readonly bounds: readonly number[]; readonly counts: readonly number[]; readonly sum: number};

export class CounterChild implements Counter, Child {
  #value = 0;

  add(amount = 1): void {
    this.#value += amount;
  }

  dump(): ChildDump {
    return {value: this.#value};
  }

  absorb(dump: ChildDump): void {
    if ('value' in dump) this.#value += dump.value;
  }

  lines(name: string, labels: string): string {
    return `${name}{${labels}} ${this.#value}\n`;
  }
}

export class GaugeChild implements Gauge, Child {
  readonly #together: Together;
  #value = 0;
  #isSet = false;

  constructor(together: Together) {
    this.#together = together;
  }

  set(value: number): void {
    this.#value = value;
    this.#isSet = true;
  }

  dump(): ChildDump {
    return {value: this.#value, together: this.#together};
  }

  absorb(dump: ChildDump): void {
    if (!('value' in dump)) return;
    const {value} = dump;
    if (!this.#isSet) this.set(value);
    else this.set(this.#together === 'sum' ? this.#value + value : Math.min(this.#value, value));
  }

  lines(name: string, labels: string): string {
    return `${name}{${labels}} ${formatNumber(this.#value)}\n`;
  }
}

export class HistogramChild implements Histogram, Child {
  readonly #bounds: Float64Array;
  /** One slot for each bound, and one for what is above them all. */
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = Float64Array.from(bounds);
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let slot = 0;
    while (slot < bounds.length && value > (bounds[slot] ?? Number.POSITIVE_INFINITY)) slot++;
    this.#counts[slot] = (this.#counts[slot] ?? 0) + 1;
    this.#sum += value;
  }

  dump(): ChildDump {
    return {bounds: [...this.#bounds], counts: [...this.#counts], sum: this.#sum};
  }

  absorb(dump: ChildDump): void {
    if (!('bounds' in dump)) return;
    for (const [slot, count] of dump.counts.entries()) this.#counts[slot] = (this.#counts[slot] ?? 0) + count;
    this.#sum += dump.sum;
  }

  lines(name: string, labels: string): string {
    let text = '';
    let count = 0;
    for (const [slot, own] of this.#counts.entries()) {
      count += own;
      const bound = this.#bounds[slot];
      text += `${name}_bucket{${labels},le="${bound === undefined ? '+Inf' : bound}"} ${count}\n`;
    }
    return `${text}${name}_sum{${labels}} ${this.#sum}\n${name}_count{${labels}} ${count}\n`;
  }
}

/** All children of one name. */
export class InstrumentFamily<T extends Child> {
  readonly type: string;
  readonly labelNames: readonly string[];
  readonly #name: string;
  readonly #help: string;
  readonly #create: () => T;
  readonly #children = new Map<string, T>();

  constructor(type: string, name: string, help: string, labelNames: readonly string[], create: () => T) {
    this.type = type;
    this.labelNames = labelNames;
    this.#name = name;
    this.#help = help;
    this.#create = create;
  }

  child(values: Readonly<Record<string, string>>): T {
    const labels = this.labelNames
      .map(label => `${label}="${escapeText(values[label] ?? '').replaceAll('"', '\\"')}"`)
      .join();
    return this.childOf(labels);
  }

  /** By its labels as they are written. */
  childOf(labels: string, create = this.#create): T {
    let child = this.#children.get(labels);
    if (child === undefined) {
      child = create();
      this.#children.set(labels, child);
    }
    return child;
  }

  dump() {
    const {type, labelNames} = this;
    const children = [...this.#children].map(([labels, child]) => [labels, child.dump()] as const);
    return {name: this.#name, type, help: this.#help, labelNames, children};
  }

  expose(): string {
    let text = `# HELP ${this.#name} ${escapeText(this.#help)}\n# TYPE ${this.#name} ${this.type}\n`;
    for (const [labels, child] of this.#children) text += child.lines(this.#name, labels);
    return text;
  }
}

function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function formatNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}
