import {compatKind} from './compat-kind.js';
import type {KindName, TraceKind} from './kind.js';
import {nativeKind} from './native-kind.js';

export const KIND_NAMES: readonly KindName[] = ['compat', 'native'];

/** The kind behind a name, where its units need not be told apart by type. */
export function kindOf(name: KindName): TraceKind<unknown, unknown> {
  return (name === 'compat' ? compatKind : nativeKind) as TraceKind<unknown, unknown>;
}
