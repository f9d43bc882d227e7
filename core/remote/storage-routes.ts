import {CAPABILITY_METHODS, CAPABILITY_NAMES, type Readers} from '../api/capabilities.js';
import {GatewayError} from '../api/errors.js';
import type {HttpRequest, Reply, Routes} from '../api/http.js';
import {quote} from '../toolkit/messages.js';
import {VERSION} from '../version.js';
import {answerCall, isInPieces} from './answer-call.js';
import {decodeFrames, encodeFrame} from './frames.js';
import {type AnswerFrame, type HeldStorage, READ_PATH, type RemoteCall, STORAGE_PATH, WRITE_PATH} from './messages.js';

/** The readers and writers of the storage that has something open alone: see `AdapterDefinition.exclusive`. */
export type ReadersOf = (holds: string) => Readers | undefined;

/**
 * Lets a command use a storage that this gateway has open and nobody else can: the command does its work over these routes,
 * call by call.
 */
export function addStorageRoutes(to: Routes, readersOf: ReadersOf): void {
  const held = (holds: string): Readers => {
    const readers = readersOf(holds);
    if (readers !== undefined) return readers;
    throw new GatewayError('not_found', `this gateway does not have ${quote(holds)} open`);
  };
  to.add({methods: ['GET'], path: STORAGE_PATH, work: 'light', right: 'admin'}, ({parameters}) => {
    const readers = held(parameters.first('holds') ?? '');
    const capabilities = CAPABILITY_NAMES.filter(name => readers[name] !== undefined);
    return {status: 200, body: JSON.stringify({version: VERSION, capabilities} satisfies HeldStorage)};
  });
  const answer = async (request: HttpRequest): Promise<Reply> => {
    const call = await callIn(request.body);
    const frames = framesOf(answerCall(call, held(call.holds), request));
    const headers = {'content-type': 'application/octet-stream'};
    // What answers once is waited for here, where the request has its place and its deadline.
    return {status: 200, headers, body: isInPieces(call) ? frames : await wholeOf(frames)};
  };
  to.add({methods: ['POST'], path: READ_PATH, body: 'bytes', work: 'query', right: 'admin'}, answer);
  to.add({methods: ['POST'], path: WRITE_PATH, body: 'bytes', work: 'write', right: 'admin'}, answer);
}

async function callIn(body: Uint8Array): Promise<RemoteCall> {
  const [found] = await decoded(body);
  const {holds, capability, method, parameters} = (found ?? {}) as RemoteCall;
  const isKnown = CAPABILITY_NAMES.includes(capability) && Object.hasOwn(CAPABILITY_METHODS[capability], method);
  if (isKnown && typeof holds === 'string' && Array.isArray(parameters)) return {holds, capability, method, parameters};
  throw new GatewayError('bad_request', 'the body is a call of no capability that this gateway knows');
}

async function decoded(body: Uint8Array): Promise<readonly unknown[]> {
  const values: unknown[] = [];
  try {
    for await (const value of decodeFrames([body])) values.push(value);
  } catch (cause) {
    throw new GatewayError('bad_request', 'the body is no call of a storage', {cause});
  }
  return values;
}

async function* framesOf(answer: AsyncIterable<AnswerFrame>): AsyncGenerator<Uint8Array> {
  for await (const frame of answer) yield encodeFrame(frame);
}

async function wholeOf(frames: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of frames) parts.push(part);
  return Buffer.concat(parts);
}
