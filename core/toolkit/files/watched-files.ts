import {setTimeout as sleep} from 'node:timers/promises';
import {GatewayError} from '../../api/errors.js';
import type {Gauge, Logger, Meter} from '../../api/telemetry.js';
import {every} from '../periodic.js';
import {MS_PER_SECOND} from '../time.js';
import {type FileReading, type FileSet, isSame, judged, type Look, lookLater, lookNow} from './file-set.js';

/** Milliseconds between two looks, and before what has changed is looked at again; together what a change may take. */
const INTERVAL = MS_PER_SECOND / 2;
const SETTLING = MS_PER_SECOND / 10;
/** Files that change all the time are taken as they are after so many looks. */
const MOST_LOOKS = 8;

export interface WatchedFilesOptions {
  /** What the files are for, in log lines and in `query_gateway_reload_success{what}`: `tls:metrics`, `access`. */
  readonly what: string;
  readonly log: Logger;
  /** 1 while what the files say is in use, 0 while it cannot be. */
  readonly success?: Gauge | undefined;
}

/** The gauge of one set of files. */
export function reloadSuccess(meter: Meter, what: string): Gauge {
  const help = 'Whether the files are in use as they are (1), or cannot be used and the last good ones stay (0).';
  return meter.gauge('query_gateway_reload_success', help, ['what'], 'least').with({what});
}

/**
 * What files say, read again when their content changes: also when a symlink on their path leads elsewhere, as it does
 * when Kubernetes changes a secret. Content counts once two looks in a row have seen the same, so that files are not taken
 * while they are written; files that are torn, missing or wrong leave what was good in place, with one warning. A change
 * is in use within 1.5 s.
 */
export class WatchedFiles<Value> {
  readonly #set: FileSet<Value>;
  readonly #options: WatchedFilesOptions;
  readonly #listeners = new Set<(value: Value) => void>();
  readonly #stopped = new AbortController();
  #value: Value;
  /** What `#value` was made of. */
  #good: Look;
  /** What was judged last: the same again needs no word. */
  #known: Look;

  /** Reads the files, and throws a `GatewayError` when they cannot be used. */
  constructor(set: FileSet<Value>, options: WatchedFilesOptions) {
    this.#set = set;
    this.#options = options;
    this.#good = lookNow(set.files);
    this.#known = this.#good;
    this.#value = usable(judged(set, this.#good));
    options.success?.set(1);
    if (set.files.length > 0) void every(INTERVAL, this.#stopped.signal, () => this.#look(), {first: INTERVAL});
  }

  /** What the files said when they last could be used. */
  get value(): Value {
    return this.#value;
  }

  /** Told of every change; `listener` must not throw. Gives what ends that. */
  onChange(listener: (value: Value) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Ends the watch. Safe twice. */
  close(): void {
    this.#stopped.abort();
  }

  async #look(): Promise<void> {
    const {signal} = this.#stopped;
    const {files} = this.#set;
    let seen = await lookLater(files);
    for (let looks = 1; looks < MOST_LOOKS && !isSame(seen, this.#known); looks++) {
      await sleep(SETTLING, undefined, {signal}).catch(() => undefined);
      const again = await lookLater(files);
      const isSettled = isSame(again, seen);
      seen = again;
      if (isSettled) break;
    }
    if (signal.aborted || isSame(seen, this.#known)) return;
    this.#known = seen;
    this.#judge(seen);
  }

  #judge(seen: Look): void {
    const {what, log, success} = this.#options;
    const reading = judged(this.#set, seen);
    success?.set(reading.mistakes === undefined ? 1 : 0);
    if (reading.mistakes !== undefined) {
      log.warn('files that have changed cannot be used, the last good ones stay', {what, problem: textOf(reading)});
      return;
    }
    log.info('files that have changed are in use', {what});
    if (isSame(seen, this.#good)) return;
    this.#good = seen;
    this.#value = reading.value;
    for (const listener of this.#listeners) listener(reading.value);
  }
}

function usable<Value>(reading: FileReading<Value>): Value {
  if (reading.mistakes === undefined) return reading.value;
  throw new GatewayError('storage_failed', textOf(reading));
}

const textOf = ({mistakes = []}: FileReading<unknown>): string =>
  mistakes.map(({key, message}) => `${key} ${message}`).join('; ');
