import {isDeepStrictEqual} from 'node:util';
import type {TestContext} from '../runner.js';
import {compactly} from './compactly.js';
import {firstDifference} from './difference.js';
import type {History} from './history.js';
import {nearest, recordsIn, textsIn} from './records.js';
import {testIn} from './source.js';

/** As many records as an author looks at. */
const SHOWN = 8;

/**
 * The assertions of a test whose failures tell an author what they need to run it by hand: what was written and asked, where
 * the answer differs, and which line of the kit says so. AVA shows neither the source nor the data of a dependency.
 */
export class Explained implements TestContext {
  readonly #t: TestContext;
  readonly #history: History;
  #hasFailed = false;

  constructor(t: TestContext, history: History) {
    this.#t = t;
    this.#history = history;
  }

  deepEqual(actual: unknown, expected: unknown, message = ''): void {
    if (isDeepStrictEqual(actual, expected)) return;
    const {at, found, expected: wanted, around} = firstDifference(actual, expected);
    const told = this.#tell(message, [
      `at        ${at}`,
      `expected  ${compactly(wanted)}`,
      `got       ${compactly(found)}`,
    ]);
    this.#t.deepEqual(around.found, around.expected, told);
    // AVA takes some values for equal that are not the same.
    this.#t.true(false, told);
  }

  is(actual: unknown, expected: unknown, message = ''): void {
    if (Object.is(actual, expected)) return;
    const lines = [`expected  ${compactly(expected)}`, `got       ${compactly(actual)}`];
    this.#t.is(actual, expected, this.#tell(message, lines));
  }

  true(actual: unknown, message = ''): void {
    if (actual !== true) this.#t.true(actual, this.#tell(message, []));
  }

  pass(message?: string): void {
    this.#t.pass(message);
  }

  /** What a test has thrown, told as a failed assertion is; that of an assertion as it is. */
  explained(error: unknown): unknown {
    if (this.#hasFailed) return error;
    const thrown =
      error instanceof Error ? (error.stack ?? error.message) : `${compactly(error)} was thrown, which is no Error`;
    return new Error(this.#tell(thrown, []), {cause: error});
  }

  #tell(message: string, lines: readonly string[]): string {
    this.#hasFailed = true;
    const source = testIn(message) ?? testIn(new Error('here').stack ?? '');
    return [message, ...[...lines, ...this.#background(message)].map(line => `  ${line}`), source]
      .filter(part => part !== undefined)
      .join('\n');
  }

  #background(message: string): readonly string[] {
    const {asked, restarts, written} = this.#history;
    const quoted = [...message.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text);
    const texts = quoted.length > 0 ? new Set(quoted) : textsIn(asked.map(({request}) => request));
    const records = written.flatMap(recordsIn);
    const shown = nearest(records, texts).slice(-SHOWN);
    return [
      ...asked.map(({capability, method, request}) => `asked     ${capability} ${method}(${compactly(request)})`),
      ...(restarts > 0 ? [`after     ${restarts} restart${restarts === 1 ? '' : 's'} of the adapter`] : []),
      ...(shown.length > 0 ? [`written   ${records.length} records; nearest to the question:`] : []),
      ...shown.map(record => `          ${compactly(record)}`),
    ];
  }
}
