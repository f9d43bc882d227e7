/**
 * A reader of the text exposition format 0.0.4 that takes nothing which any of Prometheus's own readers refuses: its server's
 * parser, the stricter one of its Go client library (which `promtool check metrics` uses), and what its server refuses of a
 * page once it is parsed. Written from their rules, and shares no code with the proxy.
 */

export interface StrictSample {
  /** Name and labels as they stand on the line. */
  readonly series: string;
  readonly value: string;
  readonly type: string;
}

class Line {
  at = 0;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  take(pattern: RegExp): string | undefined {
    const sticky = new RegExp(pattern, 'uy');
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  need(pattern: RegExp, what: string): string {
    const found = this.take(pattern);
    if (found === undefined)
      throw new Error(`expected ${what} at ${JSON.stringify(this.text.slice(this.at, this.at + 40))}`);
    return found;
  }

  end(): void {
    if (this.at < this.text.length)
      throw new Error(`more follows: ${JSON.stringify(this.text.slice(this.at, this.at + 40))}`);
  }
}

const METRIC = /[a-zA-Z_:][a-zA-Z0-9_:]*/;
const LABEL = /[a-zA-Z_][a-zA-Z0-9_]*/;
/** Escapes of a value: a backslash, a quotation mark and the end of a line, and no others. */
const VALUE = /(?:[^\\"\n]|\\[\\"n])*/;
const NUMBER = /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|NaN|[+-]Inf)$/;
const TYPES = ['counter', 'gauge', 'histogram', 'summary', 'untyped'];

interface Family {
  type: string | undefined;
  hasHelp: boolean;
  hasSamples: boolean;
}

class StrictReader {
  readonly samples: StrictSample[] = [];
  readonly #families = new Map<string, Family>();
  readonly #ended = new Set<string>();
  readonly #series = new Set<string>();
  #current: string | undefined;

  line(text: string): void {
    if (text === '') return;
    if (!text.startsWith('#')) this.#sample(new Line(text));
    else if (/^# (?:HELP|TYPE) /.test(text)) this.#comment(new Line(text));
    else if (/^#\s*(?:HELP|TYPE)\b/.test(text)) throw new Error('a head that is written in another way');
  }

  /** The family of a name: of a part of a histogram or summary, that one's. */
  #enter(name: string): Family {
    const [, base, suffix] = /^(.+)_(bucket|sum|count)$/s.exec(name) ?? [];
    const whole = base === undefined ? undefined : this.#families.get(base)?.type;
    const isPart = whole === 'histogram' || (whole === 'summary' && suffix !== 'bucket');
    const family = isPart && !this.#families.has(name) ? (base as string) : name;
    if (family !== this.#current) {
      if (this.#current !== undefined) this.#ended.add(this.#current);
      if (this.#ended.has(family)) throw new Error(`the family ${family} begins again`);
      this.#current = family;
    }
    const known = this.#families.get(family) ?? {type: undefined, hasHelp: false, hasSamples: false};
    this.#families.set(family, known);
    return known;
  }

  #comment(line: Line): void {
    const isHelp = line.need(/# (?:HELP|TYPE) /, 'a head') === '# HELP ';
    const name = line.need(METRIC, 'a metric name');
    const family = this.#enter(name);
    line.need(/ /, 'a blank');
    if (family.hasSamples) throw new Error(`a head of ${name} after its samples`);
    if (isHelp) {
      if (family.hasHelp) throw new Error(`a second HELP of ${name}`);
      line.need(/(?:[^\\\n]|\\[\\n])*/, 'a help text');
      family.hasHelp = true;
    } else {
      if (family.type !== undefined) throw new Error(`a second TYPE of ${name}`);
      const type = line.need(/[a-z]+/, 'a type');
      if (!TYPES.includes(type)) throw new Error(`no type: ${type}`);
      family.type = type;
    }
    line.end();
  }

  #sample(line: Line): void {
    const name = line.need(METRIC, 'a metric name');
    const family = this.#enter(name);
    const {type = 'untyped'} = family;
    family.hasSamples = true;
    const labels = new Map<string, string>();
    if (line.take(/\{/) !== undefined) {
      do {
        const label = line.need(LABEL, 'a label name');
        if (label === '__name__') throw new Error('the label __name__');
        if (labels.has(label)) throw new Error(`the label ${label} twice`);
        line.need(/="/, 'a value');
        labels.set(label, line.need(VALUE, 'a value'));
        line.need(/"/, 'the end of a value');
      } while (line.take(/,/) !== undefined);
      line.need(/\}/, 'a closing brace');
    }
    const series = line.text.slice(0, line.at);
    const bound = {histogram: labels.get('le'), summary: labels.get('quantile')}[type];
    if (bound !== undefined && Number.isNaN(numberOf(bound))) throw new Error(`a bound that is no number: ${bound}`);
    if (type === 'histogram' && name.endsWith('_bucket') && bound === undefined) throw new Error('a bucket without le');
    const identity = JSON.stringify([name, ...[...labels].sort(([a], [b]) => (a < b ? -1 : 1))]);
    if (this.#series.has(identity)) throw new Error(`the series ${series} twice`);
    this.#series.add(identity);
    line.need(/ /, 'a blank');
    const value = line.need(/[^ ]+/, 'a value');
    if (!NUMBER.test(value)) throw new Error(`no number: ${value}`);
    if (line.take(/ /) !== undefined) line.need(/-?\d+/, 'a timestamp');
    line.end();
    this.samples.push({series, value, type});
  }
}

/** As Go reads a floating-point number: too large a one is an error. */
function numberOf(text: string): number {
  if (/^[+-]?inf(?:inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  const value = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : Number.NaN;
}

/** The samples of a page, in order. Throws where a strict reader refuses it, with the line. */
export function readStrictly(page: string): readonly StrictSample[] {
  if (page !== '' && !page.endsWith('\n')) throw new Error('the last line has no end');
  const reader = new StrictReader();
  for (const [index, text] of page.split('\n').entries()) {
    try {
      reader.line(text);
    } catch (error) {
      throw new Error(`line ${index + 1}, ${JSON.stringify(text.slice(0, 200))}: ${(error as Error).message}`);
    }
  }
  return reader.samples;
}
