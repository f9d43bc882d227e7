import {createHash} from 'node:crypto';
import type {Reply} from '../api/http.js';
import type {Logger} from '../api/telemetry.js';
import type {RecordConfig} from '../config/record.js';
import {pause} from '../toolkit/yielder.js';
import type {RecordWriter} from './record-file.js';

/** Lines are written together, some time after the answers have left. */
const DELAY = 100;
/** Bodies that wait for that; more are left out, and that is told. */
const WAITING_BYTES = 64 * 2 ** 20;

/** What was asked: the path with its prefix, and the query string with a form body behind it, as they came. */
export interface RecordedQuery {
  readonly plugin: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: string;
  /** When it came, on the clock of `performance.now()`. */
  readonly begun: number;
}

interface Answer {
  readonly query: RecordedQuery;
  readonly time: string;
  readonly status: number;
  readonly ms: number;
  /** Of a body in pieces what there is to say of it. */
  readonly body: string | Uint8Array | {readonly bytes: number; readonly sha256: string};
}

/**
 * Writes a line for each query: `{"time","plugin","method","path","parameters","status","bytes","ms","sha256"}`. The digest and
 * the size are of the body before it is compressed. No header is recorded.
 */
export class QueryRecording {
  readonly config: RecordConfig;
  readonly #log: Logger;
  readonly #writer: RecordWriter;
  #isOpen = false;
  #waiting: Answer[] = [];
  #waitingBytes = 0;
  #left = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(config: RecordConfig, log: Logger, writer: RecordWriter) {
    this.config = config;
    this.#log = log;
    this.#writer = writer;
  }

  async start(): Promise<void> {
    await this.#writer.start();
    this.#isOpen = true;
  }

  /** To be called before the answer is sent; gives what to send, of which a body in pieces is looked at on its way. */
  answer(query: RecordedQuery, reply: Reply): Reply {
    const isWanted = this.#isOpen && Math.random() < this.config.share;
    if (!isWanted) return reply;
    const {body, status} = reply;
    const time = new Date(performance.timeOrigin + query.begun).toISOString();
    const take = (taken: Answer['body']): void => {
      const ms = Math.round(1000 * (performance.now() - query.begun)) / 1000;
      this.#take({query, time, status, ms, body: taken});
    };
    if (typeof body === 'string' || body instanceof Uint8Array) {
      take(body);
      return reply;
    }
    return {...reply, body: digested(body, take)};
  }

  /** Writes what waits. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#flush();
    await this.#writing;
    this.#isOpen = false;
    await this.#writer.stop();
  }

  #take(answer: Answer): void {
    const bytes = sizeOf(answer);
    if (this.#waitingBytes + bytes > WAITING_BYTES && this.#waiting.length > 0) {
      this.#left++;
      return;
    }
    this.#waiting.push(answer);
    this.#waitingBytes += bytes;
    this.#timer ??= setTimeout(() => this.#flush(), DELAY).unref();
  }

  #flush(): void {
    this.#timer = undefined;
    const answers = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (this.#left > 0) this.#log.warn('queries came faster than they can be recorded', {leftOut: this.#left});
    this.#left = 0;
    this.#writing = this.#writing.then(() => this.#write(answers));
  }

  async #write(answers: readonly Answer[]): Promise<void> {
    let lines = '';
    for (const answer of answers) {
      await pause();
      lines += lineOf(answer);
    }
    if (lines !== '' && this.#isOpen) this.#isOpen = await this.#writer.append(lines);
  }
}

function sizeOf({body}: Answer): number {
  return typeof body === 'string' || body instanceof Uint8Array ? body.length : 0;
}

function lineOf({query: {begun: _, ...query}, time, status, ms, body}: Answer): string {
  const isWhole = typeof body === 'string' || body instanceof Uint8Array;
  const {bytes, sha256} = isWhole
    ? {bytes: Buffer.byteLength(body), sha256: createHash('sha256').update(body).digest('hex')}
    : body;
  return `${JSON.stringify({time, ...query, status, bytes, ms, sha256})}\n`;
}

/** The same pieces. One that breaks off is no answer, and is not told of. */
async function* digested(
  pieces: AsyncIterable<string | Uint8Array>,
  take: (body: {readonly bytes: number; readonly sha256: string}) => void,
): AsyncGenerator<string | Uint8Array> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of pieces) {
    hash.update(piece);
    bytes += Buffer.byteLength(piece);
    yield piece;
  }
  take({bytes, sha256: hash.digest('hex')});
}
