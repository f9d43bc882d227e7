import type {SpanFilter} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {comparable, searched} from '../../comparable.js';
import {otlp} from '../../data/otlp-format.js';
import {DAY, ownDays} from '../../data/times.js';
import {
  type CommonSpan,
  comparableFragments,
  comparableTrace,
  compat,
  native,
  type TraceFormat,
} from '../../data/trace-formats.js';
import type {Group} from '../../group.js';
import type {Subject} from '../../subject.js';

const HOURS = 3_600_000;
const START = ownDays(19) * 1000;
const ALL = {from: (START - DAY * 1000) * 1000, to: (START + 30 * DAY * 1000) * 1000};

const tagged = (key: string, value: string): SpanFilter => [{on: 'tag', key, value}];

function writing<Fragment, Trace>(kind: TraceFormat<Fragment, Trace>): Group {
  const span = (trace: number, index: number, start: number, tags: CommonSpan['tags'] = {}): CommonSpan => ({
    trace: 0x37a17000 + trace,
    span: index,
    start: START + start,
    duration: 1,
    service: 'writing',
    name: 'work',
    kind: 'SERVER',
    error: false,
    tags,
  });
  const id = (trace: number): string => kind.id(0x37a17000 + trace);
  const write = (subject: Subject, ...spans: readonly CommonSpan[]): Promise<void> =>
    kind.write(subject, spans.map(kind.fragment));
  const found = async (subject: Subject, filter: SpanFilter, window = ALL): Promise<readonly string[]> => {
    const traces = await searched(kind.reader(subject), {filter, ...window});
    return traces.filter(trace => kind.matches(filter, window, trace)).map(kind.idOf);
  };
  const valuesOf = async (subject: Subject, key: string): Promise<readonly string[]> => {
    const request = {attribute: {of: 'tag', key}, filter: [], limit: 100, ...ALL} as const;
    return [...(await kind.reader(subject).attributeValues(request, call))];
  };

  return {
    name: `${kind.name}_writing`,
    needs: [kind.query, kind.ingest],
    tests: {
      [`a trace of ${kind.name} spans grows with each batch, and moves in the order of the search`]: async (
        t,
        subject,
      ) => {
        await write(subject, span(1, 1, 1000, {grow: 'a'}), span(2, 1, 2000, {grow: 'a'}));
        t.deepEqual(await found(subject, tagged('grow', 'a')), [id(2), id(1)], 'two traces');
        const early = span(2, 2, 500, {grow: 'b'});
        await write(subject, early);
        t.deepEqual(await found(subject, tagged('grow', 'a')), [id(1), id(2)], 'after an earlier span has come');
        const late = span(1, 2, 48 * HOURS, {grow: 'b'});
        await write(subject, late);
        t.deepEqual(await found(subject, tagged('grow', 'b')), [id(1), id(2)], 'after a span two days later has come');
        const trace = await kind.reader(subject).trace(id(1), call);
        const fragments = [span(1, 1, 1000, {grow: 'a'}), late].map(kind.fragment);
        t.deepEqual(comparableTrace(kind, trace), comparableFragments(id(1), fragments, kind), 'the trace');
      },
      [`the same ${kind.name} span again takes the place of the earlier one, in every answer`]: async (t, subject) => {
        await write(subject, span(3, 1, 1000, {state: 'old', 'kit.old': ''}), span(3, 2, 1001, {state: 'kept'}));
        await write(subject, span(3, 1, 1002, {state: 'new', 'kit.new': ''}));
        t.deepEqual(await found(subject, tagged('state', 'old')), [], 'found by what it was');
        t.deepEqual(await found(subject, tagged('state', 'new')), [id(3)], 'found by what it is');
        t.deepEqual(await valuesOf(subject, 'state'), ['kept', 'new'], 'values');
        const keys = await kind.reader(subject).tagKeys({filter: tagged('state', 'new'), ...ALL}, call);
        t.deepEqual([...keys], ['kit.new', 'state'], 'keys');
        const before = {from: (START + 1000) * 1000, to: (START + 1001) * 1000};
        t.deepEqual(await found(subject, tagged('state', 'new'), before), [], 'in the window where it was');
        const trace = await kind.reader(subject).trace(id(3), call);
        const fragments = [span(3, 1, 1002, {state: 'new', 'kit.new': ''}), span(3, 2, 1001, {state: 'kept'})].map(
          kind.fragment,
        );
        t.deepEqual(comparableTrace(kind, trace), comparableFragments(id(3), fragments, kind), 'the trace');
      },
      [`a ${kind.name} span may move to another day when it is replaced`]: async (t, subject) => {
        await write(subject, span(4, 1, 1000, {move: 'a'}));
        await write(subject, span(4, 1, 72 * HOURS, {move: 'b'}));
        const trace = await kind.reader(subject).trace(id(4), call);
        const expected = comparableFragments(id(4), [kind.fragment(span(4, 1, 72 * HOURS, {move: 'b'}))], kind);
        t.deepEqual(comparableTrace(kind, trace), expected, 'three days later');
        await write(subject, span(4, 1, 1000, {move: 'c'}));
        t.deepEqual(await valuesOf(subject, 'move'), ['c'], 'and back');
        t.deepEqual(await found(subject, tagged('move', 'b')), [], 'found by what it was');
      },
      [`of the same ${kind.name} span twice in one batch the later one stands`]: async (t, subject) => {
        await write(subject, span(5, 1, 1000, {twice: 'first'}), span(5, 1, 1001, {twice: 'second'}));
        t.deepEqual(await valuesOf(subject, 'twice'), ['second'], 'values');
        const trace = await kind.reader(subject).trace(id(5), call);
        const expected = comparableFragments(id(5), [kind.fragment(span(5, 1, 1001, {twice: 'second'}))], kind);
        t.deepEqual(comparableTrace(kind, trace), expected, 'the trace');
      },
      [`a batch of ${kind.name} spans that is sent again is stored once`]: async (t, subject) => {
        const batch = [span(6, 1, 1000, {again: 'a'}), span(6, 2, 1001, {again: 'b'}), span(7, 1, 1002, {again: 'a'})];
        for (let round = 0; round < 3; round++) {
          await write(subject, ...batch);
          t.deepEqual(await found(subject, tagged('again', 'a')), [id(7), id(6)], `traces after ${round + 1} times`);
          const trace = await kind.reader(subject).trace(id(6), call);
          const expected = comparableFragments(id(6), batch.slice(0, 2).map(kind.fragment), kind);
          t.deepEqual(comparableTrace(kind, trace), expected, `the trace after ${round + 1} times`);
        }
      },
      [`an empty batch of ${kind.name} spans is accepted and does nothing`]: async (t, subject) => {
        const before = await found(subject, []);
        await write(subject);
        t.deepEqual(await found(subject, []), before, 'all traces');
      },
      [`a writer of ${kind.name} spans leaves the batch as it was`]: async (t, subject) => {
        const batch = [span(8, 1, 1000, {b: '1', a: '2'})].map(kind.fragment);
        const before = comparable(batch);
        await kind.write(subject, batch);
        t.deepEqual(comparable(batch), before, 'the batch after it was written');
      },
      [`batches of ${kind.name} spans of one caller are applied in the order of the calls`]: async (t, subject) => {
        const rounds = Array.from({length: 12}, (_, i) => write(subject, span(9, 1, 1000 + i, {order: String(i)})));
        await Promise.all(rounds);
        t.deepEqual(await valuesOf(subject, 'order'), ['11'], 'the last of twelve');
      },
    },
  };
}

export const compatWriting = writing(compat);
export const nativeWriting = writing(native);
export const otlpWriting = writing(otlp);
