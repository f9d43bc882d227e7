import type {Attribute, OtlpFilter, Readers, TimeWindow} from '../../../core/api/adapter.js';
import {asMany} from '../brief.js';
import {call} from '../call.js';
import {searched} from '../comparable.js';
import {DAY, ownDays} from '../data/times.js';
import {comparableTrace, compat, native, type TraceFormat} from '../data/trace-formats.js';
import type {Group} from '../group.js';
import {createOracle} from '../oracle/oracle.js';
import {compareAnswers, type Question} from '../questions/question.js';
import {traceQuestions} from '../questions/traces.js';
import {Random} from '../random/random.js';
import {Restarts} from '../random/restarts.js';
import {RandomTraces} from '../random/traces.js';
import {representable} from '../representable.js';

/** What differs between the kinds here: where fragments and ids come from, and the oracle's reader and writer. */
export interface RandomSource<Fragment, Trace> {
  readonly kind: TraceFormat<Fragment, Trace>;
  readonly fragment: (random: RandomTraces) => Fragment;
  readonly id: (random: RandomTraces) => string;
  readonly write: (oracle: Required<Readers>, fragments: readonly Fragment[]) => Promise<void>;
  /** Which fragments are the same, so that the later one takes the place of the earlier. */
  readonly identity: (fragment: Fragment) => string;
  readonly filter: (random: RandomTraces) => OtlpFilter;
  readonly attribute: (random: RandomTraces) => Attribute;
  /** Questions that are of this kind alone. */
  readonly more?: (random: RandomTraces, request: {filter: OtlpFilter} & TimeWindow) => readonly Question[];
}

export function randomGroups<Fragment extends {readonly traceId: string}, Trace>(
  source: RandomSource<Fragment, Trace>,
  number: number,
): readonly [Group, Group] {
  const {kind} = source;
  const windowOf = (start: number) => ({from: (start - DAY) * 1_000_000, to: (start + 9 * DAY) * 1_000_000});

  const randomQuestions = (start: number, seed: number, count: number): readonly Question[] => {
    const random = new Random(seed);
    const traces = new RandomTraces(random, start);
    return Array.from({length: count}).flatMap((): readonly Question[] => {
      const filter = source.filter(traces);
      const window = traces.window(windowOf(start));
      const about = JSON.stringify({filter, ...window});
      const request = {attribute: source.attribute(traces), filter, limit: random.of([1, 2, 3, 100]), ...window};
      const id = source.id(traces);
      return [
        {
          about: `traces of ${about}`,
          ask: async readers => {
            const found = await searched(kind.of(readers), {filter, ...window});
            return found
              .filter(trace => kind.matches(filter, window, trace))
              .map(trace => comparableTrace(kind, trace));
          },
        },
        {
          about: `tag keys of ${about}`,
          ask: async readers => [...(await kind.of(readers).tagKeys({filter, ...window}, call))],
        },
        {
          about: `values of ${JSON.stringify(request)}`,
          ask: async readers => [...(await kind.of(readers).attributeValues(request, call))],
        },
        {
          about: `the trace ${id}`,
          ask: async readers => comparableTrace(kind, await kind.of(readers).trace(id, call)),
        },
        ...(source.more?.(traces, {filter, ...window}) ?? []),
      ];
    });
  };

  const start = ownDays(number);
  const traces = new RandomTraces(new Random(4), start);
  const fragments = Array.from({length: 60}, () => source.fragment(traces));
  const data = [...new Map(fragments.map(fragment => [source.identity(fragment), fragment])).values()];
  const fixed: Group = {
    name: `random_${kind.name}`,
    needs: [kind.query],
    data: kind.data([data]),
    tests: {
      [`random questions about ${kind.name} traces are answered as a simple model answers them`]: async (
        t,
        subject,
      ) => {
        const oracle = createOracle();
        await source.write(oracle, kind.fragmentsIn(subject.data));
        const questions = randomQuestions(start, 5, asMany(150, subject.options));
        await compareAnswers(t, questions, subject.readers, oracle, 'after writing');
      },
    },
  };

  const historyStart = ownDays(number + 1);
  const history: Group = {
    name: `${kind.name}_histories`,
    needs: [kind.query, kind.ingest],
    tests: {
      [`a random history of ${kind.name} batches is read as a simple model reads it, after each batch`]: async (
        t,
        subject,
      ) => {
        const random = new Random(6);
        const fragments = new RandomTraces(random, historyStart);
        const oracle = createOracle();
        const written: Fragment[] = [];
        const rounds = asMany(15, subject.options);
        const restarts = new Restarts(subject, rounds);
        for (let round = 0; round < rounds; round++) {
          const made = random.list(random.between(1, 3), () =>
            random.list(random.below(7), () => source.fragment(fragments)),
          );
          const batches = made.map(one =>
            kind.fragmentsIn(representable(kind.data([one]), subject.options.unsupported)),
          );
          await Promise.all(batches.map(batch => kind.write(subject, batch)));
          for (const batch of batches) await source.write(oracle, batch);
          written.push(...batches.flat());
          const when = await restarts.after(round);
          const questions = [
            ...traceQuestions(kind, written, windowOf(historyStart)),
            ...randomQuestions(historyStart, 100 + round, 12),
          ];
          await compareAnswers(t, questions, subject.readers, oracle, `in round ${round}${when}`);
        }
      },
    },
  };
  return [fixed, history];
}

export const [randomCompat, compatHistories] = randomGroups(
  {
    kind: compat,
    fragment: random => random.compatSpan(),
    id: random => random.compatId(),
    write: (oracle, spans) => oracle['ingest.compat.v1'].write(spans, call),
    identity: ({traceId, id, kind, shared}) => JSON.stringify([traceId, id, kind, shared]),
    filter: random => random.filter(),
    attribute: random => random.attribute(),
  },
  27,
);

export const [randomNative, nativeHistories] = randomGroups(
  {
    kind: native,
    fragment: random => random.segment(),
    id: random => random.nativeId(),
    write: (oracle, segments) => oracle['ingest.native.v1'].write(segments, call),
    identity: ({traceId, traceSegmentId}) => JSON.stringify([traceId, traceSegmentId]),
    filter: random => random.filter(),
    attribute: random => random.attribute(),
  },
  29,
);
