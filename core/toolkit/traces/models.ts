import {compatKind} from './compat-model.js';
import type {KindName, TraceKind} from './model.js';
import {nativeKind} from './native-model.js';

export const KIND_NAMES: readonly KindName[] = ['compat', 'native'];

/** The kind behind a name, where its units need not be told apart by type. */
export function kindOf(name: KindName): TraceKind<unknown, unknown> {
  return (name === 'compat' ? compatKind : nativeKind) as TraceKind<unknown, unknown>;
}
