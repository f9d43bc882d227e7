import {once} from 'node:events';
import {setTimeout as sleep} from 'node:timers/promises';
import {type ClientDuplexStream, type ServiceError, status} from '@grpc/grpc-js';
import {GatewayError} from '../../core/api/errors.js';
import type {Logger} from '../../core/api/telemetry.js';
import {reasonOf} from '../error-reason.js';
import type {AgentMetrics} from '../telemetry/agent-metrics.js';
import {TroubleLog} from '../telemetry/trouble-log.js';

/** One of the streams on which the proxy asks and the agent answers, each request with exactly one message. */
export interface DataStream<Command> {
  /** As in logs and metrics. */
  readonly name: string;
  readonly path: string;
  readonly decode: (bytes: Buffer) => Command;
  /** The answer as it goes on the wire; undefined when the command asks for nothing. */
  answer(command: Command, signal: AbortSignal): Promise<Buffer | undefined> | Buffer | undefined;
  /** Which requests are alike: that an answer to another kind of them fits says nothing. Left out, all are. */
  kindOf?(command: Command): string;
  /** An answer did not fit into a message. Gives what will be left out from now on. */
  shrink?(): string | undefined;
}

export type OpenStream = <Command>(stream: DataStream<Command>) => ClientDuplexStream<Buffer, Command>;

export interface DataStreamServices {
  readonly open: OpenStream;
  readonly metrics: AgentMetrics;
  readonly log: Logger;
  readonly podName: string;
  /** Milliseconds before a stream that failed alone is opened again. */
  readonly pause: () => number;
}

/** The largest message that agents of this contract send, in bytes. */
export const LARGEST_ANSWER = 32 * 2 ** 20;

/**
 * Answers what the proxy asks on a stream, until the signal aborts. A message that is too large costs this stream alone,
 * which is opened again after a pause; a stream that the proxy does not offer is given up. Rejects when the stream ends
 * in another way: the connection is to be made anew then.
 */
export async function serve<Command>(
  stream: DataStream<Command>,
  services: DataStreamServices,
  signal: AbortSignal,
): Promise<void> {
  const {log, metrics, podName, pause} = services;
  const {name} = stream;
  const troubles = new TroubleLogByKind(log);
  for (;;) {
    const last = {size: 0, kind: ''};
    try {
      await answerAll(stream, {...services, troubles}, last, signal);
      if (signal.aborted) return;
      throw new GatewayError('storage_unavailable', `the proxy ended the ${name} stream`);
    } catch (error) {
      if (signal.aborted) return;
      if (codeOf(error) === status.UNIMPLEMENTED) {
        log.info('the proxy does not offer a stream', {stream: name});
        return;
      }
      if (!isTooLarge(error)) throw error;
      metrics.tooLarge.inc({stream: name});
      const dropped = stream.shrink?.();
      troubles.of(last.kind).report({
        message: 'an answer was larger than the proxy takes (--grpc-max-msg-size there); the stream is opened again',
        fields: {
          stream: name,
          pod: podName,
          ...(GatewayError.is(error) ? {} : {bytes: last.size}),
          reason: reasonOf(error),
          ...(dropped === undefined ? {} : {leftOutFromNowOn: dropped}),
        },
        key: dropped ?? '',
      });
    }
    await sleep(pause(), undefined, {signal}).catch(() => undefined);
    if (signal.aborted) return;
  }
}

class TroubleLogByKind {
  readonly #log: Logger;
  readonly #all = new Map<string, TroubleLog>();

  constructor(log: Logger) {
    this.#log = log;
  }

  of(kind: string): TroubleLog {
    const troubles = this.#all.get(kind) ?? new TroubleLog(this.#log);
    this.#all.set(kind, troubles);
    return troubles;
  }
}

async function answerAll<Command>(
  stream: DataStream<Command>,
  {open, metrics, troubles}: DataStreamServices & {readonly troubles: TroubleLogByKind},
  last: {size: number; kind: string},
  signal: AbortSignal,
): Promise<void> {
  const call = open(stream);
  const halfClose = (): void => void call.end();
  signal.addEventListener('abort', halfClose);
  try {
    for await (const command of call) {
      // The proxy asks again: it took the last answer.
      if (last.size > 0) troubles.of(last.kind).report();
      last.kind = stream.kindOf?.(command) ?? '';
      const answer = await stream.answer(command, signal);
      if (signal.aborted) return;
      if (answer === undefined) continue;
      last.size = answer.length;
      if (answer.length > LARGEST_ANSWER) {
        throw new GatewayError(
          'too_large',
          `the answer has ${answer.length} bytes, at most ${LARGEST_ANSWER} are sent`,
        );
      }
      // The next command is read when this answer is on its way: a proxy that does not read holds up itself alone.
      if (!call.write(answer)) await once(call, 'drain', {signal});
      metrics.answers.inc({stream: stream.name});
    }
  } finally {
    signal.removeEventListener('abort', halfClose);
    if (!signal.aborted) call.cancel();
  }
}

const codeOf = (error: unknown): number | undefined => (error as ServiceError | undefined)?.code;

function isTooLarge(error: unknown): boolean {
  return codeOf(error) === status.RESOURCE_EXHAUSTED || (GatewayError.is(error) && error.code === 'too_large');
}
