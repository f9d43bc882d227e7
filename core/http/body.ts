import {isUtf8} from 'node:buffer';
import type {IncomingMessage} from 'node:http';
import {promisify} from 'node:util';
import {gunzip, inflate, type ZlibOptions} from 'node:zlib';
import {GatewayError} from '../api/errors.js';
import {quote} from '../toolkit/messages.js';
import {ChunkJoiner} from './chunk-joiner.js';

const DECODERS: Readonly<Record<string, (body: Uint8Array, options: ZlibOptions) => Promise<Buffer>>> = {
  gzip: promisify<Uint8Array, ZlibOptions, Buffer>(gunzip),
  'x-gzip': promisify<Uint8Array, ZlibOptions, Buffer>(gunzip),
  deflate: promisify<Uint8Array, ZlibOptions, Buffer>(inflate),
};

/** Memory for bodies that are being read or worked on, shared by all requests. */
export class BodyBudget {
  #limit: number;
  #held = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  resize(limit: number): void {
    this.#limit = limit;
  }

  /** An account of one request; what it holds is given back by `release`. */
  open(): BodyAccount {
    let own = 0;
    return {
      take: bytes => {
        if (this.#held + bytes > this.#limit) {
          throw new GatewayError(
            'overloaded',
            'the gateway holds as many request bodies as it has memory for; try again',
          );
        }
        this.#held += bytes;
        own += bytes;
      },
      release: () => {
        this.#held -= own;
        own = 0;
      },
    };
  }
}

export interface BodyAccount {
  take(bytes: number): void;
  release(): void;
}

/** The name of a limit, for its message, and its bytes. */
export interface BodyLimit {
  readonly key: string;
  readonly bytes: number;
}

export function hasBody({headers}: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * Reads a body, decompressed, of which neither form exceeds the limit. What is left unread, the server discards. `invite`
 * is called when the headers are good, before anything is read.
 */
export async function readBody(
  request: IncomingMessage,
  limit: BodyLimit,
  account: BodyAccount,
  invite: () => void,
): Promise<Uint8Array> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (decoder === undefined && encoding !== 'identity') {
    const known = Object.keys(DECODERS).join(', ');
    throw new GatewayError(
      'bad_request',
      `found the content-encoding ${quote(encoding)}, expected one of ${known} or none`,
    );
  }
  if (Number(request.headers['content-length'] ?? 0) > limit.bytes) throw tooLarge(limit, '');
  invite();
  const raw = await collect(request, limit, account);
  if (decoder === undefined || raw.length === 0) return raw;
  try {
    const body = await decoder(raw, {maxOutputLength: limit.bytes});
    account.take(body.length);
    return body;
  } catch (error) {
    if (GatewayError.is(error)) throw error;
    const {code} = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit, ' after decompression');
    throw new GatewayError('bad_request', `the body is not ${encoding} as its content-encoding says`, {cause: error});
  }
}

function collect(request: IncomingMessage, limit: BodyLimit, account: BodyAccount): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const joiner = new ChunkJoiner(Number(request.headers['content-length'] ?? 0));
    const finish = (act: () => void) => {
      request.off('data', data).off('end', end).off('error', gone).off('close', gone);
      act();
    };
    const fail = (error: unknown) => finish(() => reject(error));
    const data = (chunk: Uint8Array) => {
      try {
        if (joiner.length + chunk.length > limit.bytes) throw tooLarge(limit, '');
        account.take(chunk.length);
        joiner.add(chunk);
      } catch (error) {
        fail(error);
      }
    };
    const end = () => finish(() => resolve(joiner.bytes()));
    const gone = () => fail(new GatewayError('cancelled', 'client disconnected'));
    request.on('data', data).on('end', end).on('error', gone).on('close', gone);
  });
}

function tooLarge({key, bytes}: BodyLimit, when: string): GatewayError {
  return new GatewayError('too_large', `the body is larger than limits.${key}, ${bytes} bytes${when}`);
}

/** The text of a form. */
export function textOf(body: Uint8Array): string {
  if (!isUtf8(body)) throw new GatewayError('bad_request', 'the form body is not UTF-8');
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
}
