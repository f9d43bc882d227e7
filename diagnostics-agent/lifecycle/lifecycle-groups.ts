import {setTimeout as sleep} from 'node:timers/promises';
import type {Logger} from '../../core/api/telemetry.js';
import {type GroupLifecycleInfo, nodeMethods} from '../../plugins/diagnostics/proto/contract.js';
import {isUnimplemented, NodeClient} from '../cluster/node-client.js';
import {reasonOf} from '../error-reason.js';
import type {Trouble} from '../telemetry/trouble-log.js';

/** How long an answer to the proxy waits for the node: shorter than a proxy waits for the answer. */
const PATIENCE_MS = 6000;
/** How long a node may take. */
const INSPECTION_TIMEOUT_MS = 40_000;

export interface Groups {
  readonly groups: readonly GroupLifecycleInfo[];
  /** On the clock of `performance.now()`; undefined where it is not what the node says now. */
  readonly at: number | undefined;
}

/**
 * The groups as the lifecycle service of the node gives them. A large cluster takes longer than a proxy waits: what it says
 * late is there for the next request, and what it said last stands until then.
 */
export class LifecycleGroups {
  readonly #port: number;
  readonly #timeToLive: number;
  readonly #client: NodeClient;
  readonly #log: Logger;
  #known: {readonly groups: readonly GroupLifecycleInfo[]; readonly at: number} | undefined;
  #inspection: Promise<Groups> | undefined;
  /** Whether the node has the service. */
  #isOffered = true;

  /** `timeToLive` in milliseconds. */
  constructor(port: number, timeToLive: number, log: Logger) {
    this.#port = port;
    this.#timeToLive = timeToLive;
    this.#client = new NodeClient(port);
    this.#log = log;
  }

  /** What is known, after a while at most. Never rejects: what is wrong is added to `troubles`. */
  async list(signal: AbortSignal, troubles: Trouble[]): Promise<Groups> {
    if (!this.#isOffered) return {groups: [], at: performance.now()};
    const known = this.#known;
    if (known !== undefined && performance.now() - known.at < this.#timeToLive) return known;
    this.#inspection ??= this.#inspect(signal).finally(() => {
      this.#inspection = undefined;
    });
    const patience = new AbortController();
    const late = sleep(PATIENCE_MS, undefined, {signal: patience.signal}).then(
      () => Promise.reject(new Error(`it has not answered within ${PATIENCE_MS / 1000} s`)),
      () => ({groups: [], at: undefined}),
    );
    try {
      return await Promise.race([this.#inspection, late]);
    } catch (error) {
      const reason = reasonOf(error);
      troubles.push({message: 'the node gave no lifecycle groups', fields: {port: this.#port, reason}, key: reason});
      return {groups: known?.groups ?? [], at: undefined};
    } finally {
      patience.abort();
    }
  }

  close(): void {
    this.#client.close();
  }

  async #inspect(signal: AbortSignal): Promise<Groups> {
    try {
      const {groups} = await this.#client.call(nodeMethods.InspectAll, {timeout: INSPECTION_TIMEOUT_MS, signal});
      this.#known = {groups, at: performance.now()};
      return this.#known;
    } catch (error) {
      if (!isUnimplemented(error)) throw error;
      this.#isOffered = false;
      this.#log.info('the node has no lifecycle service, only reports are collected', {port: this.#port});
      return {groups: [], at: performance.now()};
    }
  }
}
