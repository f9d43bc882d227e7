import type {AdapterDefinition, CapabilityName, CompatSpan, MetricBatch, Segment} from '../../core/api/adapter.js';

/**
 * Data of one group of tests, as the writers of `ingest.*` take it: batches, in the order in which they are to be stored.
 * Values are whole numbers, but for the groups that are about fractions.
 */
export interface DataSet {
  readonly metrics?: readonly MetricBatch[];
  readonly spans?: readonly (readonly CompatSpan[])[];
  readonly segments?: readonly (readonly Segment[])[];
}

/** A place for data that is empty when it is made. */
export interface Store {
  /** The adapter's `config`, as it would stand in a gateway's configuration. */
  readonly config: unknown;
  /** Called when the adapter has stopped for the last time. */
  remove?(): void | Promise<void>;
}

export interface AdapterUnderTest {
  /** The definition, that is, the default export of the adapter's module. */
  readonly adapter: AdapterDefinition;
  /**
   * The adapter's `config`, or a function that makes an empty store for each group of tests. `name` differs for each
   * group and run, and suits a database, a schema or a folder: lower case letters, digits and `_`, at most 40.
   *
   * With an object all groups share one store, which must not hold data of an earlier run. They do not disturb one
   * another: each has its own layers, metrics, trace ids, and times.
   */
  readonly config: object | ((place: {readonly name: string}) => Store | Promise<Store>);
  /** The capabilities that `start()` supplies, all of them. What runs follows from this, not from what `start()` says. */
  readonly expects: readonly CapabilityName[];
  /** Title of a test → why the adapter does not pass it. Shown as skipped with the reason. */
  readonly exempt?: Readonly<Record<string, string>>;
  /**
   * Stores the data for which `expects` has no `ingest.*` capability. Called once for each group, before the adapter
   * starts; with nothing in it for a group that has no such data.
   */
  seed?(data: DataSet, store: {readonly config: unknown; readonly name: string}): void | Promise<void>;
  /**
   * Where the adapter's module lies, as `use` of a configuration has it: a path or the name of a package, from the
   * working directory. With it the kit kills processes that write. An adapter that writes and has none is not tested
   * for that, which is shown as skipped.
   */
  readonly module?: string;
  /** Stands before each title, and tells runs in one file apart. The adapter's name unless given. */
  readonly name?: string;
}
