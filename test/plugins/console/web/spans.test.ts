import test from 'ava';
import {criticalPath, piecesIn} from '../../../../plugins/console/web/traces/critical-path.js';
import {marksOf} from '../../../../plugins/console/web/traces/events.js';
import {allFolds, foldsFrom, foldsText} from '../../../../plugins/console/web/traces/folds.js';
import {traceOf} from '../../../../plugins/console/web/traces/model.js';
import type {JsonSpan} from '../../../../plugins/console/web/traces/otlp.js';
import {rowsOf} from '../../../../plugins/console/web/traces/rows.js';

const BEGIN = 1_700_000_000_000_000_000n;

/** A span by its id, parent, and microseconds after the begin. */
function span(id: string, parent: string, from: number, to: number, kind = 'SPAN_KIND_SERVER'): JsonSpan {
  const at = (microseconds: number): string => String(BEGIN + BigInt(microseconds) * 1000n);
  return {spanId: id, parentSpanId: parent, name: id, kind, startTimeUnixNano: at(from), endTimeUnixNano: at(to)};
}

const treeOf = (...spans: readonly JsonSpan[]) => traceOf({resourceSpans: [{scopeSpans: [{spans}]}]});
const shape = (...spans: readonly JsonSpan[]) => treeOf(...spans).spans.map(({id, level}) => `${level}${id}`);

for (const [title, spans, expected] of [
  [
    'children come below their parent, by their begin',
    [span('c', 'a', 5, 6), span('b', 'a', 2, 3), span('a', '', 0, 9)],
    ['1a', '2b', '2c'],
  ],
  ['a span whose parent is not there is a root', [span('a', '', 0, 9), span('b', 'lost', 3, 4)], ['1a', '1b']],
  ['a circle is cut', [span('a', 'b', 0, 9), span('b', 'a', 1, 2)], ['1a', '2b']],
  ['a span that is its own parent is a root', [span('a', 'a', 0, 9)], ['1a']],
  [
    'the called half of a shared span is below the calling one',
    [span('a', '', 0, 9), span('b', 'a', 1, 5, 'SPAN_KIND_CLIENT'), span('b', 'a', 2, 4)],
    ['1a', '2b', '3b'],
  ],
] as const) {
  test(title, t => {
    t.deepEqual(shape(...spans), expected);
  });
}

test('times are exact to the nanosecond, from the earliest span', t => {
  const early = {...span('a', '', 0, 0), endTimeUnixNano: String(BEGIN + 1234n)};
  const [first, second] = treeOf(early, span('b', 'a', 1, 2)).spans;
  t.deepEqual([first?.start, first?.duration, second?.start], [0, 1.234, 1]);
});

test('the critical path goes through the child that ended last, and is as long as the root', t => {
  const {spans} = treeOf(span('a', '', 0, 100), span('b', 'a', 10, 60), span('c', 'a', 20, 90), span('d', 'c', 30, 50));
  const path = criticalPath(spans[0]);
  const pieces = (id: string) => path.get(spans.find(each => each.id === id) as never)?.map(({from, to}) => [from, to]);
  t.deepEqual(pieces('a'), [
    [90, 100],
    [0, 10],
  ]);
  t.deepEqual(pieces('b'), [[10, 20]]);
  t.deepEqual(pieces('c'), [
    [50, 90],
    [20, 30],
  ]);
  t.deepEqual(pieces('d'), [[30, 50]]);
});

test('what is folded comes back from an address, unless it is too much for one', t => {
  const many = treeOf(
    span('a', '', 0, 999),
    ...Array.from({length: 240}, (_, i) => span(`b${i}`, i % 2 ? `b${i - 1}` : 'a', i, i + 2)),
  );
  const again = (folds: ReadonlySet<unknown>, text: string | undefined): void => {
    t.is(foldsText(folds as never, many), text);
    if (text !== undefined) t.deepEqual(foldsFrom(text, many), folds as never);
  };
  const all = [...allFolds(many)];
  t.is(all.length, 121);
  again(new Set(), undefined);
  again(new Set(all), 'all');
  again(new Set(all.slice(1, 3)), 'b0,b2');
  again(new Set(all.slice(1)), undefined);
  t.deepEqual(foldsFrom('b1,none', many), new Set());
});

test('events stand at their times within the window, those that cannot be told apart as one', t => {
  const event = (name: string, at: number) => ({name, timeUnixNano: String(BEGIN + BigInt(at) * 1000n)});
  const events = [event('late', 80), event('a', 20), event('b', 21), event('', 40), event('early', -5)];
  const trace = treeOf({...span('a', '', 0, 100), events});
  const marks = (from: number, to: number, least: number) =>
    marksOf(trace.spans[0] as never, trace, {from, to}, least).map(({at, names}) => [at, names.join()]);
  t.deepEqual(marks(0, 100, 2), [
    [0, 'early'],
    [20, 'a,b'],
    [40, 'event'],
    [80, 'late'],
  ]);
  t.deepEqual(marks(20, 40, 0.5), [
    [20, 'a'],
    [21, 'b'],
    [40, 'event'],
  ]);
});

test('a chain as deep as its number of spans is shown and folded', t => {
  const trace = treeOf(
    ...Array.from({length: 20_000}, (_, i) => span(`s${i}`, i === 0 ? '' : `s${i - 1}`, i, 40_000 - i)),
  );
  t.is(trace.spans[19_999]?.level, 20_000);
  t.is(rowsOf(trace, {folded: new Set(), service: ''}).length, 20_000);
  t.is(rowsOf(trace, {folded: new Set(trace.spans.slice(0, 1)), service: ''}).length, 1);
  let sum = 0;
  for (const pieces of criticalPath(trace.spans[0]).values()) for (const {from, to} of pieces) sum += to - from;
  t.is(sum, 40_000);
});

test('a span of very many children has its whole critical path, and few pieces in a picture', t => {
  const count = 50_000;
  const children = Array.from({length: count}, (_, i) => span(`c${i}`, 'root', 10 * i + 2, 10 * i + 10));
  const {spans} = traceOf({resourceSpans: [{scopeSpans: [{spans: [span('root', '', 0, 10 * count), ...children]}]}]});
  const path = criticalPath(spans[0]);
  const own = path.get(spans[0] as (typeof spans)[0]) ?? [];
  t.is(path.size, count + 1);
  t.is(own.length, count);
  t.is(spans.at(-1)?.position, count);
  t.deepEqual(piecesIn(own, {from: 0, to: 10 * count}, 1000), [{from: 0, to: 10 * count - 8}]);
  t.deepEqual(piecesIn(own, {from: 1, to: 21}, 1), [
    {from: 1, to: 2},
    {from: 10, to: 12},
    {from: 20, to: 21},
  ]);
});
