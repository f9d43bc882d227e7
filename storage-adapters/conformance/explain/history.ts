import type {Readers} from '../../../core/api/adapter.js';
import type {DataSet} from '../options.js';

/** A call of a reader or a writer. */
interface Asked {
  readonly capability: string;
  readonly method: string;
  readonly request: unknown;
}

type Method = (...parameters: unknown[]) => unknown;

/** As many as concurrent reads are told of. */
const REMEMBERED = 3;

/** What was written to a store and what it was asked last, to be told where a test fails. */
export class History {
  readonly #written: DataSet[] = [];
  #asked: readonly Asked[] = [];
  #restarts = 0;

  get written(): readonly DataSet[] {
    return this.#written;
  }

  get asked(): readonly Asked[] {
    return this.#asked;
  }

  get restarts(): number {
    return this.#restarts;
  }

  noteWritten(data: DataSet): void {
    this.#written.push(data);
  }

  noteRestart(): void {
    this.#restarts++;
  }

  /** A test begins: what an earlier one has asked does not explain its failure. */
  beginTest(): void {
    this.#asked = [];
  }

  /** The same readers and writers, whose calls are noted. What is no object stays as it is: tests tell of that. */
  watch(readers: Readers): Readers {
    if (typeof readers !== 'object' || readers === null) return readers;
    return Object.fromEntries(
      Object.entries(readers).map(([capability, reader]) => [
        capability,
        typeof reader === 'object' && reader !== null ? this.#watched(capability, reader) : reader,
      ]),
    ) as Readers;
  }

  #watched(capability: string, reader: object): object {
    const methods = new Map<PropertyKey, Method>();
    return new Proxy(reader, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        const known = methods.get(name);
        if (known !== undefined) return known;
        const method: Method = (...parameters) => {
          this.#note(capability, String(name), parameters[0]);
          return member.apply(target, parameters);
        };
        methods.set(name, method);
        return method;
      },
    });
  }

  #note(capability: string, method: string, request: unknown): void {
    if (method === 'write') this.noteWritten({[KEYS[capability] ?? 'metrics']: [request]});
    else this.#asked = [...this.#asked.slice(1 - REMEMBERED), {capability, method, request}];
  }
}

const KEYS: Readonly<Record<string, keyof DataSet>> = {
  'ingest.metrics.v1': 'metrics',
  'ingest.compat.v1': 'spans',
  'ingest.native.v1': 'segments',
  'ingest.otlp.v1': 'otlpSpans',
};
