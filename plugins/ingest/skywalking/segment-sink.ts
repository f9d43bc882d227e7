import {
  type Counter,
  GatewayError,
  type IngestLimits,
  type Logger,
  type Meter,
  type PluginLimits,
  type Segment,
  type SegmentWriter,
} from '../../../core/api/plugin.js';
import {BatchQueue} from '../../../core/toolkit/batch-queue.js';
import {LogOnce} from '../../../core/toolkit/log-once.js';
import {ContentBudget} from '../../../core/toolkit/traces/content-budget.js';
import {readSegmentMessage} from './segment-message.js';

/** How long segments are gathered before they are stored together: an agent sends each by itself. */
const GATHER_MS = 50;

/** Bytes of messages that are stored together, and that may wait. */
const TOGETHER = 4 * 1024 * 1024;
const MOST_WAITING = 64 * 1024 * 1024;

interface SegmentMessage {
  readonly segment: Segment;
  readonly bytes: number;
}

export interface SinkServices {
  readonly log: Logger;
  readonly meter: Meter;
  readonly limits: IngestLimits & Pick<PluginLimits, 'ingestTimeout'>;
}

/** Where the segments of all agents come together: read, and stored in batches. */
export class SegmentSink {
  readonly #writer: SegmentWriter;
  readonly #log: Logger;
  readonly #timeout: number;
  readonly #spanTags: number;
  readonly #stored: Counter;
  readonly #cut: Counter;
  readonly #refused: Counter;
  readonly #once = new LogOnce();
  readonly #queue: BatchQueue<SegmentMessage>;

  constructor(writer: SegmentWriter, {log, meter, limits}: SinkServices) {
    this.#writer = writer;
    this.#log = log;
    this.#timeout = limits.ingestTimeout;
    this.#spanTags = limits.spanTags;
    const format = {format: 'native segments'};
    const counter = (name: string, help: string): Counter => meter.counter(name, help, ['format']).with(format);
    this.#stored = counter('query_gateway_ingest_records_total', 'Records stored.');
    this.#cut = counter('query_gateway_ingest_cut_values_total', 'Values and lists too long, stored in part.');
    this.#refused = counter(
      'query_gateway_ingest_refused_records_total',
      'Records refused, the others of their body stored.',
    );
    this.#queue = new BatchQueue<SegmentMessage>({
      storage: 'configured',
      unit: 'bytes of segments',
      size: ({bytes}) => bytes,
      limit: MOST_WAITING,
      together: TOGETHER,
      store: messages => this.#store(messages),
      pace: () => new Promise(resolve => setTimeout(resolve, GATHER_MS)),
    });
  }

  /**
   * Resolves when the segment of a message is stored, and at once when it cannot be: that is counted and logged, because
   * an agent could do nothing about it. Rejects when it may be sent again. `peer` is the host of the agent.
   */
  async take(bytes: Buffer, peer: string): Promise<void> {
    const contents = new ContentBudget(this.#spanTags);
    let segment: Segment;
    try {
      segment = readSegmentMessage(bytes, contents);
    } catch (error) {
      this.refuse(GatewayError.from(error).message, peer);
      return;
    }
    await this.#queue.write({segment, bytes: bytes.length});
    this.#stored.add();
    if (contents.cut > 0) this.#cut.add(contents.cut);
  }

  /** Counts and logs a segment that cannot be stored, or not even be read. */
  refuse(reason: string, peer: string): void {
    this.#refused.add();
    const text = 'a segment of an agent is refused; query_gateway_ingest_refused_records_total counts them';
    if (this.#once.begins(peer, reason)) this.#log.warn(text, {peer, reason});
  }

  #store(messages: readonly SegmentMessage[]): Promise<void> {
    const call = {signal: AbortSignal.timeout(this.#timeout), log: this.#log};
    return this.#writer.write(
      messages.map(({segment}) => segment),
      call,
    );
  }
}
