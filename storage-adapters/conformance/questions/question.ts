import type {Readers} from '../../../core/api/adapter.js';
import type {TestContext} from '../runner.js';

/** A question whose answer follows from what was stored, on whatever storage it is asked. */
export interface Question {
  /** The request, as it is shown where two answers differ. */
  readonly about: string;
  /** The answer in the form in which it is compared. */
  ask(readers: Required<Readers>): Promise<unknown>;
}

/** Answers under their questions. */
export type Answers = ReadonlyMap<string, unknown>;

/** Questions that are under way at once: of the time of one, most is the way to a storage and back. */
const ABREAST = 8;

export async function answersTo(questions: readonly Question[], readers: Readers): Promise<Answers> {
  const answers = new Map<string, unknown>();
  // The same question may come twice among random ones.
  const rest = new Map(questions.map(({about, ask}) => [about, ask])).entries();
  const askOn = async (): Promise<void> => {
    for (const [about, ask] of rest) answers.set(about, await ask(readers as Required<Readers>));
  };
  // All of them have ended when one has failed: the test may stop the adapter then.
  const outcomes = await Promise.allSettled(Array.from({length: ABREAST}, askOn));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return answers;
}

/** Compares answers to the same questions one by one, so that a failure shows the one that differs. */
export function sameAnswers(t: TestContext, found: Answers, expected: Answers, when: string): void {
  for (const [about, answer] of expected) t.deepEqual(found.get(about), answer, `${about} ${when}`);
}

/** Asks both the same questions. */
export async function compareAnswers(
  t: TestContext,
  questions: readonly Question[],
  readers: Readers,
  oracle: Readers,
  when: string,
): Promise<void> {
  sameAnswers(t, await answersTo(questions, readers), await answersTo(questions, oracle), when);
}
