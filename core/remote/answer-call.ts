import type {Call} from '../api/call.js';
import {CAPABILITY_METHODS, type Readers} from '../api/capabilities.js';
import {GatewayError} from '../api/errors.js';
import {redactText} from '../config/redact.js';
import type {AnswerFrame, RemoteCall} from './messages.js';

/** How long an answer to an export goes on, in milliseconds: a gateway that stops waits for it. */
const SLICE_MS = 1000;

type Method = (...parameters: readonly unknown[]) => unknown;

/** Calls a reader or writer, for someone in another process. What goes wrong is told in the answer. */
export async function* answerCall(call: RemoteCall, readers: Readers, by: Call): AsyncGenerator<AnswerFrame> {
  const {capability, method} = call;
  const reader = readers[capability] as Readonly<Record<string, Method>> | undefined;
  try {
    if (reader === undefined) throw new GatewayError('unsupported_backend', `the storage has no ${capability}`);
    const answer = reader[method]?.(...call.parameters, by);
    if (isInPieces(call)) yield* piecesOf(answer as AsyncIterable<unknown>, capability.startsWith('export.'));
    else yield {end: await answer};
  } catch (error) {
    const {code, message} = GatewayError.from(error);
    if (code === 'internal') by.log.error('a call of the storage failed', {err: error, capability, method});
    yield {
      failed: {
        code,
        message: code === 'internal' ? 'internal error; the log of the gateway has the details' : redactText(message),
      },
    };
  }
}

export function isInPieces({capability, method}: Pick<RemoteCall, 'capability' | 'method'>): boolean {
  return (CAPABILITY_METHODS[capability] as Readonly<Record<string, string>>)[method] === 'pieces';
}

async function* piecesOf(pieces: AsyncIterable<unknown>, canGoOn: boolean): AsyncGenerator<AnswerFrame> {
  const begun = performance.now();
  for await (const piece of pieces) {
    yield {piece};
    if (!canGoOn || performance.now() - begun < SLICE_MS) continue;
    yield {more: true};
    return;
  }
  yield {end: undefined};
}
