import test from 'ava';
import fc from 'fast-check';
import type {Family, FamilyType, Labels} from '../../../../plugins/diagnostics/exposition/model.js';
import {scan} from '../../../../plugins/diagnostics/exposition/scan.js';
import {labelName, metricName, writeFamily, writeSeries} from '../../../../plugins/diagnostics/exposition/write.js';
import {FUZZ_RUNS} from '../../../support/fuzz.js';
import {readFamilies} from '../../../support/read-families.js';
import {countWork} from '../../diagnostics-proxy/support/count-work.js';

const IGNORE = {type: () => undefined, help: () => undefined, sample: () => undefined, skip: () => undefined};

/** Pieces that lines of the format are made of, in any order. */
const PIECES = [
  'm',
  'a',
  '{',
  '}',
  '"',
  '=',
  ',',
  '\\',
  ' ',
  '\t',
  '\n',
  '\r',
  '#',
  '# TYPE ',
  '# HELP ',
  'counter',
  '1',
];
const MORE_PIECES = [
  '1e5',
  '.',
  '-',
  '+',
  'Inf',
  'NaN',
  ':',
  '{"',
  '"}',
  '="',
  '\\"',
  '\\n',
  'ü',
  '😀',
  '\ud800',
  '\0',
];

test('a scan of any text ends without a throw, and reports lines of the text only', t => {
  const text = fc.oneof(
    fc.array(fc.constantFrom(...PIECES, ...MORE_PIECES), {maxLength: 60}).map(pieces => pieces.join('')),
    fc.string({unit: 'binary', maxLength: 100}),
  );
  fc.assert(
    fc.property(text, input => {
      const lines = input.split('\n').length;
      const seen: number[] = [];
      const failure = scan(input, {...IGNORE, skip: ({line}) => seen.push(line)});
      if (failure !== undefined) seen.push(failure.line);
      return seen.every((line, index) => line >= 1 && line <= lines && line > (seen[index - 1] ?? 0));
    }),
    {numRuns: Math.ceil(FUZZ_RUNS / 2)},
  );
  t.pass();
});

test('a scan looks at each character a few times, whatever stands there and however long the text is', t => {
  // Each shape invites a scanner to begin again. The bound is on the work itself: a scan that is quadratic would look at
  // each character of these texts tens of thousands of times.
  const shapes = ['m{a="', 'm{a="\\', '"', '\\"', 'm{a="b",', '1', 'm 1', '#', '# HELP ', ' ', '{', 'm{a="x" '];
  for (const shape of shapes) {
    for (const separator of ['', '\n']) {
      const unit = `${shape}${separator}`;
      const text = unit.repeat(Math.ceil(160_000 / unit.length));
      const work = countWork(() => scan(text, IGNORE));
      t.true(work >= text.length / 2, `${JSON.stringify(unit)} is not looked at`);
      t.true(work <= 12 * text.length, `${JSON.stringify(unit)}: ${work / text.length} looks at each character`);
    }
  }
});

const name = fc.stringMatching(/^[a-zA-Z_:][a-zA-Z0-9_:]{0,8}$/);
const label = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_]{0,5}$/).filter(text => text !== '__name__');
const value = fc.oneof(fc.double(), fc.constantFrom(0, -0, 1, Infinity, -Infinity, Number.NaN, 1e21, 5e-324));
const labels: fc.Arbitrary<Labels> = fc
  .uniqueArray(fc.tuple(label, fc.string({unit: 'grapheme', minLength: 1})), {selector: ([key]) => key, maxLength: 4})
  .map(pairs => pairs.flat());
const help = fc.string({unit: 'grapheme'}).map(text => text.trim());
const type = fc.constantFrom<FamilyType>('counter', 'gauge', 'histogram', 'summary', 'untyped');

function samplesOf(family: string, kind: FamilyType): fc.Arbitrary<Family['samples']> {
  const suffixes = {histogram: ['_bucket', '_sum', '_count'], summary: ['', '_sum', '_count']};
  const endings = kind === 'histogram' || kind === 'summary' ? suffixes[kind] : [''];
  const sample = fc.record({name: fc.constantFrom(...endings).map(end => family + end), labels, value});
  return fc.uniqueArray(sample, {selector: each => writeSeries(each.name, each.labels), maxLength: 5});
}

const family = fc
  .tuple(name, type, help)
  .filter(([text]) => !/_(bucket|sum|count)$/.test(text))
  .chain(([text, kind, words]) =>
    fc.record({
      name: fc.constant(text),
      type: fc.constant(kind),
      help: fc.constant(words),
      samples: samplesOf(text, kind),
    }),
  );

test('what is written reads back as the same families', t => {
  fc.assert(
    fc.property(fc.uniqueArray(family, {selector: each => each.name, maxLength: 4}), families => {
      const reading = readFamilies(families.map(writeFamily).join(''));
      t.deepEqual(reading.families, families);
      t.is(reading.skipped + reading.repeated, 0);
      t.is(reading.failure, undefined);
    }),
    {numRuns: Math.ceil(FUZZ_RUNS / 4)},
  );
});

test('any name becomes one that the format allows, and an allowed one stays', t => {
  fc.assert(
    fc.property(fc.string({unit: 'binary'}), name, label, (any, allowed, allowedLabel) => {
      t.regex(metricName(any), /^[a-zA-Z_:][a-zA-Z0-9_:]*$/);
      t.regex(labelName(any), /^[a-zA-Z_][a-zA-Z0-9_]*$/);
      t.is(metricName(allowed), allowed);
      t.is(labelName(allowedLabel), allowedLabel);
    }),
    {numRuns: Math.ceil(FUZZ_RUNS / 4)},
  );
});
