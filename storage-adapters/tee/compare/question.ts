import type {Call, CapabilityName, Readers} from '../../../core/api/adapter.js';

/** A question as it can be put to either storage. `Answer` is what a caller gets, or what was kept of it. */
export interface TeeQuestion<Answer> {
  readonly capability: CapabilityName;
  readonly method: string;
  readonly request: unknown;
  /** Puts it to a storage, which has the capability. */
  ask(readers: Readers, call: Call): Promise<Answer>;
  /** The answer without what two storages may do differently: order that is open, what nobody looks at. */
  form(answer: Answer): unknown;
  /** How far two values of metrics may be apart, relative to the larger one; everything else is the same or differs. */
  readonly tolerance?: number;
}

/** What a storage supplies for a question that is asked only where it does. */
export function supplied<Reader>(reader: Reader | undefined): Reader {
  if (reader === undefined) throw new TypeError('a storage is asked for a capability that it does not supply');
  return reader;
}
