import {scanSample} from '../../diagnostics/exposition/scan-sample.js';
import {formatValue} from '../../diagnostics/exposition/value.js';
import type {SeriesOwner} from '../series/series-block.js';
import {type LatestSeries, toLatestSeries} from './latest-series.js';
import type {PieceWriter} from './piece-writer.js';
import type {FamilyPart, SourceLayout} from './source-layout.js';

/** Lines that stand one after the other and that a filter takes or leaves together. */
export interface LineRun extends SeriesOwner {
  readonly begin: number;
  readonly end: number;
}

/**
 * The lines of one source as they are sent, without their values, which are what changes from one page to the next. Bytes
 * and numbers, because half a million texts would keep the garbage collector busy.
 */
export class SourceLines {
  readonly layout: SourceLayout;
  /** Each series, and the blank behind it. */
  readonly #text: Buffer;
  /** Where each line ends in the text. */
  readonly #ends: Uint32Array;
  /** The place of each line's value among those of the source. */
  readonly #places: Uint32Array;
  /** All lines, by their owners: nearly always of one. */
  readonly #runs: readonly LineRun[];

  constructor(
    layout: SourceLayout,
    lines: {readonly text: Buffer; readonly ends: Uint32Array; readonly places: Uint32Array},
    runs: readonly LineRun[],
  ) {
    this.layout = layout;
    this.#text = lines.text;
    this.#ends = lines.ends;
    this.#places = lines.places;
    this.#runs = runs;
  }

  /** The lines of a family, by their owners. */
  runsOf({begin, end}: FamilyPart): readonly LineRun[] {
    const [first] = this.#runs;
    if (first !== undefined && first.end >= end) return [{role: first.role, pod: first.pod, begin, end}];
    return this.#runs
      .filter(run => run.begin < end && begin < run.end)
      .map(run => ({...run, begin: Math.max(begin, run.begin), end: Math.min(end, run.end)}));
  }

  write({begin, end}: LineRun, values: Float64Array, to: PieceWriter): void {
    let from = this.#ends[begin - 1] ?? 0;
    for (let line = begin; line < end; line++) {
      const until = this.#ends[line] as number;
      to.line(this.#text, from, until, values[this.#places[line] as number] as number);
      from = until;
    }
  }

  /** The series of these lines, and the lines with their values. */
  *texts({begin, end}: LineRun, values: Float64Array): Generator<{readonly series: string; readonly line: string}> {
    for (let line = begin; line < end; line++) {
      const series = this.#seriesAt(line);
      yield {series, line: `${series} ${formatValue(values[this.#places[line] as number] as number)}\n`};
    }
  }

  /** What a family's lines were made of. */
  *series({begin, end, help}: FamilyPart): Generator<LatestSeries> {
    for (let line = begin; line < end; line++) {
      const place = this.#places[line] as number;
      let made: LatestSeries | undefined;
      const sample = (name: string, labels: readonly string[]): void => {
        made = toLatestSeries({name, description: help, type: undefined, place}, labels);
      };
      // A line has a value, whichever.
      scanSample(`${this.#seriesAt(line)} 0`, 0, {sample});
      if (made !== undefined) yield made;
    }
  }

  #seriesAt(line: number): string {
    return this.#text.toString('utf8', this.#ends[line - 1] ?? 0, (this.#ends[line] as number) - 1);
  }
}

/** Puts lines together. */
export class LinesBuilder {
  #text = Buffer.allocUnsafeSlow(4096);
  #length = 0;
  readonly #ends: number[] = [];
  readonly #places: number[] = [];
  readonly #runs: {role: string | undefined; pod: string | undefined; begin: number; end: number}[] = [];

  get count(): number {
    return this.#ends.length;
  }

  add({text, place, role, pod}: LatestSeries): void {
    // A character of a text takes three bytes at most.
    const most = this.#length + text.length * 3 + 1;
    if (most > this.#text.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(most, this.#text.length * 2));
      this.#text.copy(larger, 0, 0, this.#length);
      this.#text = larger;
    }
    this.#length += this.#text.write(text, this.#length);
    this.#text[this.#length++] = BLANK;
    const last = this.#runs.at(-1);
    if (last !== undefined && last.role === role && last.pod === pod) last.end++;
    else this.#runs.push({role, pod, begin: this.count, end: this.count + 1});
    this.#ends.push(this.#length);
    this.#places.push(place);
  }

  build(layout: SourceLayout): SourceLines {
    const text = Buffer.allocUnsafeSlow(this.#length);
    this.#text.copy(text, 0, 0, this.#length);
    const lines = {text, ends: Uint32Array.from(this.#ends), places: Uint32Array.from(this.#places)};
    return new SourceLines(layout, lines, this.#runs);
  }
}

const BLANK = 0x20;
