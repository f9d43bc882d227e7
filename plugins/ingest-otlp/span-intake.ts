import {
  type Call,
  type CompatSpanWriter,
  GatewayError,
  type IngestLimits,
  type Meter,
  type OtlpSpan,
  type OtlpSpanWriter,
} from '../../core/api/plugin.js';
import {Addresses} from '../../core/toolkit/traces/addresses.js';
import {cooperate} from '../../core/toolkit/yielder.js';
import {CompatConverter} from './compat/converter.js';
import {decodeTraces} from './decode/decode.js';
import type {OtlpEncoding, PartialSuccess} from './encoding.js';
import {Rejections} from './rejections.js';

/** Where spans are written: one of them at least, or every request is refused. */
export interface SpanWriters {
  readonly otlp: OtlpSpanWriter | undefined;
  /** Undefined also where nobody asks for compat spans. */
  readonly compat: CompatSpanWriter | undefined;
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
    const spans = await cooperate(decodeTraces(bytes, encoding, rejections.add), call);
    if (spans.length > 0) await this.#write(spans, call);
    this.#stored.add(spans.length);
    for (const [reason, count] of rejections.counts) this.#rejected.with({reason}).add(count);
    return rejections.partialSuccess;
  }

  /** Sending again what was stored in part changes nothing of it, so one failure is that of the whole. */
  async #write(spans: readonly OtlpSpan[], call: Call): Promise<void> {
    const {otlp, compat} = this.#writers;
    const results = await Promise.allSettled([
      otlp?.write(spans, call),
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
