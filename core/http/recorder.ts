import type {IncomingMessage} from 'node:http';
import {isDeepStrictEqual} from 'node:util';
import type {Reply} from '../api/http.js';
import type {Logger} from '../api/telemetry.js';
import type {RecordConfig} from '../config/record.js';
import type {RecordFiles} from './record-file.js';
import {QueryRecording} from './recording.js';
import {pathOf} from './send.js';

/** A request that a route has answered. */
export interface AskedRequest {
  readonly request: IncomingMessage;
  readonly plugin: string;
  /** When its headers had come, on the clock of `performance.now()`. */
  readonly begun: number;
  /** The body, where it is a form. */
  readonly form: string;
}

/** Another file, open, before it takes the place of the one that is written. */
export interface PreparedRecording {
  put(): void;
  drop(): Promise<void>;
}

/** Where queries are recorded at present, if they are. A reload may change that. */
export class QueryRecorder {
  readonly #log: Logger;
  readonly #files: RecordFiles;
  #current: QueryRecording | undefined;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(log: Logger, files: RecordFiles) {
    this.#log = log;
    this.#files = files;
  }

  /** Rejects when the file cannot be opened; then nothing has changed. */
  async prepare(config: RecordConfig | undefined): Promise<PreparedRecording> {
    if (isDeepStrictEqual(config, this.#current?.config)) return {put: () => undefined, drop: async () => undefined};
    const next = config && new QueryRecording(config, this.#log, this.#files(config, this.#log));
    await next?.start();
    return {
      put: () => {
        const before = this.#current;
        this.#current = next;
        this.#ended = Promise.all([this.#ended, before?.stop()]);
      },
      drop: async () => next?.stop(),
    };
  }

  /** To be called before the answer is sent; gives what to send. */
  answer({request, plugin, begun, form}: AskedRequest, reply: Reply): Reply {
    if (this.#current === undefined) return reply;
    const {method = '', url = ''} = request;
    const mark = url.indexOf('?');
    const parameters = [mark < 0 ? '' : url.slice(mark + 1), form].filter(text => text !== '').join('&');
    return this.#current.answer({plugin, method, path: pathOf(request), parameters, begun}, reply);
  }

  /** Writes what waits. */
  async stop(): Promise<void> {
    await this.#ended;
    await this.#current?.stop();
    this.#current = undefined;
  }
}
