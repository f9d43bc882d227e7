import type {Call} from './call.js';
import type {CapabilityName, Readers} from './capabilities.js';
import type {PluginLimits} from './limits.js';

/**
 * One form of data that can be written into the storage: over HTTP by the plugin that brings it, and from files by the
 * command `load`. Both ask it in the same way, so a new format is a new implementation and changes neither.
 */
export interface IngestFormat {
  /** As a user calls it, for messages and metrics: "metric records". */
  readonly name: string;
  readonly capability: CapabilityName;
  /** Where bodies of this format are posted, and the status of success there. */
  readonly routes: readonly {readonly path: string; readonly status: number}[];
  /** Endings of file names (in lower case, without `.gz`) that belong to this format alone. */
  readonly endings: readonly string[];
  /** Whether the first bytes, decompressed and not only white space, are of this format. */
  recognises(head: Uint8Array): boolean;
  /** Begins one body or file. Rejects with `unsupported_backend` when the storage does not supply the capability. */
  begin(writers: Readers, call: Call): Promise<Intake>;
}

/** What of a record is stored at most. */
export type IngestLimits = Pick<PluginLimits, 'spanTags'>;

/** A record that cannot be stored, and why. */
export interface BadRecord {
  /** Position among the records of the body, from 0. */
  readonly index: number;
  /** Line in the file, from 1; absent in formats that are not made of lines. */
  readonly line?: number;
  /** Names the key and the value, and says what would be right. */
  readonly reason: string;
}

/** Told of each bad record. What it throws ends the decoding; when it returns, the record is passed over. */
export type OnBadRecord = (bad: BadRecord) => void;

/** The decoding of one body or file. Its methods are called one after the other, except that writes may overlap. */
export interface Intake {
  /**
   * Decodes the next bytes, in slices that leave the thread to others in between. A record may begin in one call and
   * end in another. Rejects when `call` is cancelled.
   */
  decode(bytes: Uint8Array, onBad: OnBadRecord): Promise<void>;
  /** Decodes what is left after the last bytes. */
  finish(onBad: OnBadRecord): Promise<void>;
  /** Good records that have been decoded and not yet handed to the storage. */
  readonly pending: number;
  /** Values, and lists of tags and the like, of all records so far that were too long and have been cut. */
  readonly cut: number;
  /** Hands the pending records to the storage as one batch, and resolves when they are stored. */
  write(): Promise<void>;
}
