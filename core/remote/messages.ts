import type {CapabilityName} from '../api/capabilities.js';
import type {ErrorCode} from '../api/errors.js';

/** Where a gateway tells commands of a storage that it has open, and takes their calls of it. */
export const STORAGE_PATH = '/-/storage';
export const READ_PATH = `${STORAGE_PATH}/read`;
export const WRITE_PATH = `${STORAGE_PATH}/write`;

/** What a gateway tells of a storage that it has open: `GET /-/storage?holds=…`. */
export interface HeldStorage {
  /** Of the gateway: both sides must be of one to understand each other's frames. */
  readonly version: string;
  readonly capabilities: readonly CapabilityName[];
}

/** A call of a reader or writer. */
export interface RemoteCall {
  /** What the storage has open, in the words of `AdapterDefinition.exclusive`. */
  readonly holds: string;
  readonly capability: CapabilityName;
  readonly method: string;
  /** Without the last, the `Call`. */
  readonly parameters: readonly unknown[];
}

/** The frames of an answer: pieces, and one that says how it ended. What stops without such a one has broken off. */
export type AnswerFrame =
  | {readonly piece: unknown}
  /** That was all. Of a call that answers once, with the answer. */
  | {readonly end: unknown}
  /** An export has more behind its last piece, and is to be asked for it: so no answer takes for ever. */
  | {readonly more: true}
  | {readonly failed: {readonly code: ErrorCode; readonly message: string}};
