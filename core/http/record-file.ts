import {type FileHandle, open} from 'node:fs/promises';
import {GatewayError} from '../api/errors.js';
import type {LogFields, Logger} from '../api/telemetry.js';
import type {RecordConfig} from '../config/record.js';
import {quote} from '../toolkit/messages.js';

const LINE_END = '\n'.charCodeAt(0);
/** Who asked may read the answers, whoever else is on the machine may not. */
const FILE_MODE = 0o600;

/** Where lines of a record go. */
export interface RecordWriter {
  /** Rejects with a `GatewayError` where the file cannot be opened. */
  start(): Promise<void>;
  /** Whole lines, one call after the other. Never rejects; false when no more are written. */
  append(lines: string): Promise<boolean>;
  stop(): Promise<void>;
}

/** Makes writers, none of them open. */
export type RecordFiles = (config: RecordConfig, log: Logger) => RecordWriter;

/** A file that grows at its end up to `record.maxSize`. One process writes to it. */
export class RecordFile implements RecordWriter {
  readonly #config: RecordConfig;
  readonly #log: Logger;
  #file: FileHandle | undefined;
  #size = 0;

  constructor(config: RecordConfig, log: Logger) {
    this.#config = config;
    this.#log = log;
  }

  /** Goes on at the end of the file, or makes it. */
  async start(): Promise<void> {
    const {file: path} = this.#config;
    const file = await open(path, 'a+', FILE_MODE).catch(cause => {
      throw new GatewayError('storage_failed', `record.file ${quote(path)} cannot be opened`, {cause});
    });
    this.#file = file;
    this.#size = (await file.stat()).size;
    if (this.#size === 0) return;
    const last = Buffer.alloc(1);
    await file.read(last, 0, 1, this.#size - 1);
    // What a process that was killed has left of a line stays one that nobody can read.
    if (last[0] !== LINE_END) await this.append('\n');
  }

  /** As many lines as the file has room for. */
  async append(lines: string): Promise<boolean> {
    try {
      await this.#append(lines);
    } catch (error) {
      await this.#end('the queries cannot be recorded, and no more are', {err: error});
    }
    return this.#file !== undefined;
  }

  async stop(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  async #append(lines: string): Promise<void> {
    const {maxSize, file} = this.#config;
    const bytes = Buffer.from(lines);
    const room = maxSize - this.#size;
    const fitting =
      bytes.length <= room ? bytes : bytes.subarray(0, bytes.lastIndexOf(LINE_END, Math.max(0, room - 1)) + 1);
    if (room > 0 && fitting.length > 0) await this.#file?.appendFile(fitting);
    this.#size += room > 0 ? fitting.length : 0;
    if (fitting.length < bytes.length || room <= 0) {
      await this.#end('record.file has reached record.maxSize: no more queries are recorded', {file, maxSize});
    }
  }

  async #end(message: string, fields: LogFields): Promise<void> {
    if (this.#file !== undefined) this.#log.warn(message, fields);
    await this.stop();
  }
}
