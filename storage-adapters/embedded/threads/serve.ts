import {parentPort} from 'node:worker_threads';
import {GatewayError} from '../../../core/api/adapter.js';
import {buffersOf, type CallMessage, type ReplyMessage} from './messages.js';
import type {Operations} from './protocol.js';

/** Throws when the call was cancelled. Long work calls it at least every few milliseconds. */
export type Checkpoint = () => void;

export type Handlers<Table extends Operations> = {
  readonly [Name in keyof Table]: (
    request: Table[Name]['request'],
    checkpoint: Checkpoint,
  ) => Table[Name]['reply'] | Promise<Table[Name]['reply']>;
};

/** Runs in a worker: answers the calls of the serving thread until the thread ends. */
export function serve<Table extends Operations>(handlers: Handlers<Table>): void {
  const port = parentPort;
  if (port === null) throw new GatewayError('internal', 'This module runs in a worker thread only.');

  const send = (message: ReplyMessage, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  const fail = (id: number, problem: unknown) => {
    const {code, message} = GatewayError.from(problem);
    send({id, code: code === 'internal' ? 'storage_failed' : code, message});
  };

  port.on('message', ({id, operation, request, cancel}: CallMessage) => {
    const checkpoint = () => {
      if (cancel !== undefined && Atomics.load(cancel, 0) === 1) {
        throw new GatewayError('cancelled', 'The call was cancelled.');
      }
    };
    try {
      checkpoint();
      const reply = handlers[operation as keyof Table](request, checkpoint);
      if (reply instanceof Promise) {
        reply.then(
          value => send({id, reply: value}, buffersOf(value)),
          problem => fail(id, problem),
        );
      } else {
        send({id, reply}, buffersOf(reply));
      }
    } catch (problem) {
      fail(id, problem);
    }
  });
}
