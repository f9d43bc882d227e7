import {createReadStream} from 'node:fs';
import {stat} from 'node:fs/promises';
import {addAbortSignal, pipeline, Readable} from 'node:stream';
import {createGunzip} from 'node:zlib';

const GZIP_MAGIC = [0x1f, 0x8b];
const READ_BYTES = 1024 * 1024;

const STANDARD_INPUT = '-';

/** One PATH of the command line, opened. */
export interface LoadInput {
  /** As given. */
  readonly name: string;
  /** Size as stored; undefined for standard input and other pipes. */
  readonly bytes: number | undefined;
  /**
   * The content, decompressed when it is gzip, whatever the name says. `onRead` is told how many stored bytes each
   * step took. Fails with a message that names what is wrong, and when `signal` aborts.
   */
  chunks(onRead: (bytes: number) => void, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/** Rejects when the path is missing or a directory. */
export async function openInput(path: string): Promise<LoadInput> {
  if (path === STANDARD_INPUT) return input(path, undefined, () => process.stdin);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === 'ENOENT' ? 'there is no such file' : error.message, {cause: error});
  });
  if (found.isDirectory()) throw new Error('is a directory; name the files in it');
  return input(path, found.isFile() ? found.size : undefined, () =>
    createReadStream(path, {highWaterMark: READ_BYTES}),
  );
}

function input(name: string, bytes: number | undefined, open: () => Readable): LoadInput {
  return {name, bytes, chunks: (onRead, signal) => decompressed(counted(addAbortSignal(signal, open()), onRead))};
}

async function* counted(stream: Readable, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    onRead(chunk.length);
    yield chunk;
  }
}

async function* decompressed(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Uint8Array> {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < GZIP_MAGIC.length) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  const whole = prefixed(head, chunks);
  if (!GZIP_MAGIC.every((byte, i) => head[i] === byte)) {
    yield* whole;
    return;
  }
  const gunzip = createGunzip({chunkSize: READ_BYTES});
  try {
    // Its callback is not needed: a failure of either stream comes out of the loop.
    yield* pipeline(Readable.from(whole), gunzip, () => undefined);
  } catch (error) {
    throw new Error(`the gzip data is damaged or cut short: ${(error as Error).message}`, {cause: error});
  }
}

async function* prefixed(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  yield* rest;
}
