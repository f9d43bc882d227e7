import {completeLabels} from '../../plugins/diagnostics/exposition/complete-labels.js';
import {escapeHelp} from '../../plugins/diagnostics/exposition/escape.js';
import type {FamilyType, Labels} from '../../plugins/diagnostics/exposition/model.js';
import {ENTRY, METRIC} from '../recorder/metrics-message.js';
import {WireWriter} from '../recorder/wire-writer.js';

/** The values of `MetricType` on the wire. */
const TYPES: Readonly<Record<FamilyType, number>> = {gauge: 1, counter: 2, histogram: 3, summary: 4, untyped: 5};

/** Writes series in the form in which they are kept and sent: a metric of the wire contract without value and time. */
export class SeriesWriter {
  readonly #identity: ReadonlyMap<string, string>;
  /** The identity labels, written once. */
  readonly #identitySuffix: Uint8Array;
  readonly #writer = new WireWriter();

  constructor(identity: ReadonlyMap<string, string>) {
    this.#identity = identity;
    for (const [name, value] of identity) this.#label(name, value);
    this.#identitySuffix = this.#writer.copy();
  }

  /** What was written last, up to `length`. */
  get bytes(): Uint8Array {
    return this.#writer.bytes;
  }

  get length(): number {
    return this.#writer.length;
  }

  /** What all series of a family have in common. */
  writeFamilySuffix(type: FamilyType, help: string): void {
    const writer = this.#writer;
    writer.reset();
    writer.append(this.#identitySuffix);
    // On the wire a help text has the escapes of the exposition format: proxies put it on their page as it stands.
    if (help !== '') writer.text(METRIC.description, escapeHelp(help));
    writer.integer(METRIC.type, TYPES[type]);
  }

  /**
   * One series; `suffix` is the number of what it has in common with others. Names become those that the exposition format
   * allows, and labels are in order, so that a series is the same however its page writes it.
   */
  write(name: string, scraped: Labels, suffix: number): void {
    const writer = this.#writer;
    const labels = completeLabels(scraped);
    writer.reset();
    writer.word(suffix);
    writer.text(METRIC.name, name);
    for (let i = 0; i + 1 < labels.length; i += 2) {
      const label = labels[i] ?? '';
      this.#label(this.#identity.has(label) ? this.#exported(label, labels) : label, labels[i + 1] ?? '');
    }
  }

  #label(name: string, value: string): void {
    const entry = this.#writer.open(METRIC.labels);
    this.#writer.text(ENTRY.key, name);
    this.#writer.text(ENTRY.value, value);
    this.#writer.close(entry);
  }

  /** A name for a scraped label that is taken by an identity label: as often prefixed as makes it free. */
  #exported(label: string, labels: Labels): string {
    let name = `exported_${label}`;
    while (this.#identity.has(name) || labels.some((each, i) => i % 2 === 0 && each === name))
      name = `exported_${name}`;
    return name;
  }
}
