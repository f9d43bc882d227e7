import type {Call} from '../../../core/api/adapter.js';
import {forEachRange} from '../threads/ranges.js';
import type {TracePart} from '../threads/writer-protocol.js';
import {FragmentQueue, PART_FRAGMENTS, PART_LENGTH, type TraceHost} from './fragment-queue.js';
import type {EmbeddedTraceModel} from './fragments/model.js';

const FRAGMENTS_BETWEEN_LOOKS = 64;

type WrittenModel<Fragment> = Pick<
  EmbeddedTraceModel<Fragment, unknown>,
  'name' | 'fragments' | 'traceId' | 'canonicalId' | 'encode'
>;

/** Encodes compat spans or segments as texts, and has them stored in the order of the calls. */
export class EmbeddedTraceWriter<Fragment> extends FragmentQueue {
  readonly #model: WrittenModel<Fragment>;

  constructor(model: WrittenModel<Fragment>, host: TraceHost) {
    super(model, host);
    this.#model = model;
  }

  write(fragments: readonly Fragment[], call: Call): Promise<void> {
    return this.store(fragments.length, () => this.#encode(fragments), call);
  }

  async #encode(fragments: readonly Fragment[]): Promise<readonly TracePart[]> {
    const parts: TracePart[] = [];
    let traceIds: string[] = [];
    let bodies: string[] = [];
    let length = 0;
    const endPart = (): void => {
      parts.push({traceIds, bodies});
      [traceIds, bodies, length] = [[], [], 0];
    };
    await forEachRange(
      fragments.length,
      (from, to) => {
        if (length >= PART_LENGTH || bodies.length >= PART_FRAGMENTS) endPart();
        for (const fragment of fragments.slice(from, to)) {
          const id = this.#model.traceId(fragment);
          traceIds.push(this.#model.canonicalId(id) ?? id);
          const body = this.#model.encode(fragment) as string;
          bodies.push(body);
          length += body.length;
        }
      },
      FRAGMENTS_BETWEEN_LOOKS,
    );
    endPart();
    return parts;
  }
}
