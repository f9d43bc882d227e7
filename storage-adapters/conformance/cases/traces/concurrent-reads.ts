import {call} from '../../call.js';
import {searched} from '../../comparable.js';
import {readWhile} from '../../concurrent-reads.js';
import {otlp} from '../../data/otlp-format.js';
import {DAY, ownDays} from '../../data/times.js';
import {type CommonSpan, compat, native, type TraceFormat} from '../../data/trace-formats.js';
import type {Group} from '../../group.js';

const START = ownDays(24) * 1000;
const ALL = {from: START * 1000, to: (START + DAY * 1000) * 1000};
const TRACES = 30;
const SPANS = 8;

function beside<Fragment, Trace>(kind: TraceFormat<Fragment, Trace>): Group {
  const span = (trace: number, index: number): CommonSpan => ({
    trace: 0xbe51de00 + trace,
    span: index + 1,
    start: START + trace * 100 + index,
    duration: 1,
    service: `s${index}`,
    name: 'work',
    kind: 'SERVER',
    error: false,
    tags: {trace: String(trace)},
  });
  const traceOf = (trace: number): readonly Fragment[] =>
    Array.from({length: SPANS}, (_, index) => kind.fragment(span(trace, index)));
  return {
    name: `${kind.name}_beside`,
    needs: [kind.query, kind.ingest],
    tests: {
      [`a read beside writes sees each batch of ${kind.name} spans whole or not at all`]: async (t, subject) => {
        let acknowledged = 0;
        const work = async () => {
          for (let trace = 0; trace < TRACES; trace++) {
            await kind.write(subject, traceOf(trace));
            acknowledged = trace + 1;
          }
        };
        await readWhile(work, async () => {
          const before = acknowledged;
          const traces = await searched(kind.reader(subject), {filter: [], ...ALL});
          t.true(traces.length >= before, `${traces.length} traces are found, ${before} were acknowledged`);
          const sizes = traces.map(trace => kind.fragmentsOf(trace).length);
          t.deepEqual(
            sizes,
            sizes.map(() => SPANS),
            'spans of each trace',
          );
          const ids = traces.map(kind.idOf);
          t.deepEqual(ids, [...ids].sort().reverse(), 'newest first');
        });
      },
      [`a batch of ${kind.name} spans is visible to every read that begins after it was acknowledged`]: async (
        t,
        subject,
      ) => {
        for (let trace = 100; trace < 110; trace++) {
          await kind.write(subject, traceOf(trace));
          const filter = [{on: 'tag', key: 'trace', value: String(trace)}] as const;
          const reader = kind.reader(subject);
          const [byId, bySearch, values] = await Promise.all([
            reader.trace(kind.id(0xbe51de00 + trace), call),
            searched(reader, {filter, ...ALL}),
            reader.attributeValues({attribute: {of: 'service'}, filter, limit: 99, ...ALL}, call),
          ]);
          t.is(byId && kind.fragmentsOf(byId).length, SPANS, 'by its id');
          const found = bySearch.filter(one => kind.matches(filter, ALL, one)).map(kind.idOf);
          t.deepEqual(found, [kind.id(0xbe51de00 + trace)], 'by search');
          t.is(values.length, SPANS, 'its services');
        }
      },
    },
  };
}

export const concurrentCompatReads = beside(compat);
export const concurrentNativeReads = beside(native);
export const concurrentOtlpReads = beside(otlp);
