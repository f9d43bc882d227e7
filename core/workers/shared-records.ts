import type {Logger} from '../api/telemetry.js';
import type {RecordConfig} from '../config/record.js';
import {RecordFile, type RecordWriter} from '../http/record-file.js';
import type {PrimaryCalls} from './calls.js';
import type {Channel} from './channel.js';

interface SharedRecord {
  readonly id: number;
  readonly key: string;
  readonly file: RecordFile;
  readonly opened: Promise<void>;
  readonly members: Set<object>;
  /** Ends with the latest write. */
  written: Promise<unknown>;
}

/** The files to which several processes record: this one writes them, so that every line is whole. */
export class SharedRecords {
  readonly #log: Logger;
  readonly #records = new Map<number, SharedRecord>();
  #ids = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Rejects where the file cannot be opened. */
  async open(member: object, config: RecordConfig): Promise<{readonly id: number}> {
    const record = this.#recordOf(config);
    record.members.add(member);
    try {
      await record.opened;
    } catch (error) {
      this.#records.delete(record.id);
      throw error;
    }
    return {id: record.id};
  }

  async append(id: number, lines: string): Promise<boolean> {
    const record = this.#records.get(id);
    if (record === undefined) return false;
    const written = record.written.then(() => record.file.append(lines));
    record.written = written;
    return written;
  }

  async close(member: object, id: number): Promise<void> {
    const record = this.#records.get(id);
    if (!record?.members.delete(member) || record.members.size > 0) return;
    this.#records.delete(id);
    await record.written;
    await record.file.stop();
  }

  /** The member has died. */
  async leave(member: object): Promise<void> {
    await Promise.all([...this.#records.keys()].map(id => this.close(member, id)));
  }

  #recordOf({file, maxSize, share}: RecordConfig): SharedRecord {
    const key = JSON.stringify([file, maxSize]);
    const known = [...this.#records.values()].find(record => record.key === key);
    if (known !== undefined) return known;
    const made = new RecordFile({file, maxSize, share}, this.#log);
    const id = ++this.#ids;
    const record = {id, key, file: made, opened: made.start(), members: new Set<object>(), written: Promise.resolve()};
    this.#records.set(id, record);
    return record;
  }
}

/** The writer of a worker. */
export class WorkerRecord implements RecordWriter {
  readonly #channel: Channel<PrimaryCalls>;
  readonly #config: RecordConfig;
  #id: number | undefined;

  constructor(channel: Channel<PrimaryCalls>, config: RecordConfig) {
    this.#channel = channel;
    this.#config = config;
  }

  async start(): Promise<void> {
    const {id} = await this.#channel.ask('openRecord', this.#config);
    this.#id = id;
  }

  async append(lines: string): Promise<boolean> {
    return this.#channel.ask('appendRecord', {id: this.#id ?? 0, lines}).catch(() => false);
  }

  async stop(): Promise<void> {
    const id = this.#id;
    this.#id = undefined;
    if (id !== undefined) await this.#channel.ask('closeRecord', {id}).catch(() => undefined);
  }
}
