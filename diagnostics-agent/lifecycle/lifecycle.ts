import type {Logger} from '../../core/api/telemetry.js';
import {
  type GroupLifecycleInfo,
  type LifecycleData,
  nodeMethods,
} from '../../plugins/diagnostics-proxy/proto/contract.js';
import {isUnimplemented, NodeClient} from '../cluster/node-client.js';
import {reasonOf} from '../reason.js';
import {type Trouble, Troubles} from '../troubles.js';
import {readReports} from './reports.js';

/** Shorter than a proxy waits for an answer: reports alone are better than none. */
const GROUPS_TIMEOUT_MS = 6000;

export interface LifecycleOptions {
  readonly port: number;
  readonly reportFolder: string;
  /** Milliseconds; 0 keeps nothing. */
  readonly timeToLive: number;
}

/** Groups from the lifecycle service of the node, and report files, together in a cache. */
export class Lifecycle {
  readonly #options: LifecycleOptions;
  readonly #client: NodeClient;
  readonly #log: Logger;
  #cached: {readonly data: LifecycleData; readonly at: number} | undefined;
  #collecting: Promise<LifecycleData> | undefined;
  /** The reports of the last collection. */
  #reports: LifecycleData['reports'] = [];
  readonly #troubles: Troubles;
  /** Whether the node has the service. */
  #isOffered = true;
  /** Reports that proved too large to send. */
  readonly #excluded = new Set<string>();

  constructor(options: LifecycleOptions, log: Logger) {
    this.#options = options;
    this.#client = new NodeClient(options.port);
    this.#log = log;
    this.#troubles = new Troubles(log);
  }

  /** From the cache while it is fresh. Requests at the same time share one collection. Never rejects. */
  async data(signal: AbortSignal): Promise<LifecycleData> {
    const cached = this.#cached;
    if (cached !== undefined && performance.now() - cached.at < this.#options.timeToLive) return cached.data;
    this.#collecting ??= this.#collect(signal).finally(() => {
      this.#collecting = undefined;
    });
    return this.#collecting;
  }

  /** Leaves the largest report out from now on. Gives its name; undefined when there is none. */
  dropLargest(): string | undefined {
    const [largest] = [...this.#reports].sort((a, b) => b.report_json.length - a.report_json.length);
    if (largest === undefined) return undefined;
    this.#excluded.add(largest.filename);
    this.#reports = this.#reports.filter(report => report !== largest);
    if (this.#cached !== undefined) {
      this.#cached = {...this.#cached, data: {...this.#cached.data, reports: this.#reports}};
    }
    return largest.filename;
  }

  close(): void {
    this.#client.close();
  }

  async #collect(signal: AbortSignal): Promise<LifecycleData> {
    const troubles: Trouble[] = [];
    const [reports, groups] = await Promise.all([
      readReports(this.#options.reportFolder, this.#excluded, troubles),
      this.#groups(signal, troubles),
    ]);
    this.#troubles.report(...troubles);
    const data = {reports, groups: groups ?? []};
    this.#reports = reports;
    // Without the groups the next request tries again.
    this.#cached = groups === undefined ? undefined : {data, at: performance.now()};
    return data;
  }

  /** Undefined when they could not be had this time. */
  async #groups(signal: AbortSignal, troubles: Trouble[]): Promise<readonly GroupLifecycleInfo[] | undefined> {
    if (!this.#isOffered) return [];
    try {
      return (await this.#client.call(nodeMethods.InspectAll, {timeout: GROUPS_TIMEOUT_MS, signal})).groups;
    } catch (error) {
      if (isUnimplemented(error)) {
        this.#isOffered = false;
        this.#log.info('the node has no lifecycle service, only reports are collected', {port: this.#options.port});
        return [];
      }
      const reason = reasonOf(error);
      const fields = {port: this.#options.port, reason};
      troubles.push({message: 'the node gave no lifecycle groups', fields, key: reason});
      return undefined;
    }
  }
}
