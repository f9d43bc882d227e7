import fc from 'fast-check';

/** How many inputs a property is tried with: few where a person waits, 1,000 in `.ci/run`, 100,000 by `npm run fuzz`. */
export const FUZZ_RUNS = Number(process.env.FUZZ_RUNS ?? 200);

/** Whether the conformance kit is brief with servers that take long over a question; the whole is asked with `KIT=whole`. */
export const IS_KIT_BRIEF = process.env.KIT !== 'whole';

export interface Effort {
  readonly runs: number;
  /** No further input is tried after this time. */
  readonly milliseconds: number;
}

/**
 * Tries a property of a real store, in which a run takes its time, with so many inputs or as many as there is time for.
 * The run under way then is waited for: fast-check's own limit would leave it behind at the end of the test.
 */
export async function holdsFor<Input>(
  inputs: fc.Arbitrary<Input>,
  {runs, milliseconds}: Effort,
  property: (input: Input) => Promise<void>,
): Promise<void> {
  const end = Date.now() + milliseconds;
  await fc.assert(
    fc.asyncProperty(inputs, async input => {
      if (Date.now() < end) await property(input);
    }),
    {numRuns: runs, includeErrorInReport: true},
  );
}
