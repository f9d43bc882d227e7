import {isDeepStrictEqual} from 'node:util';
import type {AdapterUnderTest} from '../../../storage-adapters/conformance/test-adapter.js';
import {testAdapter} from '../../../storage-adapters/conformance/test-adapter.js';

interface Recorded {
  readonly title: string;
  readonly body: Parameters<Parameters<typeof testAdapter>[0]['serial']>[1];
}

/** Without the differences that AVA shows, which take their time for long lists. */
function demand(holds: boolean, message = 'an assertion'): void {
  if (!holds) throw new Error(message);
}

const assertions = {
  deepEqual: (actual: unknown, expected: unknown, message?: string) =>
    demand(isDeepStrictEqual(actual, expected), message),
  is: (actual: unknown, expected: unknown, message?: string) => demand(Object.is(actual, expected), message),
  true: (actual: unknown, message?: string) => demand(actual === true, message),
  pass: () => undefined,
};

export interface Outcome {
  /** Title → the message of its failure. */
  readonly failed: ReadonlyMap<string, string>;
  readonly passed: readonly string[];
  readonly skipped: readonly string[];
}

/** Runs the kit, or the tests `which` names, and tells how each went. Titles come without the name of the adapter. */
export async function runKit(options: AdapterUnderTest, which: Pick<RegExp, 'test'> = /^/): Promise<Outcome> {
  const tests: Recorded[] = [];
  const skipped: string[] = [];
  const after: (() => Promise<void>)[] = [];
  const bare = (title: string): string => title.replace('kit: ', '');
  const serial = Object.assign((title: string, body: Recorded['body']) => void tests.push({title: bare(title), body}), {
    skip: (title: string) => void skipped.push(bare(title)),
  });
  testAdapter({serial, after: {always: (_, body) => void after.push(body)}}, {...options, name: 'kit'});
  const failed = new Map<string, string>();
  const passed: string[] = [];
  for (const {title, body} of tests.filter(one => which.test(one.title))) {
    try {
      await body(assertions);
      passed.push(title);
    } catch (error) {
      failed.set(title, (error as Error).message);
    }
  }
  for (const body of after) await body();
  return {failed, passed, skipped};
}
