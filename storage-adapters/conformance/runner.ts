/**
 * What the kit uses of AVA, described by its shape: the author passes the `test` of the AVA that they have installed, and
 * the gateway does not depend on it.
 */
export interface TestContext {
  deepEqual(actual: unknown, expected: unknown, message?: string): unknown;
  is(actual: unknown, expected: unknown, message?: string): unknown;
  true(actual: unknown, message?: string): unknown;
  pass(message?: string): unknown;
}

export type TestBody = (t: TestContext) => Promise<void>;

export interface TestRunner {
  readonly serial: {
    (title: string, body: TestBody): void;
    skip(title: string, body: TestBody): void;
  };
  readonly after: {
    always(title: string, body: () => Promise<void>): void;
  };
}
