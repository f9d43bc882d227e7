import {CAPABILITY_NAMES, type CapabilityName, type Readers} from '../api/capabilities.js';

/** What one plugin gets of what a storage supplies. */
export interface Grant {
  /** What the plugin asked for, as far as it is there. */
  readonly readers: Readers;
  /** What it needs and does not get, in the order in which it asked. */
  readonly missing: readonly CapabilityName[];
}

/** Compares what a plugin needs with what the storage supplies. The only place that looks at capabilities. */
export function negotiate(
  plugin: {readonly requires: readonly CapabilityName[]; readonly optional?: readonly CapabilityName[]},
  supplied: Readers,
): Grant {
  const missing = plugin.requires.filter(name => supplied[name] === undefined);
  const wanted = [...plugin.requires, ...(plugin.optional ?? [])];
  return {missing, readers: Object.fromEntries(wanted.map(name => [name, supplied[name]])) as Readers};
}

/** The capabilities that a storage supplies, in the order of their documentation. */
export function capabilitiesOf(supplied: Readers): readonly CapabilityName[] {
  return CAPABILITY_NAMES.filter(name => supplied[name] !== undefined);
}
