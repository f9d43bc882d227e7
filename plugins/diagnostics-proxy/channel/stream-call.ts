import type {Metadata, ServerDuplexStream, sendUnaryData} from '@grpc/grpc-js';
import type {OpenCall} from '../registry/registered-agent.js';

export type RawCall = ServerDuplexStream<Buffer, object>;

/** One stream of an agent: guards against writing to a peer that has gone, and ends once. */
export class StreamCall implements OpenCall {
  readonly #call: RawCall;
  #ended = false;

  constructor(call: RawCall) {
    this.#call = call;
    // Without a listener, an error of a peer that vanishes would end the process.
    call.on('error', () => this.#over());
    call.on('cancelled', () => this.#over());
    call.on('close', () => this.#over());
    call.on('end', () => this.end());
  }

  get metadata(): Metadata {
    return this.#call.metadata;
  }

  get peer(): string {
    return this.#call.getPeer();
  }

  /** The address of the other end, without its port. */
  get host(): string {
    return this.peer.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  }

  onMessage(take: (bytes: Buffer) => void): void {
    this.#call.on('data', (bytes: Buffer) => {
      if (!this.#ended) take(bytes);
    });
  }

  /** Called once, however the stream ends. */
  onEnd: () => void = () => undefined;

  write(message: object): void {
    if (!this.#ended && this.#call.writable) this.#call.write(message);
  }

  /** Ends the call with OK. */
  end(): void {
    if (this.#ended) return;
    this.#over();
    this.#call.end();
  }

  fail(code: number, details: string): void {
    if (this.#ended) return;
    this.#over();
    this.#call.emit('error', {code, details} satisfies Partial<Parameters<sendUnaryData<object>>[0]>);
  }

  #over(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.onEnd();
  }
}
