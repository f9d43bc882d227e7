import type {Call} from '../api/call.js';
import type {CapabilityName, Readers} from '../api/capabilities.js';
import type {CopyKind} from './kind.js';

/** What keeps a kind from being copied. */
export interface Missing {
  readonly kind: CopyKind;
  readonly capability: CapabilityName;
  readonly of: 'from' | 'to';
}

export interface CopyPlan {
  readonly kinds: readonly CopyKind[];
  readonly missing: readonly Missing[];
}

export interface PlanOptions {
  readonly kinds: readonly CopyKind[];
  /** They were asked for by name: one that cannot be copied is missing even where the source holds nothing of it. */
  readonly named: boolean;
  readonly from: Readers;
  readonly to: Readers;
  /** What the target needs for a kind: to be written to, or to be read. Nothing where it is not asked at all. */
  readonly needs: ((kind: CopyKind) => CapabilityName) | undefined;
}

/** What can be copied, and what lacks. A kind of which the source holds nothing is neither, unless it was asked for. */
export async function planCopy({kinds, named, from, to, needs}: PlanOptions, call: Call): Promise<CopyPlan> {
  const ready: CopyKind[] = [];
  const missing: Missing[] = [];
  for (const kind of kinds) {
    const {exports, reads} = kind;
    const needed = needs?.(kind);
    if (from[exports] === undefined) {
      const isHeld = from[reads] !== undefined && (await kind.isHeld(from, call));
      if (named || isHeld) missing.push({kind, capability: exports, of: 'from'});
    } else if (needed === undefined || to[needed] !== undefined) {
      ready.push(kind);
    } else if (named || (await hasAny(kind, from, call))) {
      missing.push({kind, capability: needed, of: 'to'});
    }
  }
  return {kinds: ready, missing};
}

async function hasAny(kind: CopyKind, from: Readers, call: Call): Promise<boolean> {
  for await (const {units} of kind.pages(from, {}, call)) if (units > 0) return true;
  return false;
}
