import type {Call} from '../api/call.js';
import type {CapabilityName, Readers} from '../api/capabilities.js';
import type {CopyKind} from './kind.js';

/** What keeps a kind from being copied. */
export interface Missing {
  readonly kind: CopyKind;
  readonly capability: CapabilityName;
  readonly of: 'from' | 'to';
}

export interface Plan {
  readonly kinds: readonly CopyKind[];
  readonly missing: readonly Missing[];
}

export interface PlanOptions {
  readonly kinds: readonly CopyKind[];
  /** They were asked for by name: one that cannot be copied is missing even where the source holds nothing of it. */
  readonly named: boolean;
  readonly from: Readers;
  /** Undefined where nothing is going to be written. */
  readonly to: Readers | undefined;
}

/** What can be copied, and what lacks. A kind of which the source holds nothing is neither, unless it was asked for. */
export async function planCopy({kinds, named, from, to}: PlanOptions, call: Call): Promise<Plan> {
  const ready: CopyKind[] = [];
  const missing: Missing[] = [];
  for (const kind of kinds) {
    const {exports, writes, reads} = kind;
    if (from[exports] === undefined) {
      const isHeld = from[reads] !== undefined && (await kind.isHeld(from, call));
      if (named || isHeld) missing.push({kind, capability: exports, of: 'from'});
    } else if (to === undefined || to[writes] !== undefined) {
      ready.push(kind);
    } else if (named || (await hasAny(kind, from, call))) {
      missing.push({kind, capability: writes, of: 'to'});
    }
  }
  return {kinds: ready, missing};
}

async function hasAny(kind: CopyKind, from: Readers, call: Call): Promise<boolean> {
  for await (const {units} of kind.pages(from, {}, call)) if (units > 0) return true;
  return false;
}
