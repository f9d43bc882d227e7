import {readFileSync, statSync} from 'node:fs';
import {readFile, stat} from 'node:fs/promises';
import type {ConfigMistake} from '../../api/json-schema.js';

/** A file, and the key of the configuration that names it, for messages. */
export interface NamedFile {
  readonly key: string;
  readonly path: string;
}

/** What files say, or everything that keeps them from being used. */
export type FileReading<Value> =
  | {readonly value: Value; readonly mistakes?: undefined}
  | {readonly mistakes: readonly ConfigMistake[]};

/** Files that are read and used together, such as a certificate and its key. */
export interface FileSet<Value> {
  readonly files: readonly NamedFile[];
  /** What they say, from the content of each in the order of `files`. Pure, and must not throw. */
  readonly parse: (contents: readonly Buffer[]) => FileReading<Value>;
}

/** Of each file its content, or why there is none. */
export type Look = readonly (Buffer | string)[];

/** Bytes. More is a slip, and reading it again and again would cost. */
const LARGEST = 16 * 2 ** 20;

/** Reads the files once, for `checkConfig`. */
export function readFiles<Value>(set: FileSet<Value>): FileReading<Value> {
  return judged(set, lookNow(set.files));
}

export function lookNow(files: readonly NamedFile[]): Look {
  return files.map(({path}) => {
    try {
      return problemOf(statSync(path)) ?? readFileSync(path);
    } catch (error) {
      return reasonOf(error);
    }
  });
}

export function lookLater(files: readonly NamedFile[]): Promise<Look> {
  const content = async ({path}: NamedFile) => problemOf(await stat(path)) ?? (await readFile(path));
  return Promise.all(files.map(file => content(file).catch(reasonOf)));
}

export function isSame(one: Look, other: Look): boolean {
  return one.every((content, i) => {
    const another = other[i];
    return typeof content === 'string' || typeof another !== 'object' ? content === another : content.equals(another);
  });
}

/** A file that cannot be read is a mistake by itself; otherwise what the set makes of the contents. */
export function judged<Value>({files, parse}: FileSet<Value>, look: Look): FileReading<Value> {
  const mistakes = files.flatMap(({key, path}, i) => {
    const content = look[i];
    return typeof content === 'string' ? [{key, message: `names ${path}, which ${content}`}] : [];
  });
  return mistakes.length > 0 ? {mistakes} : parse(look as readonly Buffer[]);
}

/** A pipe would never end, and a device neither. */
function problemOf(stats: {isFile(): boolean; readonly size: number}): string | undefined {
  if (!stats.isFile()) return 'is no file';
  return stats.size > LARGEST ? `has ${stats.size} bytes, more than ${LARGEST}` : undefined;
}

function reasonOf(error: unknown): string {
  const {code, message} = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'does not exist';
  return `cannot be read: ${code === 'EACCES' ? 'permission denied' : message}`;
}
