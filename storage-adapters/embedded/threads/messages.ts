import type {ErrorCode} from '../../../core/api/adapter.js';

/** One call on its way to a worker. `cancel` is its place among the thread's `CancelFlags`, where it has one. */
export interface CallMessage {
  readonly id: number;
  readonly operation: string;
  readonly request: unknown;
  readonly cancel?: number;
}

export type ReplyMessage =
  | {readonly id: number; readonly reply: unknown}
  | {readonly id: number; readonly code: ErrorCode; readonly message: string};

/**
 * The buffers of the typed arrays at the top of a message, which are handed over rather than copied. Not one with more in it
 * than its array: it may be a pool of Node.js's, which Node.js 20 copies and later versions refuse to hand over.
 */
export function buffersOf(message: unknown): ArrayBuffer[] {
  if (typeof message !== 'object' || message === null) return [];
  const buffers: ArrayBuffer[] = [];
  for (const value of Object.values(message)) {
    if (!ArrayBuffer.isView(value) || !(value.buffer instanceof ArrayBuffer)) continue;
    if (value.byteLength === value.buffer.byteLength) buffers.push(value.buffer);
  }
  return buffers;
}
