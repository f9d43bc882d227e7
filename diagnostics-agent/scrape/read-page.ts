import {
  baseName,
  type FamilyMetadata,
  type FamilyType,
  familyName,
  type Labels,
} from '../../plugins/diagnostics/exposition/model.js';
import {type LineProblem, scan} from '../../plugins/diagnostics/exposition/scan.js';
import {metricName} from '../../plugins/diagnostics/exposition/write.js';
import type {Recording} from '../recorder/recorder.js';
import {SeriesWriter} from './series-writer.js';

export interface PageResult {
  /** Lines that are no samples. */
  readonly skipped: number;
  /** The first of them, for the log. */
  readonly firstSkipped: LineProblem | undefined;
  /** Why the page cannot be used: a value that is no number. */
  readonly failure: LineProblem | undefined;
}

interface PageFamily extends FamilyMetadata {
  type: FamilyType;
  help: string;
  /** Whether a series of that name, whole or without its suffix, was written already. */
  isUsed: boolean;
  /** The number of what its series have in common; undefined until the first of them. */
  suffix: number | undefined;
}

/**
 * Puts every sample of a page into a recording, with the identity labels. `begin` makes the recording; it is asked again
 * when the page says after the samples of a family what the family is, which hardly any page does.
 */
export function readPage(
  text: string,
  identity: ReadonlyMap<string, string>,
  begin: () => Recording,
): PageResult & {readonly recording: Recording} {
  const families = new Map<string, PageFamily>();
  const first = new PageReader(identity, families, begin());
  first.read(text);
  if (!first.isLate) return first.result;
  const second = new PageReader(identity, families, begin());
  second.read(text, {areFamiliesKnown: true});
  return second.result;
}

class PageReader {
  /** Whether the metadata of a family came after samples of it. */
  isLate = false;
  readonly #families: Map<string, PageFamily>;
  readonly #recording: Recording;
  readonly #writer: SeriesWriter;
  readonly #typeOf = (name: string): FamilyType | undefined => this.#families.get(name)?.type;
  #lastName = '';
  /** The name in the characters that the format allows without quotation marks. */
  #lastWritten = '';
  #lastSuffix = 0;
  #skipped = 0;
  #firstSkipped: LineProblem | undefined;
  #failure: LineProblem | undefined;

  constructor(identity: ReadonlyMap<string, string>, families: Map<string, PageFamily>, recording: Recording) {
    this.#writer = new SeriesWriter(identity);
    this.#families = families;
    this.#recording = recording;
  }

  get result(): PageResult & {readonly recording: Recording} {
    return {
      recording: this.#recording,
      skipped: this.#skipped,
      firstSkipped: this.#firstSkipped,
      failure: this.#failure,
    };
  }

  read(text: string, {areFamiliesKnown} = {areFamiliesKnown: false}): void {
    const change = (name: string, part: Partial<FamilyMetadata>): void => {
      if (!areFamiliesKnown) this.#change(metricName(name), part);
    };
    this.#failure = scan(text, {
      type: (name, type) => change(name, {type}),
      help: (name, help) => change(name, {help}),
      sample: (name, labels, value) => this.#sample(name, labels, value),
      skip: problem => {
        this.#skipped++;
        this.#firstSkipped ??= problem;
      },
    });
  }

  #change(name: string, part: Partial<FamilyMetadata>): void {
    const family = this.#family(name);
    const next = {...family, ...part};
    if (next.type === family.type && next.help === family.help) return;
    if (family.isUsed) this.isLate = true;
    Object.assign(family, part, {suffix: undefined});
    this.#lastName = '';
  }

  #family(name: string): PageFamily {
    let family = this.#families.get(name);
    if (family === undefined) {
      family = {type: 'untyped', help: '', isUsed: false, suffix: undefined};
      this.#families.set(name, family);
    }
    return family;
  }

  #sample(name: string, labels: Labels, value: number): void {
    if (name !== this.#lastName) {
      this.#lastName = name;
      this.#lastWritten = metricName(name);
      this.#lastSuffix = this.#suffixOf(this.#lastWritten);
    }
    this.#writer.write(this.#lastWritten, labels, this.#lastSuffix);
    this.#recording.add(this.#writer.bytes, this.#writer.length, value);
  }

  #suffixOf(name: string): number {
    const family = this.#family(familyName(name, this.#typeOf));
    family.isUsed = true;
    const base = baseName(name);
    if (base !== name) this.#family(base).isUsed = true;
    if (family.suffix === undefined) {
      this.#writer.writeFamilySuffix(family.type, family.help);
      family.suffix = this.#recording.familySuffix(this.#writer.bytes, this.#writer.length);
    }
    return family.suffix;
  }
}
