import type {Call} from '../../api/call.js';
import type {Readers} from '../../api/capabilities.js';
import type {BadRecord, IngestFormat, Intake} from '../../api/ingest-format.js';
import type {LoadInput} from './input.js';

/** Records in one batch: enough to make its overhead small, and little enough memory for a few of them. */
const BATCH_RECORDS = 20_000;

/** Text in one batch, where records are large. */
const BATCH_BYTES = 8 * 1024 * 1024;

/** Batches that the storage works on while the next one is decoded. */
const BATCHES_IN_FLIGHT = 3;

/** Enough to hold a first line, or the beginning of one. */
const HEAD_BYTES = 64 * 1024;

export interface LoadContext {
  readonly formats: readonly IngestFormat[];
  readonly writers: Readers;
  readonly call: Call;
  /** Told of stored bytes as they are read. */
  readonly onRead: (bytes: number) => void;
  /** Told of stored records. */
  readonly onStored: (records: number) => void;
  readonly onBad: (bad: BadRecord) => void;
  /** Told of values that were too long and have been cut. */
  readonly onCut: (values: number) => void;
}

/**
 * Loads one input. Bad records are passed over; anything else that goes wrong rejects, and what came before it is
 * stored.
 */
export async function loadInput(input: LoadInput, context: LoadContext): Promise<void> {
  const chunks = input.chunks(context.onRead, context.call.signal)[Symbol.asyncIterator]();
  const head = await readHead(chunks);
  if (head.length < HEAD_BYTES && head.toString().trim() === '') return;
  const format = recognise(input.name, head, context.formats);
  const intake = await format.begin(context.writers, context.call);
  const batches = new Batches(intake, context.onStored);
  let bytes = 0;
  try {
    for (let chunk: Uint8Array | undefined = head; chunk !== undefined; chunk = await nextOf(chunks)) {
      await intake.decode(chunk, context.onBad);
      bytes += chunk.length;
      if (intake.pending < BATCH_RECORDS && bytes < BATCH_BYTES) continue;
      if (intake.pending > 0) await batches.write();
      bytes = 0;
    }
    await intake.finish(context.onBad);
  } finally {
    // Of a input that cannot be read to its end, too.
    if (intake.pending > 0) await batches.write();
    await batches.settle();
    context.onCut(intake.cut);
  }
}

/** The first bytes, fewer than asked for only when there are no more. */
async function readHead(chunks: AsyncIterator<Uint8Array>): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < HEAD_BYTES) {
    const chunk = await nextOf(chunks);
    if (chunk === undefined) break;
    head = Buffer.concat([head, chunk]);
  }
  return head;
}

async function nextOf(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  const {done, value} = await chunks.next();
  return done ? undefined : value;
}

/** By the first bytes; where they are wrong themselves, by an ending of the name that only one format has. */
function recognise(name: string, head: Uint8Array, formats: readonly IngestFormat[]): IngestFormat {
  const plain = name.toLowerCase().replace(/\.gz$/, '');
  const format =
    formats.find(each => each.recognises(head.subarray(0, HEAD_BYTES))) ??
    formats.find(({endings}) => endings.some(ending => plain.endsWith(ending)));
  if (format === undefined) {
    throw new Error(`is in no format that can be loaded; expected ${formats.map(each => each.name).join(' or ')}`);
  }
  return format;
}

/** Keeps a few writes in flight and reports the first that fails. */
class Batches {
  readonly #intake: Intake;
  readonly #onStored: (records: number) => void;
  readonly #inFlight: Promise<void>[] = [];

  constructor(intake: Intake, onStored: (records: number) => void) {
    this.#intake = intake;
    this.#onStored = onStored;
  }

  async write(): Promise<void> {
    const records = this.#intake.pending;
    const written = this.#intake.write().then(() => this.#onStored(records));
    // Awaited in its turn; until then a failure must not count as unhandled.
    written.catch(() => undefined);
    this.#inFlight.push(written);
    if (this.#inFlight.length >= BATCHES_IN_FLIGHT) await this.#inFlight.shift();
  }

  async settle(): Promise<void> {
    await Promise.all(this.#inFlight);
  }
}
