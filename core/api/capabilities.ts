import type {MetricWriter} from './ingest.js';
import type {MetadataReader} from './metadata.js';
import type {MetricReader} from './metrics.js';

/**
 * Capability → the reader (or writer) that an adapter must supply to claim it.
 *
 * There are no flags: the keys of what `StorageAdapter.start()` returns are the capability set, so claiming and
 * supplying are one act and cannot drift apart. A plugin lists what it needs in `requires`; the host compares the two
 * once, after start, and hands each plugin exactly the readers it was granted.
 *
 * A name ends in the version of its reader. A better reader is a new key beside the old one, and an adapter may supply
 * both; optional members may be added to a reader without a new version.
 */
export interface Capabilities {
  /** The metric catalog, values per entity and bucket, rankings of entities, sampled records. */
  'metrics.query.v1': MetricReader;
  /** Layers, services, instances and endpoints. */
  'metadata.query.v1': MetadataReader;
  /** Writing metric records. */
  'ingest.metrics.v1': MetricWriter;
}

export type CapabilityName = keyof Capabilities;

/** What an adapter supplies. A key with the value `undefined` counts as absent. */
export type Readers = {readonly [Name in CapabilityName]?: Capabilities[Name]};

/** Every capability that this version of the gateway knows, in the order of its documentation. */
export const CAPABILITY_NAMES = Object.keys({
  'metrics.query.v1': true,
  'metadata.query.v1': true,
  'ingest.metrics.v1': true,
} satisfies Record<CapabilityName, true>) as readonly CapabilityName[];
