import type {Logger} from '../../core/api/telemetry.js';
import type {LifecycleData} from '../../plugins/diagnostics/proto/contract.js';
import {type Trouble, TroubleLog} from '../telemetry/trouble-log.js';
import {LifecycleGroups} from './lifecycle-groups.js';
import {readReports} from './report-files.js';

export interface LifecycleOptions {
  readonly port: number;
  readonly reportFolder: string;
  /** Milliseconds; 0 keeps nothing. */
  readonly timeToLive: number;
}

/** Groups from the lifecycle service of the node, and report files, together in a cache. */
export class LifecycleCollector {
  readonly #options: LifecycleOptions;
  readonly #groups: LifecycleGroups;
  #cached: {readonly data: LifecycleData; readonly at: number} | undefined;
  #collecting: Promise<LifecycleData> | undefined;
  /** The reports of the last collection. */
  #reports: LifecycleData['reports'] = [];
  readonly #troubles: TroubleLog;
  /** Reports that proved too large to send. */
  readonly #excluded = new Set<string>();

  constructor(options: LifecycleOptions, log: Logger) {
    this.#options = options;
    this.#groups = new LifecycleGroups(options.port, options.timeToLive, log);
    this.#troubles = new TroubleLog(log);
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
    this.#groups.close();
  }

  async #collect(signal: AbortSignal): Promise<LifecycleData> {
    const troubles: Trouble[] = [];
    const [reports, {groups, at}] = await Promise.all([
      readReports(this.#options.reportFolder, this.#excluded, troubles),
      this.#groups.list(signal, troubles),
    ]);
    this.#troubles.report(...troubles);
    const data = {reports, groups};
    this.#reports = reports;
    // With groups from before the next request tries again.
    this.#cached = at === undefined ? undefined : {data, at};
    return data;
  }
}
