import type {ServerReadableStream, ServerUnaryCall, sendUnaryData} from '@grpc/grpc-js';
import {grpcFailure} from '../../../core/toolkit/grpc/grpc-status.js';
import {hostOfPeer} from '../../../core/toolkit/grpc/peer-host.js';
import {pause} from '../../../core/toolkit/yielder.js';
import {decodeCollection} from './contract.js';
import type {SegmentSink} from './segment-sink.js';

/** Bytes of one call that are read ahead of what is stored; flow control holds up a sender that has more. */
const READ_AHEAD = 8 * 1024 * 1024;

type Answer = sendUnaryData<object>;

/** The answer to everything that an agent reports: no commands for it. */
export const NO_COMMANDS: object = {};

/** `TraceSegmentReportService`: what is answered OK is stored. */
export class TraceSegmentService {
  readonly #sink: SegmentSink;

  constructor(sink: SegmentSink) {
    this.#sink = sink;
  }

  /** A stream of segments, answered when it has ended and all of it is stored, or before when something could not be. */
  async collect(call: ServerReadableStream<Buffer, object>, answer: Answer): Promise<void> {
    await answered(answer, async () => {
      const stored = new Stored(this.#sink, hostOfPeer(call.getPeer()));
      for await (const bytes of call) await stored.take(bytes as Buffer);
      await stored.all();
    });
  }

  async collectInSync(call: ServerUnaryCall<Buffer, object>, answer: Answer): Promise<void> {
    await answered(answer, async () => {
      const stored = new Stored(this.#sink, hostOfPeer(call.getPeer()));
      for (const bytes of decodeCollection(call.request).segments ?? []) await stored.take(bytes as Buffer);
      await stored.all();
    });
  }
}

/** The segments of one call on their way into the storage. */
class Stored {
  readonly #sink: SegmentSink;
  readonly #peer: string;
  #waiting: Promise<void>[] = [];
  #bytes = 0;
  #failure: unknown;

  constructor(sink: SegmentSink, peer: string) {
    this.#sink = sink;
    this.#peer = peer;
  }

  /** Resolves when more may be read. Rejects as soon as it is known that a segment could not be stored. */
  async take(bytes: Buffer): Promise<void> {
    await pause();
    this.#bytes += bytes.length;
    const failed = (error: unknown): void => {
      this.#failure ??= error;
    };
    this.#waiting.push(this.#sink.take(bytes, this.#peer).catch(failed));
    if (this.#bytes > READ_AHEAD) await this.all();
    if (this.#failure !== undefined) throw this.#failure;
  }

  async all(): Promise<void> {
    await Promise.all(this.#waiting);
    this.#waiting = [];
    this.#bytes = 0;
    if (this.#failure !== undefined) throw this.#failure;
  }
}

/** Ends a call with what the work gives: no commands, or the status of its failure. */
export async function answered(answer: Answer, work: () => Promise<void>): Promise<void> {
  try {
    await work();
    answer(null, NO_COMMANDS);
  } catch (error) {
    answer(grpcFailure(error));
  }
}
