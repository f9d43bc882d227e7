import {open, readFile, rename, rm} from 'node:fs/promises';
import {dirname} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {quote} from '../toolkit/messages.js';
import type {CopyCounts} from './kind.js';

/** How far the copy of one kind has come. */
export interface KindState {
  /** The `resume` of the last page that the target has; absent before the first. */
  readonly after?: string;
  readonly ended: boolean;
  readonly counts: CopyCounts;
}

/** Which copy it is: a state of another one says nothing of it. */
export interface CopyIdentity {
  readonly from: string;
  readonly to: string;
  /** Unix seconds, or null for no bound. */
  readonly since: number | null;
  readonly until: number | null;
}

export interface CopyState extends CopyIdentity {
  readonly version: 1;
  /** Unix seconds, where it is known: what lies between the first and the last sight of an entity. */
  readonly extent: readonly [first: number, last: number] | null;
  readonly kinds: Readonly<Record<string, KindState>>;
}

const WHAT = {from: 'the storage of --from', to: 'the storage of --to', since: '--since', until: '--until'} as const;

/** The file in which a copy that has been ended finds where it was. */
export class CopyCheckpoint {
  readonly file: string;
  readonly #identity: CopyIdentity;

  constructor(file: string, identity: CopyIdentity) {
    this.file = file;
    this.#identity = identity;
  }

  /** The state of an earlier run, or that of a beginning. Rejects for a file that is torn or of another copy. */
  async read(): Promise<CopyState> {
    const text = await readFile(this.file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw new Error(`the checkpoint ${this.file} cannot be read: ${error.message}`, {cause: error});
    });
    if (text === undefined) return {version: 1, ...this.#identity, extent: null, kinds: {}};
    const state = parsed(text);
    if (state === undefined) {
      throw new Error(`the checkpoint ${this.file} is torn or none at all; remove it to copy from the beginning`);
    }
    for (const key of ['from', 'to', 'since', 'until'] as const) {
      if (isDeepStrictEqual(state[key], this.#identity[key])) continue;
      const [found, expected] = [state[key] ?? 'none', this.#identity[key] ?? 'none'].map(value => quote(value, 300));
      const hint = 'finish that copy, name another file with --checkpoint, or remove this one';
      throw new Error(
        `the checkpoint ${this.file} is of another copy: ${WHAT[key]} is ${found} there, and ${expected} here; ${hint}`,
      );
    }
    return state;
  }

  /** Whole or not at all, also when the machine loses its power. Rejects with the file's name. */
  async write(state: CopyState): Promise<void> {
    await this.#replace(state).catch((error: Error) => {
      throw new Error(`the checkpoint ${this.file} cannot be written: ${error.message}`, {cause: error});
    });
  }

  async #replace(state: CopyState): Promise<void> {
    const fresh = `${this.file}.new`;
    const file = await open(fresh, 'w', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(state, null, 2)}\n`);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(fresh, this.file);
    const folder = await open(dirname(this.file), 'r');
    await folder.sync().finally(() => folder.close());
  }

  /** The copy is complete. */
  async remove(): Promise<void> {
    await rm(this.file, {force: true});
  }
}

function parsed(text: string): CopyState | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const {version, kinds, extent} = (value ?? {}) as Partial<CopyState>;
  const isWhole =
    version === 1 && typeof kinds === 'object' && kinds !== null && (extent === null || Array.isArray(extent));
  return isWhole && Object.values(kinds).every(isKindState) ? (value as CopyState) : undefined;
}

function isKindState(value: unknown): boolean {
  const {after, ended, counts} = (value ?? {}) as Partial<KindState>;
  const isAfter = after === undefined || typeof after === 'string';
  return isAfter && typeof ended === 'boolean' && typeof counts === 'object' && counts !== null;
}
