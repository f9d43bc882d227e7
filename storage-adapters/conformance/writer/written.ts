import {call} from '../call.js';
import {otlp} from '../data/otlp-format.js';
import {compat, native} from '../data/trace-formats.js';
import type {DataSet} from '../options.js';
import {questionsAbout} from '../questions/all.js';
import {type Answers, answersTo} from '../questions/question.js';
import {representable} from '../representable.js';
import type {TestContext} from '../runner.js';
import type {Subject} from '../subject.js';
import {
  compatId,
  FRAGMENTS,
  LAYER,
  METRIC,
  nativeId,
  otlpId,
  ROUNDS,
  type RoundSubject,
  SERVICES,
  START,
  serviceOf,
  WINDOW,
} from './rounds.js';

/** A round as the storage can hold it. */
function roundOf({options}: Subject, what: RoundSubject, round: number): DataSet {
  return representable(ROUNDS[what](round), options.unsupported);
}

/** Writes a round as the process that is killed does. */
export function writeRound(subject: Subject, what: RoundSubject, round: number): Promise<void> {
  return subject.write(roundOf(subject, what, round));
}

/** All that is read of rounds, with every member of their records. */
export async function answersAbout(
  subject: Subject,
  what: RoundSubject,
  ...rounds: readonly number[]
): Promise<Answers> {
  const questions = rounds.flatMap(round =>
    questionsAbout(roundOf(subject, what, round), subject.options.expects, WINDOW),
  );
  return answersTo(questions, subject.readers);
}

/** Whether every round from 0 up to `rounds` is there, whole. */
export const CHECKS: Readonly<
  Record<RoundSubject, (t: TestContext, subject: Subject, rounds: number) => Promise<void>>
> = {
  metrics: async (t, subject, rounds) => {
    const window = {step: 'day', first: START, count: rounds} as const;
    const metric = await subject.metric(METRIC);
    for (let i = 0; i < SERVICES; i++) {
      const entity = {layer: LAYER, service: serviceOf(i)};
      const [column] = await subject.metrics.values({metric, entity, valueFilters: new Map(), window}, call);
      const expected = Array.from({length: rounds}, (_, round) => round * 100 + i);
      t.deepEqual([...(column?.values ?? [])], expected, `days of ${serviceOf(i)}`);
    }
  },
  compat: async (t, subject, rounds) => {
    for (let round = 0; round < rounds; round++) {
      const trace = await subject.compat.trace(compatId(round), call);
      t.is(trace && compat.fragmentsOf(trace).length, FRAGMENTS, `spans of trace ${round}`);
    }
  },
  native: async (t, subject, rounds) => {
    for (let round = 0; round < rounds; round++) {
      const trace = await subject.native.trace(nativeId(round), call);
      t.is(trace && native.fragmentsOf(trace).length, FRAGMENTS, `segments of trace ${round}`);
    }
  },
  otlp: async (t, subject, rounds) => {
    for (let round = 0; round < rounds; round++) {
      const trace = await subject.otlp.trace(otlpId(round), call);
      t.is(trace && otlp.fragmentsOf(trace).length, FRAGMENTS, `OTLP spans of trace ${round}`);
    }
  },
};
