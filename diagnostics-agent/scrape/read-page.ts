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

interface Head extends FamilyMetadata {
  type: FamilyType;
  help: string;
  /** Whether a series of that name, whole or without its suffix, was written already. */
  isUsed: boolean;
  /** The number of what its series have in common; undefined until the first of them. */
  tail: number | undefined;
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
  const heads = new Map<string, Head>();
  const first = new PageReader(identity, heads, begin());
  first.read(text);
  if (!first.isLate) return first.result;
  const second = new PageReader(identity, heads, begin());
  second.read(text, {areHeadsKnown: true});
  return second.result;
}

class PageReader {
  /** Whether a head came after samples that it is for. */
  isLate = false;
  readonly #heads: Map<string, Head>;
  readonly #recording: Recording;
  readonly #writer: SeriesWriter;
  readonly #typeOf = (name: string): FamilyType | undefined => this.#heads.get(name)?.type;
  #lastName = '';
  /** The name in the characters that the format allows without quotation marks. */
  #lastWritten = '';
  #lastTail = 0;
  #skipped = 0;
  #firstSkipped: LineProblem | undefined;
  #failure: LineProblem | undefined;

  constructor(identity: ReadonlyMap<string, string>, heads: Map<string, Head>, recording: Recording) {
    this.#writer = new SeriesWriter(identity);
    this.#heads = heads;
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

  read(text: string, {areHeadsKnown} = {areHeadsKnown: false}): void {
    const change = (name: string, part: Partial<FamilyMetadata>): void => {
      if (!areHeadsKnown) this.#change(metricName(name), part);
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
    const head = this.#head(name);
    const next = {...head, ...part};
    if (next.type === head.type && next.help === head.help) return;
    if (head.isUsed) this.isLate = true;
    Object.assign(head, part, {tail: undefined});
    this.#lastName = '';
  }

  #head(name: string): Head {
    let head = this.#heads.get(name);
    if (head === undefined) {
      head = {type: 'untyped', help: '', isUsed: false, tail: undefined};
      this.#heads.set(name, head);
    }
    return head;
  }

  #sample(name: string, labels: Labels, value: number): void {
    if (name !== this.#lastName) {
      this.#lastName = name;
      this.#lastWritten = metricName(name);
      this.#lastTail = this.#tail(this.#lastWritten);
    }
    this.#writer.write(this.#lastWritten, labels, this.#lastTail);
    this.#recording.add(this.#writer.bytes, this.#writer.length, value);
  }

  #tail(name: string): number {
    const head = this.#head(familyName(name, this.#typeOf));
    head.isUsed = true;
    const base = baseName(name);
    if (base !== name) this.#head(base).isUsed = true;
    if (head.tail === undefined) {
      this.#writer.writeTail(head.type, head.help);
      head.tail = this.#recording.tail(this.#writer.bytes, this.#writer.length);
    }
    return head.tail;
  }
}
