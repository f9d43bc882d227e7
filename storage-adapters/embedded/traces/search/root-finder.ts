import type {TraceModelName} from '../../../../core/toolkit/traces/model.js';
import type {Body} from '../../threads/bodies.js';
import type {Checkpoint} from '../../threads/operations.js';
import type {FragmentReader} from '../fragments/fragment-reader.js';
import {embeddedTraceModel} from '../fragments/model.js';
import type {StoredFragment} from '../packs/pack-codec.js';

interface Trace {
  readonly id: string;
  readonly number: number;
  readonly start: number;
}

/** Finds the root of a trace from its earliest fragments on, so that it nearly always has to look at very few. */
export class RootFinder {
  readonly #model;
  readonly #fragments: FragmentReader;

  constructor(name: TraceModelName, fragments: FragmentReader) {
    this.#model = embeddedTraceModel(name);
    this.#fragments = fragments;
  }

  /** The body of a fragment with the root alone. `first` are the fragments that start when the trace does. */
  find({id, number, start}: Trace, first: readonly StoredFragment[], checkpoint: Checkpoint): Body | undefined {
    const model = this.#model;
    const decoded = (body: Body) => model.decode(id, body);
    const bodyOf = this.#fragments.byIdentity({id, number});
    const fragment = (identity: string) => {
      const body = bodyOf(identity);
      return body === undefined ? undefined : decoded(body);
    };
    const earlier = (part: unknown, than: unknown) => than === undefined || model.compareRoots(part, than) < 0;
    let root: unknown;
    let child: unknown;
    const look = ({body}: StoredFragment) => {
      for (const part of model.parts(decoded(body))) {
        // What would not be chosen need not be asked for its parent.
        if (root !== undefined && !earlier(part, root)) continue;
        if (!model.hasParent(part, fragment)) root = part;
        else if (earlier(part, child)) child = part;
      }
    };
    const isFound = (next: number | null) => {
      const [span] = root === undefined ? [] : model.spans(root);
      return span?.start !== undefined && (next === null || next > span.start);
    };
    first.forEach(look);
    if (!isFound(start + 1)) {
      let seen = 0;
      for (const later of this.#fragments.after(number, start)) {
        if (isFound(later.start)) break;
        if (++seen % 256 === 0) checkpoint();
        look(later);
      }
    }
    const found = root ?? child;
    return found === undefined ? undefined : model.encode(found);
  }
}
