import type {
  AdapterDefinition,
  CapabilityName,
  CompatSpan,
  MetricBatch,
  OtlpSpan,
  Segment,
} from '../../core/api/adapter.js';

/**
 * Data of one group of tests, as the writers of `ingest.*` take it: batches, in the order in which they are to be stored.
 * Values are whole numbers, but for the groups that are about fractions.
 */
export interface DataSet {
  readonly metrics?: readonly MetricBatch[];
  readonly spans?: readonly (readonly CompatSpan[])[];
  readonly segments?: readonly (readonly Segment[])[];
  readonly otlpSpans?: readonly (readonly OtlpSpan[])[];
}

/**
 * Something that the layout of a backend may have no room for though the contract allows it. The data of the kit is then
 * stored and expected without it:
 *
 * - `compat-kinds`: kinds but CLIENT, SERVER, PRODUCER and CONSUMER; spans of others come back without a kind.
 * - `compat-flags`: `debug` and `shared` that are false, as apart from left out.
 * - `compat-timeless`: spans without a `timestamp`; they are gone.
 * - `native-words`: span types but Entry, Exit and Local (others are Local), span layers but SkyWalking's (others are
 *   Unknown), and names of components.
 * - `segment-layers`: layers of segments; all are GENERAL.
 * - `record-entities`: sampled records of anything but services; the instance or endpoint of one is still known.
 * - `hour-sums`: what the mean of an hour or a day was divided from; a ranking takes the mean as it was stored.
 */
export type LayoutLimit =
  | 'compat-kinds'
  | 'compat-flags'
  | 'compat-timeless'
  | 'native-words'
  | 'segment-layers'
  | 'record-entities'
  | 'hour-sums';

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
  /** What the storage has no room for; nothing unless given. It is left out of what is stored before the tests. */
  readonly unsupported?: readonly LayoutLimit[];
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
  /**
   * Why nothing is there when the adapter is started again, of one that keeps its data in memory alone. The tests about
   * that are shown as skipped with this reason, and the random histories go without restarts.
   */
  readonly cannotRestart?: string;
  /**
   * Asks a fifth of the random questions and of those about what was taken back, makes a fifth of the rounds of random
   * histories, and looks for a third of the texts of any characters, for another third in each kind of spans. For a storage that takes its time over a question,
   * where the whole is asked now and then, or of another version of it.
   */
  readonly brief?: boolean;
  /** Stands before each title, and tells runs in one file apart. The adapter's name unless given. */
  readonly name?: string;
}
