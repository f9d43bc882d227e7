import {closingQuote, endOfLabelName, endOfMetricName, endOfToken, ScanError, shortened, skipBlanks} from './cursor.js';
import {unescapeLabelValue} from './escape.js';
import type {Labels} from './model.js';
import {parseValue} from './value.js';

const COMMA = 0x2c;
const EQUALS = 0x3d;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const QUOTE = 0x22;
const HASH = 0x23;

const NONE: Labels = Object.freeze([]);
/** From so many labels on, a set finds a repeated name faster than looking at them all. */
const MANY = 16;

interface SampleSink {
  sample(name: string, labels: Labels, value: number): void;
}

/** Reads one sample from position `at`. Throws a `ScanError` when the line is none. */
export function scanSample(text: string, at: number, sink: SampleSink): void {
  const nameEnd = endOfMetricName(text, at);
  let name = text.slice(at, nameEnd);
  let labels = NONE;
  let position = skipBlanks(text, nameEnd);
  if (text.charCodeAt(position) === OPEN) {
    const set = new LabelSet(text, position + 1, name);
    position = skipBlanks(text, set.end);
    name = set.metric;
    labels = set.labels;
  }
  if (name === '') throw new ScanError('the line does not begin with a metric name');
  if (position === nameEnd && position < text.length) throw new ScanError(notInName(text, position));
  sink.sample(name, labels, scanValue(text, position));
}

const notInName = (text: string, at: number): string =>
  `a metric name cannot contain ${JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0))}`;

/** What stands between braces. */
class LabelSet {
  readonly labels: string[] = [];
  metric: string;
  /** The position after the closing brace. */
  readonly end: number;
  readonly #text: string;
  #names: Set<string> | undefined;

  constructor(text: string, at: number, metric: string) {
    this.#text = text;
    this.metric = metric;
    this.end = this.#scan(at);
  }

  #scan(at: number): number {
    const text = this.#text;
    let position = skipBlanks(text, at);
    while (text.charCodeAt(position) !== CLOSE) {
      position = skipBlanks(text, this.#entry(position));
      const next = text.charCodeAt(position);
      if (next === COMMA) position = skipBlanks(text, position + 1);
      else if (next !== CLOSE) throw new ScanError('after a label, expected a comma or a closing brace');
    }
    return position + 1;
  }

  /** A label, or a metric name in quotation marks. */
  #entry(at: number): number {
    const text = this.#text;
    const isQuoted = text.charCodeAt(at) === QUOTE;
    const end = isQuoted ? closingQuote(text, at) + 1 : endOfLabelName(text, at);
    const name = isQuoted ? unescapeLabelValue(text.slice(at + 1, end - 1)) : text.slice(at, end);
    const position = skipBlanks(text, end);
    if (name === '') throw new ScanError('expected the name of a label');
    if (text.charCodeAt(position) === EQUALS) return this.#value(name, skipBlanks(text, position + 1));
    if (!isQuoted || this.metric !== '') throw new ScanError(`after the label name ${name}, expected an equals sign`);
    this.metric = name;
    return position;
  }

  #value(name: string, at: number): number {
    const text = this.#text;
    if (text.charCodeAt(at) !== QUOTE) throw new ScanError(`the value of the label ${name} is not in quotation marks`);
    const end = closingQuote(text, at);
    if (this.#repeats(name)) throw new ScanError(`the label ${name} occurs twice`);
    // An empty value is the same as no label.
    if (end > at + 1) this.labels.push(name, unescapeLabelValue(text.slice(at + 1, end)));
    return end + 1;
  }

  #repeats(name: string): boolean {
    const {labels} = this;
    if (name === '__name__') return true;
    if (labels.length >= 2 * MANY) {
      this.#names ??= new Set(labels.filter((_, index) => index % 2 === 0));
      if (this.#names.has(name)) return true;
      this.#names.add(name);
      return false;
    }
    for (let index = 0; index < labels.length; index += 2) if (labels[index] === name) return true;
    return false;
  }
}

/** What begins like this is not meant as a number: the line has another structure. */
const PUNCTUATION = /^[{}",=]/;
const TIMESTAMP = /^[+-]?\d+(?:\.\d*)?$/;

/** The value, behind which a timestamp and an exemplar may stand. */
function scanValue(text: string, at: number): number {
  const end = endOfToken(text, at);
  if (end === at) throw new ScanError('the line has no value');
  const token = text.slice(at, end);
  const value = parseValue(token);
  if (value === undefined) {
    if (PUNCTUATION.test(token)) throw new ScanError('where the value is expected, something else stands');
    throw new ScanError(`"${shortened(token, 40)}" is not a number`, true);
  }
  let position = skipBlanks(text, end);
  if (position < text.length && text.charCodeAt(position) !== HASH) {
    const last = endOfToken(text, position);
    if (!TIMESTAMP.test(text.slice(position, last))) throw new ScanError('what follows the value is not a timestamp');
    position = skipBlanks(text, last);
  }
  if (position < text.length && text.charCodeAt(position) !== HASH) throw new ScanError('more follows the timestamp');
  return value;
}
