import type {CapabilityName} from '../../core/api/adapter.js';
import type {DataSet} from './options.js';
import type {TestContext} from './runner.js';
import type {Subject} from './subject.js';

export type GroupTest = (t: TestContext, subject: Subject) => Promise<void>;

/** Tests that share a store. They run one after the other, in their order. */
export interface Group {
  /** Lower case letters, digits and `_`, at most 24. */
  readonly name: string;
  /** What must be expected of the adapter for these tests to run. */
  readonly needs: readonly CapabilityName[];
  /** Stored before the first test. */
  readonly data?: DataSet;
  /** The tests start the adapter themselves. */
  readonly manual?: boolean;
  /** The tests start processes of their own, which load the adapter by the option `module`. */
  readonly kills?: boolean;
  /** The tests start the adapter again, and are about what is there then. */
  readonly restarts?: boolean;
  /** Title → test. */
  readonly tests: Readonly<Record<string, GroupTest>>;
}
