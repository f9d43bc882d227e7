import {
  type Call,
  type CompatSpanWriter,
  type EncodedOtlpSpans,
  GatewayError,
  type IngestLimits,
  type Meter,
  type OtlpSpan,
  type OtlpSpanWriter,
} from '../../core/api/plugin.js';
import {Addresses} from '../../core/toolkit/traces/addresses.js';
import {cooperate} from '../../core/toolkit/yielder.js';
import {CompatConverter} from './compat/converter.js';
import {decodeTraces, encodedTraces} from './decode/decode.js';
import {decodeSpans} from './decode/protobuf/spans.js';
import type {OtlpEncoding, PartialSuccess} from './encoding.js';
import {Rejections} from './rejections.js';

/** Where spans are written: one of them at least, or every request is refused. */
export interface SpanWriters {
  readonly otlp: OtlpSpanWriter | undefined;
  /** Undefined also where nobody asks for compat spans. */
  readonly compat: CompatSpanWriter | undefined;
}

/** What of a request can be stored. */
interface Batch {
  readonly count: number;
  /** Empty where nobody needs objects. */
  readonly spans: readonly OtlpSpan[];
  readonly encoded: EncodedOtlpSpans | undefined;
}

/** From the bytes of a request to the storage, whatever it came over. */
export class SpanIntake {
  readonly #writers: SpanWriters;
  readonly #spanTags: number;
  readonly #addresses = new Addresses();
  readonly #stored: {add(amount: number): void};
  readonly #cut: {add(amount: number): void};
  readonly #rejected;

  constructor(writers: SpanWriters, limits: IngestLimits, meter: Meter) {
    this.#writers = writers;
    this.#spanTags = limits.spanTags;
    const format = {format: 'otlp spans'};
    this.#stored = meter.counter('query_gateway_ingest_records_total', 'Records stored.', ['format']).with(format);
    this.#cut = meter
      .counter('query_gateway_ingest_cut_values_total', 'Values and lists too long, stored in part.', ['format'])
      .with(format);
    const help = 'Spans of OTLP that were rejected, the others of their request stored.';
    this.#rejected = meter.counter('query_gateway_otlp_rejected_spans_total', help, ['reason']);
  }

  /** Resolves when what can be stored of the request is, with what could not; undefined when that is nothing. */
  async take(bytes: Uint8Array, encoding: OtlpEncoding, call: Call): Promise<PartialSuccess | undefined> {
    this.#refuseWithoutWriter();
    const rejections = new Rejections();
    const batch = await this.#read(bytes, encoding, rejections, call);
    if (batch.count > 0) await this.#write(batch, call);
    this.#stored.add(batch.count);
    for (const [reason, count] of rejections.counts) this.#rejected.with({reason}).add(count);
    return rejections.partialSuccess;
  }

  /** Spans of protobuf stay as they came for a writer that takes them so. */
  async #read(bytes: Uint8Array, encoding: OtlpEncoding, {add}: Rejections, call: Call): Promise<Batch> {
    const {otlp, compat} = this.#writers;
    if (encoding === 'json' || otlp?.writeEncoded === undefined) {
      const spans = await cooperate(decodeTraces(bytes, encoding, add), call);
      return {count: spans.length, spans, encoded: undefined};
    }
    const encoded = await cooperate(encodedTraces(bytes, add), call);
    const spans = compat === undefined ? [] : await cooperate(decodeSpans(encoded), call);
    return {count: encoded.spans.length / 3, spans, encoded};
  }

  /** Sending again what was stored in part changes nothing of it, so one failure is that of the whole. */
  async #write({spans, encoded}: Batch, call: Call): Promise<void> {
    const {otlp, compat} = this.#writers;
    const results = await Promise.allSettled([
      encoded === undefined ? otlp?.write(spans, call) : otlp?.writeEncoded?.(encoded, call),
      compat === undefined ? undefined : this.#writeCompat(compat, spans, call),
    ]);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  async #writeCompat(writer: CompatSpanWriter, spans: readonly OtlpSpan[], call: Call): Promise<void> {
    const converter = new CompatConverter(this.#spanTags, this.#addresses);
    await writer.write(await cooperate(converter.convert(spans), call), call);
    this.#cut.add(converter.cut);
  }

  #refuseWithoutWriter(): void {
    const {otlp, compat} = this.#writers;
    if (otlp !== undefined || compat !== undefined) return;
    throw new GatewayError(
      'unsupported_backend',
      'the configured storage cannot take spans of OTLP: it does not supply the capability ingest.otlp.v1',
    );
  }
}
