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

export async function answersTo(questions: readonly Question[], readers: Readers): Promise<Answers> {
  const answers = new Map<string, unknown>();
  for (const {about, ask} of questions) answers.set(about, await ask(readers as Required<Readers>));
  return answers;
}

/** Compares answers to the same questions one by one, so that a failure shows the one that differs. */
export function sameAnswers(t: TestContext, found: Answers, expected: Answers, when: string): void {
  for (const [about, answer] of expected) t.deepEqual(found.get(about), answer, `${about} ${when}`);
}
