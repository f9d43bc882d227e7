export type Label = readonly [name: string, value: string];

/** The labels of a series, sorted by name. Their JSON text and pairing key are made when first asked for, and kept. */
export class LabelSet {
  static readonly EMPTY = new LabelSet(undefined, []);

  /** The metric name; undefined for aggregates and for 0 or 1 of a comparison with `bool`. */
  readonly name: string | undefined;
  /** Without the name. */
  readonly labels: readonly Label[];
  #key: string | undefined;
  #json: string | undefined;

  constructor(name: string | undefined, labels: readonly Label[]) {
    this.name = name;
    this.labels = labels;
  }

  static sorted(name: string | undefined, labels: readonly Label[]): LabelSet {
    return new LabelSet(name, labels.toSorted(byName));
  }

  /** The same for two series whose labels, apart from the name, are the same. It is JSON: label names need no escapes. */
  get key(): string {
    if (this.#key === undefined) {
      let key = '';
      for (const [label, value] of this.labels) key += `${key === '' ? '' : ','}"${label}":${JSON.stringify(value)}`;
      this.#key = `{${key}}`;
    }
    return this.#key;
  }

  /** The `metric` object of a response. */
  get json(): string {
    this.#json ??= this.name === undefined ? this.key : withName(this.name, this.key);
    return this.#json;
  }

  withoutName(): LabelSet {
    return this.name === undefined ? this : new LabelSet(undefined, this.labels);
  }

  /** Only the labels that pass; without the name. */
  filter(passes: (label: string) => boolean): LabelSet {
    return new LabelSet(
      undefined,
      this.labels.filter(([label]) => passes(label)),
    );
  }
}

function withName(name: string, key: string): string {
  return `{"__name__":"${name}"${key === '{}' ? '' : ','}${key.slice(1)}`;
}

function byName([a]: Label, [b]: Label): number {
  return a < b ? -1 : Number(a > b);
}
