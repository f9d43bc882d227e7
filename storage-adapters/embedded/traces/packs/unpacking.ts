import type {TraceModelName} from '../../../../core/toolkit/traces/model.js';
import type {FragmentTables} from '../fragments/fragment-tables.js';
import {embeddedTraceModel} from '../fragments/model.js';
import type {PackStore} from './pack-store.js';

/** Puts packed fragments back into rows of their own, when something comes to their trace. */
export class Unpacking {
  readonly #model;
  readonly #packs: PackStore;
  readonly #tables: FragmentTables;

  constructor(model: TraceModelName, packs: PackStore, tables: FragmentTables) {
    this.#model = embeddedTraceModel(model);
    this.#packs = packs;
    this.#tables = tables;
  }

  unpack(trace: number, id: string): void {
    if (!this.#packs.has(trace)) return;
    for (const head of this.#packs.heads(trace)) {
      for (const fragment of this.#packs.fragments(trace, head)) {
        const identity = this.#model.identity(this.#model.decode(id, fragment.body));
        this.#tables.putFragment(trace, identity, fragment);
      }
      this.#packs.remove(trace, head.part);
    }
  }
}
