import type {IncomingMessage} from 'node:http';
import {promisify} from 'node:util';
import {createGzip, gzip, type ZlibOptions} from 'node:zlib';
import type {Reply} from '../api/http.js';

const compress = promisify<Uint8Array, ZlibOptions, Buffer>(gzip);

/** JSON of numbers is a sixth at this level, and a seventh at the default one, which takes twice as long. */
const OPTIONS: ZlibOptions = {level: 3};

const DEFAULT_THRESHOLD = 16 * 1024;

/** From how many bytes on a listener's answers are compressed; infinity for never. */
export function thresholdOf(compression: boolean | number): number {
  if (typeof compression === 'number') return compression;
  return compression ? DEFAULT_THRESHOLD : Number.POSITIVE_INFINITY;
}

/**
 * The reply as its client takes it: compressed from `threshold` bytes on (infinity: never) when the client accepts gzip.
 * Compression runs beside the event loop. A body in pieces has no length, and is compressed whatever it will come to.
 */
export function encode(reply: Reply, request: IncomingMessage, threshold: number): Reply | Promise<Reply> {
  const {status, headers, body} = reply;
  if (threshold === Number.POSITIVE_INFINITY || headers?.['content-encoding'] !== undefined) return reply;
  if (status === 204 || status === 206 || status === 304) return reply;
  if ((typeof body === 'string' || body instanceof Uint8Array) && !isAtLeast(body, threshold)) return reply;
  const vary = headers?.vary === undefined ? 'accept-encoding' : `${headers.vary}, accept-encoding`;
  if (!acceptsGzip(request.headers['accept-encoding'])) return {...reply, headers: {...headers, vary}};
  const encoded = {status, headers: {...headers, vary, 'content-encoding': 'gzip'}};
  // Its length is known only when it has been made.
  if (request.method === 'HEAD') return {...encoded, body: nothing()};
  if (typeof body === 'string') return compress(Buffer.from(body), OPTIONS).then(whole => ({...encoded, body: whole}));
  if (body instanceof Uint8Array) return compress(body, OPTIONS).then(whole => ({...encoded, body: whole}));
  return {...encoded, body: compressPieces(body)};
}

function isAtLeast(body: string | Uint8Array, bytes: number): boolean {
  if (typeof body !== 'string') return body.byteLength >= bytes;
  // A character is one to three bytes of UTF-8.
  return body.length >= bytes || (body.length * 3 >= bytes && Buffer.byteLength(body) >= bytes);
}

async function* nothing(): AsyncGenerator<never> {}

/** Takes the next piece only when what the last ones have become was taken. */
async function* compressPieces(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  const stream = createGzip(OPTIONS);
  const ready: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => ready.push(chunk));
  const failed = new Promise<never>((_, reject) => stream.once('error', reject));
  failed.catch(() => undefined);
  const step = (begin: (done: () => void) => void): Promise<void> => Promise.race([new Promise<void>(begin), failed]);
  try {
    for await (const piece of pieces) {
      await step(done => stream.write(piece, done as () => void));
      yield* ready.splice(0);
    }
    await step(done => stream.once('end', done).end());
    yield* ready;
  } finally {
    stream.destroy();
  }
}

/** Some senders put blanks around the sign. */
const WEIGHT = /^q\s*=\s*(.+)$/;

/** Whether an Accept-Encoding header prefers gzip to the plain form. */
export function acceptsGzip(header: string | readonly string[] | undefined): boolean {
  if (header === undefined) return false;
  const weights = new Map<string, number>();
  for (const part of String(header).toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map(each => each.trim());
    const weight = parameters.map(each => WEIGHT.exec(each)?.[1]).find(each => each !== undefined);
    weights.set(coding, weight === undefined ? 1 : Number(weight));
  }
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}
