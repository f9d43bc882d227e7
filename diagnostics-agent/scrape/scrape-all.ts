import {setTimeout as sleep} from 'node:timers/promises';
import {every} from '../../core/toolkit/periodic.js';
import {identityLabels, type SampleIdentity} from './identity-labels.js';
import type {ScrapeEndpoint} from './scrape-endpoint.js';

/** For so long samples wait for the role of the node, which they carry as a label. */
const ROLE_PATIENCE_MS = 5 * 60_000;

/** What is known of the node now, and when its role is. */
export interface NodeIdentity extends Pick<SampleIdentity, 'role' | 'nodeLabels'> {
  readonly known: Promise<void>;
}

export interface ScraperOptions {
  /** Milliseconds. */
  readonly interval: number;
  readonly podName: string;
  /** What the cluster state says about the node beside; undefined where it is not asked. */
  readonly node: NodeIdentity | undefined;
}

/**
 * Scrapes each endpoint at once and then in every interval, until the signal aborts. Each has a schedule of its own: one
 * that hangs delays only its own samples.
 */
export async function scrapeAll(
  endpoints: readonly ScrapeEndpoint[],
  options: ScraperOptions,
  signal: AbortSignal,
): Promise<void> {
  const {interval, podName, node} = options;
  const begun = performance.now();
  // Most often the role is there at once, and then the first scrape counts already.
  if (node !== undefined) await Promise.race([node.known, sleep(interval, undefined, {signal}).catch(() => undefined)]);
  const scrape = (endpoint: ScrapeEndpoint): Promise<void> => {
    const {role, nodeLabels} = node ?? {role: '', nodeLabels: {}};
    const isKnown = node === undefined || role !== '' || performance.now() - begun > ROLE_PATIENCE_MS;
    const origin = {podName, containerName: endpoint.containerName, role, nodeLabels};
    return endpoint.scrape(isKnown ? identityLabels(origin) : undefined, signal);
  };
  await Promise.all(endpoints.map(endpoint => every(interval, signal, () => scrape(endpoint))));
}
