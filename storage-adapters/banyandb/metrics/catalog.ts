import {GatewayError, type Logger, type MetricDefinition} from '../../../core/api/adapter.js';
import {unlessAborted} from '../../../core/toolkit/unless-aborted.js';
import type {BanyanDBConnection} from '../client/connection.js';
import {isSchemaDrift, mayBeSchemaDrift} from '../client/grpc-error.js';
import type {BanyanDBMeasures} from '../client/measures.js';
import type {Layout} from '../schema/layout.js';
import {type RegistryProvider, type RegistryState, readRegistry} from '../schema/registry.js';
import {type MetricSource, metricSources, type UnclearMetric, unclearMetrics} from './metric-source.js';
import {RowProbe, type RowSample} from './row-probe.js';

export interface BanyanDBCatalogState {
  readonly registry: RegistryState;
  readonly sources: ReadonlyMap<string, MetricSource>;
  /** The same array while nothing has changed. */
  readonly definitions: readonly MetricDefinition[];
}

const PROBES_AT_ONCE = 8;
/** A list so many times as old as it may be has not been in use, and is waited for. */
const FORGOTTEN = 2;

export interface BanyanDBCatalogOptions {
  readonly connection: BanyanDBConnection;
  readonly measures: BanyanDBMeasures;
  readonly layout: Layout;
  /** Milliseconds. */
  readonly refresh: number;
  /** Milliseconds that looking at rows may hold up a load. The next, which follows at once, looks at what is left. */
  readonly probeTime: number;
  readonly log: Logger;
  /** Aborts when the adapter stops. */
  readonly lifetime: AbortSignal;
}

/** The schemas and the metrics that follow from them, in memory. An old one is renewed beside its use. */
export class BanyanDBCatalog implements RegistryProvider {
  readonly #options: BanyanDBCatalogOptions;
  readonly #probe: RowProbe;
  /** By fingerprint: what rows have shown, or undefined where there were none. */
  readonly #samples = new Map<string, RowSample | undefined>();
  #state: BanyanDBCatalogState | undefined;
  #loadedAt = 0;
  /** Whether rows are still to be looked at. */
  #isPartial = false;
  #loading: Promise<BanyanDBCatalogState> | undefined;

  constructor(options: BanyanDBCatalogOptions) {
    this.#options = options;
    this.#probe = new RowProbe(options.measures);
  }

  async state(signal: AbortSignal): Promise<BanyanDBCatalogState> {
    const state = this.#state;
    if (state === undefined) return unlessAborted(this.#load(), signal);
    const age = performance.now() - this.#loadedAt;
    if (age <= this.#options.refresh && !this.#isPartial) return state;
    const renewed = this.#load().catch(error => {
      this.#options.log.warn('the list of metrics could not be renewed', {err: error});
      return state;
    });
    return age > FORGOTTEN * this.#options.refresh ? unlessAborted(renewed, signal) : state;
  }

  async using<T>(signal: AbortSignal, query: (state: BanyanDBCatalogState) => Promise<T>): Promise<T> {
    const state = await this.state(signal);
    try {
      return await query(state);
    } catch (error) {
      const isCertain = isSchemaDrift(error);
      if (!isCertain && !mayBeSchemaDrift(error)) throw error;
      this.#options.log.info('a query may not fit the schemas, which are read again', {err: error});
      const renewed = await unlessAborted(this.#load(), signal);
      if (!isCertain && renewed.registry.fingerprint === state.registry.fingerprint) throw error;
      return query(renewed);
    }
  }

  /** One load at a time; whoever asks during it takes part. */
  #load(): Promise<BanyanDBCatalogState> {
    this.#loading ??= this.#read().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #read(): Promise<BanyanDBCatalogState> {
    const {connection, layout, lifetime} = this.#options;
    const registry = await readRegistry(connection, layout, lifetime);
    await this.#probeRows(unclearMetrics(registry), registry);
    const known = new Map<string, RowSample>();
    for (const [fingerprint, sample] of this.#samples) if (sample !== undefined) known.set(fingerprint, sample);
    const sources = metricSources(registry, known);
    const before = this.#state;
    const definitions = [...sources.values()].map(({definition}) => definition);
    const isUnchanged = before !== undefined && JSON.stringify(definitions) === JSON.stringify(before.definitions);
    const state = {registry, sources, definitions: isUnchanged ? before.definitions : definitions};
    this.#state = state;
    this.#loadedAt = performance.now();
    return state;
  }

  /** Looks at all times for a metric that is new, then only at the last minutes for one that had no rows. */
  async #probeRows(wanted: readonly UnclearMetric[], registry: RegistryState): Promise<void> {
    const fingerprints = new Set(wanted.map(({fingerprint}) => fingerprint));
    for (const fingerprint of this.#samples.keys()) {
      if (!fingerprints.has(fingerprint)) this.#samples.delete(fingerprint);
    }
    const open = wanted.filter(({fingerprint}) => this.#samples.get(fingerprint) === undefined).values();
    const until = performance.now() + this.#options.probeTime;
    let left = 0;
    const worker = async (): Promise<void> => {
      let hasProbed = false;
      for (const {metric, field, fingerprint} of open) {
        if (hasProbed && performance.now() > until) {
          left++;
          continue;
        }
        hasProbed = true;
        const isNew = !this.#samples.has(fingerprint);
        try {
          const sample = await this.#probe.sample(metric, field, registry, isNew, this.#options.lifetime);
          this.#samples.set(fingerprint, sample);
        } catch (error) {
          // One metric whose rows cannot be read does not hide the others; it is looked at again with the next refresh.
          if (!GatewayError.is(error) || error.code === 'storage_unavailable' || error.code === 'cancelled')
            throw error;
          this.#options.log.warn('the rows of a metric could not be looked at', {metric, err: error});
        }
      }
    };
    await Promise.all(Array.from({length: PROBES_AT_ONCE}, worker));
    this.#isPartial = left > 0;
    if (left > 0) this.#options.log.info('the rows of some metrics are looked at later', {metrics: left});
  }
}
