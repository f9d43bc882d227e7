import type {TraceModelName} from '../../../../core/toolkit/traces/model.js';
import type {Database} from '../../disk/database.js';
import type {Body, JoinedBodies} from '../../threads/bodies.js';
import type {Checkpoint} from '../../threads/operations.js';
import type {EncodedTrace, OrderedTrace} from '../../threads/reader-protocol.js';
import type {FragmentReader} from '../fragments/fragment-reader.js';
import {type EmbeddedTraceModel, embeddedTraceModel} from '../fragments/model.js';
import type {PlacedBody} from '../fragments/places.js';

/** Characters in one text, or bytes, about: the serving thread decodes a large trace piece by piece, in a millisecond or two each. */
const PART_LENGTH = 2 ** 17;

/** From so many characters or bytes on a trace is given in parts. */
const LARGE = 2 * PART_LENGTH;

export interface UnorderedTrace {
  readonly bodies: readonly Body[];
  readonly placed: (body: Body) => readonly PlacedBody[];
}

export interface StoredBounds {
  readonly id: string;
  /** Null when no fragment has a time. */
  readonly start: number | null;
  readonly end: number | null;
}

export class EmbeddedTraceLoader {
  readonly #model;
  readonly #number;
  readonly #bounds;
  readonly #fragments: FragmentReader;

  constructor(database: Database, model: TraceModelName, fragments: FragmentReader) {
    this.#model = embeddedTraceModel(model);
    this.#number = database.prepare<[string], number>(`SELECT number FROM ${model}_traces WHERE id = ?`).pluck();
    this.#bounds = database.prepare<[number], StoredBounds>(
      `SELECT id, start, "end" FROM ${model}_traces WHERE number = ?`,
    );
    this.#fragments = fragments;
  }

  byId(id: string, checkpoint: Checkpoint): EncodedTrace | null {
    const number = this.#number.get(id);
    return number === undefined ? null : {id, parts: this.parts(number, checkpoint)};
  }

  /** A small trace as `byId`; of a large one what `orderedParts` makes its parts of. */
  inOrder(id: string, checkpoint: Checkpoint): OrderedTrace | UnorderedTrace | null {
    const number = this.#number.get(id);
    if (number === undefined) return null;
    const bodies = this.#fragments.bodies(number, checkpoint);
    const {placed} = this.#model;
    if (placed !== undefined && lengthOf(bodies) >= LARGE) return {bodies, placed};
    return {id, parts: joined(this.#model, bodies), isInOrder: false};
  }

  bounds(number: number): StoredBounds | undefined {
    return this.#bounds.get(number);
  }

  parts(number: number, checkpoint: Checkpoint): readonly JoinedBodies[] {
    return this.counted(number, checkpoint).parts;
  }

  /** The parts of a trace, how many fragments are in them, and how long these are. */
  counted(number: number, checkpoint: Checkpoint) {
    const bodies = this.#fragments.bodies(number, checkpoint);
    return {parts: joined(this.#model, bodies), count: bodies.length, length: lengthOf(bodies)};
  }
}

function lengthOf(bodies: readonly Body[]): number {
  return bodies.reduce((sum, body) => sum + body.length, 0);
}

/** The bodies as the parts of a trace. */
export function joined(
  model: Pick<EmbeddedTraceModel<unknown, unknown>, 'join'>,
  bodies: readonly Body[],
): readonly JoinedBodies[] {
  const parts: JoinedBodies[] = [];
  let from = 0;
  let length = 0;
  for (const [at, body] of bodies.entries()) {
    length += body.length;
    if (length < PART_LENGTH && at < bodies.length - 1) continue;
    parts.push(model.join(bodies.slice(from, at + 1)));
    from = at + 1;
    length = 0;
  }
  return parts;
}
