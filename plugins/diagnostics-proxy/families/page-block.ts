import {runsOfOneOwner, type SeriesBlock, type SeriesOwner} from '../series/series-block.js';
import type {LatestSeries} from './latest-series.js';

/** What one line has that the others of its block may not have. */
type PageLine = Pick<LatestSeries, 'name' | 'le' | 'quantile' | 'group'>;

/** Lines of the page as they are sent, and beside them what they are, so that nothing that is written is read again. */
export class PageBlock implements SeriesBlock {
  readonly role: string | undefined;
  readonly pod: string | undefined;
  readonly text: Buffer;
  /** Of each line, where its series and where the line ends. Positions are those in the text, not in the bytes. */
  readonly #ends: readonly number[];
  /** The name alone where all lines have one and no bounds, as nearly everywhere: very many objects would fill the memory. */
  readonly #lines: readonly PageLine[] | string;

  /** At least one series. */
  constructor({role, pod}: SeriesOwner, series: readonly LatestSeries[]) {
    this.role = role;
    this.pod = pod;
    const ends: number[] = [];
    let text = '';
    for (const one of series) {
      ends.push(text.length + one.text.length);
      text += one.line;
      ends.push(text.length);
    }
    this.text = Buffer.from(text);
    this.#ends = ends;
    const name = series[0]?.name ?? '';
    const isPlain = series.every(one => one.name === name && one.le === undefined && one.quantile === undefined);
    this.#lines = isPlain ? name : toLines(series);
  }

  /** What the block was made of; `help` is not kept with the lines. */
  *series(help = ''): Generator<LatestSeries> {
    const {role, pod} = this;
    const all = this.text.toString();
    let begin = 0;
    for (let index = 0; 2 * index < this.#ends.length; index++) {
      const text = all.slice(begin, this.#ends[2 * index]);
      const line = all.slice(begin, this.#ends[2 * index + 1]);
      begin += line.length;
      yield {...this.#lineAt(index, text), type: undefined, help, text, line, role, pod};
    }
  }

  #lineAt(index: number, text: string): PageLine {
    const lines = this.#lines;
    return typeof lines === 'string' ? plainLine(lines, text) : (lines[index] ?? plainLine('', text));
  }
}

const plainLine = (name: string, text: string): PageLine => {
  return {name, le: undefined, quantile: undefined, group: text.slice(name.length)};
};

/** The lines of one group share its text. */
function toLines(series: readonly LatestSeries[]): readonly PageLine[] {
  let last = '';
  return series.map(({name, le, quantile, group}) => {
    if (group !== last) last = group;
    return {name, le, quantile, group: last};
  });
}

export function toPageBlocks(series: Iterable<LatestSeries>): readonly PageBlock[] {
  return runsOfOneOwner(series).map(({run, ...owner}) => new PageBlock(owner, run));
}
