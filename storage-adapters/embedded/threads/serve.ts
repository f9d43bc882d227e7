import {parentPort, workerData} from 'node:worker_threads';
import {GatewayError} from '../../../core/api/adapter.js';
import {buffersOf, type CallMessage, type ReplyMessage} from './messages.js';
import type {Checkpoint, Operations} from './operations.js';

export type Handlers<Table extends Operations> = {
  readonly [Name in keyof Table]: (
    request: Table[Name]['request'],
    checkpoint: Checkpoint,
  ) => Table[Name]['reply'] | Promise<Table[Name]['reply']>;
};

/** Runs in a worker: answers the calls of the serving thread until the thread ends. */
export function serve<Table extends Operations>(handlers: Handlers<Table>): void {
  const port = parentPort;
  if (port === null) throw new GatewayError('internal', 'this module runs in a worker thread only');

  const flags = workerData as Int32Array;
  const send = (message: ReplyMessage, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  const fail = (id: number, error: unknown) => {
    const {code, message} = GatewayError.from(error);
    send({id, code: code === 'internal' ? 'storage_failed' : code, message});
  };

  port.on('message', ({id, operation, request, cancel}: CallMessage) => {
    const checkpoint = () => {
      if (cancel !== undefined && Atomics.load(flags, cancel) === 1) {
        throw new GatewayError('cancelled', 'the call was cancelled');
      }
    };
    try {
      checkpoint();
      const reply = handlers[operation as keyof Table](request, checkpoint);
      if (reply instanceof Promise) {
        reply.then(
          value => send({id, reply: value}, buffersOf(value)),
          error => fail(id, error),
        );
      } else {
        send({id, reply}, buffersOf(reply));
      }
    } catch (error) {
      fail(id, error);
    }
  });
}
