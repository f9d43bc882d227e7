import {call, callWith} from '../../call.js';
import {sameList, searched} from '../../comparable.js';
import {otlp} from '../../data/otlp-format.js';
import {DAY, ownDays} from '../../data/times.js';
import {type CommonSpan, compat, native, type TraceFormat} from '../../data/trace-formats.js';
import type {Group} from '../../group.js';
import {allWithin, within} from '../../within.js';

const START = ownDays(20) * 1000;
const ALL = {from: START * 1000, to: (START + DAY * 1000) * 1000};
const TRACES = 3000;
const BATCH = 1000;

/** Three traces begin in each second, in another order than that of their ids. */
const spanOf = (i: number): CommonSpan => ({
  trace: 0x3a970000 + ((i * 7) % TRACES),
  span: 1,
  start: START + Math.floor(i / 3) * 1000,
  duration: i % 50,
  service: `s${i % 7}`,
  name: 'work',
  kind: 'SERVER',
  error: i % 100 === 0,
  tags: {value: `v${i % 1500}`, every: String(i % 11)},
});

const SPANS = Array.from({length: TRACES}, (_, i) => spanOf(i));

function many<Fragment, Trace>(kind: TraceFormat<Fragment, Trace>): Group {
  const fragments = SPANS.map(kind.fragment);
  const batches = Array.from({length: TRACES / BATCH}, (_, i) => fragments.slice(i * BATCH, (i + 1) * BATCH));
  const ordered = [...SPANS].sort((a, b) => b.start - a.start || a.trace - b.trace);
  const reason = new Error('no longer wanted');

  return {
    name: `${kind.name}_many`,
    needs: [kind.query],
    data: kind.data(batches),
    tests: {
      [`thousands of ${kind.name} traces come in order, each once`]: async (t, subject) => {
        const ids = (await searched(kind.reader(subject), {filter: [], ...ALL})).map(kind.idOf);
        t.is(ids.length, TRACES, 'traces');
        sameList(
          t,
          ids,
          ordered.map(({trace}) => kind.id(trace)),
          'ids',
        );
      },
      [`a rare condition finds its ${kind.name} traces among thousands`]: async (t, subject) => {
        for (const value of ['v0', 'v777', 'v1499']) {
          const filter = [{on: 'tag', key: 'value', value}] as const;
          const traces = await searched(kind.reader(subject), {filter, ...ALL});
          const found = traces.filter(trace => kind.matches(filter, ALL, trace)).map(kind.idOf);
          const expected = ordered.filter(({tags}) => tags.value === value).map(({trace}) => kind.id(trace));
          sameList(t, found, expected, value);
        }
      },
      [`more than a thousand values of ${kind.name} spans are listed in order, up to the limit`]: async (
        t,
        subject,
      ) => {
        const request = {attribute: {of: 'tag', key: 'value'}, filter: [], ...ALL} as const;
        const expected = [
          ...new Set([...SPANS].sort((a, b) => a.start - b.start || (value(a) < value(b) ? -1 : 1)).map(value)),
        ];
        for (const limit of [1, 1000, 5000]) {
          const values = await kind.reader(subject).attributeValues({...request, limit}, call);
          sameList(t, [...values], expected.slice(0, limit), `limit ${limit}`);
        }
      },
      [`a search of ${kind.name} traces may be left early, many times`]: async (t, subject) => {
        for (let round = 0; round < 30; round++) {
          const found: string[] = [];
          for await (const trace of kind.reader(subject).search({filter: [], ...ALL}, call)) {
            found.push(kind.idOf(trace));
            if (found.length === 1 + (round % 5)) break;
          }
          const expected = ordered.slice(0, found.length).map(({trace}) => kind.id(trace));
          sameList(t, found, expected, `round ${round}`);
        }
        const iterator = kind
          .reader(subject)
          .search({filter: [], ...ALL}, call)
          [Symbol.asyncIterator]();
        await iterator.next();
        const returned = await within('return() of a search', Promise.resolve(iterator.return?.()));
        t.is(returned.status, 'fulfilled', 'return()');
      },
      [`a search of ${kind.name} traces that is cancelled rejects with the reason, and ends`]: async (t, subject) => {
        const controller = new AbortController();
        const found: string[] = [];
        const searching = (async () => {
          for await (const trace of kind.reader(subject).search({filter: [], ...ALL}, callWith(controller.signal))) {
            found.push(kind.idOf(trace));
            if (found.length === 10) controller.abort(reason);
          }
        })();
        const outcome = await within('a search that was cancelled', searching);
        t.true(outcome.status === 'rejected' && outcome.reason === reason, 'it rejects with signal.reason');
        const early = searched(kind.reader(subject), {filter: [], ...ALL}, callWith(AbortSignal.abort(reason)));
        const refused = await within('a search with an aborted signal', early);
        t.true(
          refused.status === 'rejected' && refused.reason === reason,
          'it rejects with signal.reason from the start',
        );
        t.is((await searched(kind.reader(subject), {filter: [], ...ALL})).length, TRACES, 'the next search');
      },
      [`other reads of ${kind.name} traces that are cancelled reject with the reason or have been answered`]: async (
        t,
        subject,
      ) => {
        const reader = kind.reader(subject);
        const window = {filter: [], ...ALL};
        for (const aborted of [true, false]) {
          const controller = new AbortController();
          if (aborted) controller.abort(reason);
          const cancelled = callWith(controller.signal);
          const reads: readonly Promise<unknown>[] = [
            reader.trace(kind.id(SPANS[0]?.trace ?? 0), cancelled),
            reader.tagKeys(window, cancelled),
            reader.attributeValues({attribute: {of: 'tag', key: 'value'}, limit: 9999, ...window}, cancelled),
          ];
          controller.abort(reason);
          for (const outcome of await allWithin('a read that was cancelled', reads)) {
            t.true(outcome.status === 'fulfilled' || outcome.reason === reason, 'it rejects with signal.reason');
          }
        }
      },
    },
  };
}

function value({tags}: CommonSpan): string {
  return tags.value ?? '';
}

export const compatMany = many(compat);
export const nativeMany = many(native);
export const otlpMany = many(otlp);
