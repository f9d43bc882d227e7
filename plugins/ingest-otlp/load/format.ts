import {
  type Call,
  GatewayError,
  type IngestFormat,
  type Intake,
  type OnBadRecord,
  type OtlpSpan,
  type OtlpSpanWriter,
  type Readers,
} from '../../../core/api/plugin.js';
import {cooperate, type Steps} from '../../../core/toolkit/yielder.js';
import {decodeTraces} from '../decode/decode.js';
import {placeOf} from '../rejections.js';
import {ObjectStream} from './object-stream.js';

/** The first key of a request in JSON. */
const REQUEST = /^\ufeff?\s*\{\s*"resourceSpans"\s*:/;

/** Traces of OTLP in files: a request in JSON, or one a line, as collectors write them. */
export const otlpFormat: IngestFormat = {
  name: 'OTLP spans in JSON',
  capability: 'ingest.otlp.v1',
  routes: [{path: '/v1/traces', status: 200}],
  endings: [],
  recognises: head => REQUEST.test(Buffer.from(head).toString()),
  begin: async (writers: Readers, call: Call) => {
    const writer = writers['ingest.otlp.v1'];
    if (writer === undefined) {
      throw new GatewayError(
        'unsupported_backend',
        'the configured storage cannot take OTLP spans: it does not supply the capability ingest.otlp.v1',
      );
    }
    return new RequestIntake(writer, call);
  },
};

/** Each span is a record, as are a request that is none and a line without one. */
class RequestIntake implements Intake {
  readonly cut = 0;
  readonly #writer: OtlpSpanWriter;
  readonly #call: Call;
  readonly #requests: ObjectStream;
  #spans: OtlpSpan[] = [];
  #index = 0;
  #onBad: OnBadRecord = () => undefined;

  constructor(writer: OtlpSpanWriter, call: Call) {
    this.#writer = writer;
    this.#call = call;
    this.#requests = new ObjectStream({
      object: (bytes, line) => this.#request(bytes, line),
      unreadable: (reason, line) => this.#bad(reason, line),
    });
  }

  get pending(): number {
    return this.#spans.length;
  }

  async decode(bytes: Uint8Array, onBad: OnBadRecord): Promise<void> {
    this.#onBad = onBad;
    await cooperate(this.#requests.push(bytes), this.#call);
  }

  async finish(onBad: OnBadRecord): Promise<void> {
    this.#onBad = onBad;
    await cooperate(this.#requests.end(), this.#call);
  }

  write(): Promise<void> {
    const spans = this.#spans;
    this.#spans = [];
    return this.#writer.write(spans, this.#call);
  }

  *#request(bytes: Uint8Array, line: number): Steps<void> {
    try {
      const onRejected = (rejected: Parameters<typeof placeOf>[0]): void =>
        this.#bad(`${placeOf(rejected)}: ${rejected.reason}`, line);
      const spans = yield* decodeTraces(bytes, 'json', onRejected);
      for (const span of spans) this.#spans.push(span);
      this.#index += spans.length;
    } catch (error) {
      if (!GatewayError.is(error) || (error.code !== 'bad_request' && error.code !== 'too_large')) throw error;
      this.#bad(error.message, line);
    }
  }

  #bad(reason: string, line: number): void {
    this.#onBad({index: this.#index++, line, reason});
  }
}
