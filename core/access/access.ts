import type {AccessCheck, Verdict} from '../api/access.js';
import type {Logger, Meter} from '../api/telemetry.js';
import {type AccessConfig, type AccessEntries, accessFile} from '../config/access.js';
import {reloadSuccess, WatchedFiles} from '../toolkit/files/watched-files.js';
import {AccessTable} from './access-table.js';
import {Passwords} from './passwords.js';

/** Another configuration, read and ready. */
export interface PreparedAccess {
  /** Puts it in the place of the one before, at once. */
  put(): void;
  /** Forgets it, when something else has failed. */
  drop(): void;
}

/**
 * Who may use the gateway, now: the table of the configuration and of its access file, which is read again when it changes.
 * One object for the life of a process, whatever configurations come and go:
 *
 *     const access = new Access(log, meter);
 *     const prepared = access.prepare(config.access);
 *     …what else can fail, and prepared.drop() if it does…
 *     prepared.put();
 *     const verdict = await access.table?.check(authorization);
 */
export class Access implements AccessCheck {
  readonly #log: Logger;
  readonly #meter: Meter;
  /** Kept over a change of the configuration: what is known to be right needs no other check. */
  readonly #passwords = new Passwords();
  readonly #listeners = new Set<() => void>();
  #table: AccessTable | undefined;
  #file: WatchedFiles<AccessEntries> | undefined;

  constructor(log: Logger, meter: Meter) {
    this.#log = log;
    this.#meter = meter;
  }

  /** The table of this moment, to be asked and not to be kept; undefined when nobody is asked who they are. */
  get table(): AccessTable | undefined {
    return this.#table;
  }

  /** Who is behind credentials, for a plugin that asks itself. */
  check(authorization: string | undefined): Verdict | undefined | Promise<Verdict> {
    return this.#table?.check(authorization);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Reads what the configuration names. Throws a `GatewayError` where the file cannot be used. Nothing changes yet. */
  prepare(config: AccessConfig | undefined): PreparedAccess {
    if (config === undefined) return {put: () => this.#put(undefined, undefined), drop: () => undefined};
    const file = config.file === undefined ? undefined : this.#open({...config, file: config.file});
    const put = (): void => {
      this.#put(this.#tableOf(config, file?.value), file);
      file?.onChange(entries => {
        this.#change(this.#tableOf(config, entries));
      });
    };
    return {put, drop: () => file?.close()};
  }

  async stop(): Promise<void> {
    this.#file?.close();
    await this.#passwords.stop();
  }

  #put(table: AccessTable | undefined, file: WatchedFiles<AccessEntries> | undefined): void {
    this.#file?.close();
    this.#file = file;
    this.#change(table);
  }

  #change(table: AccessTable | undefined): void {
    this.#table = table;
    for (const listener of this.#listeners) listener();
  }

  #tableOf(config: AccessConfig, file: AccessEntries | undefined): AccessTable {
    const {tokens, users} = file ?? {tokens: [], users: []};
    const all = {tokens: [...config.tokens, ...tokens], users: [...config.users, ...users]};
    if (all.tokens.length + all.users.length === 0) {
      const {file: path} = config;
      this.#log.warn('access has no tokens and no users; whoever asks is refused', path === undefined ? {} : {path});
    }
    return new AccessTable(all, this.#passwords);
  }

  #open(config: AccessConfig & {readonly file: string}): WatchedFiles<AccessEntries> {
    const what = 'access';
    return new WatchedFiles(accessFile(config), {what, log: this.#log, success: reloadSuccess(this.#meter, what)});
  }
}
