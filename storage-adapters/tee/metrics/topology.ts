import type {Call, Entity, RelationsRequest, TopologyReader} from '../../../core/api/adapter.js';
import type {TeeComparer} from '../compare/comparer.js';
import {supplied, type TeeQuestion} from '../compare/question.js';
import {watchAnswer} from '../compare/watch.js';

const CAPABILITY = 'topology.query.v1';

/** Relations of the primary, compared. */
export class TeeTopologyReader implements TopologyReader {
  readonly #comparer: TeeComparer;

  constructor(comparer: TeeComparer) {
    this.#comparer = comparer;
  }

  relations(request: RelationsRequest, call: Call): Promise<readonly Entity[]> {
    const answer = supplied(this.#comparer.primary[CAPABILITY]).relations(request, call);
    if (!this.#comparer.wants(CAPABILITY)) return answer;
    const question: TeeQuestion<readonly Entity[]> = {
      capability: CAPABILITY,
      method: 'relations',
      request,
      ask: (readers, by) => supplied(readers[CAPABILITY]).relations(request, by),
      form: relations => relations,
    };
    return watchAnswer(this.#comparer, question, answer, relations => [...relations]);
  }
}
