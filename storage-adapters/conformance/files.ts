import {lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, isAbsolute, join} from 'node:path';

/** The files of a store: their paths and what is in them. */
export type Files = ReadonlyMap<string, Buffer>;

/** The files and folders that a configuration names by absolute paths, as far as they exist. */
export function placesIn(config: unknown): readonly string[] {
  if (typeof config === 'string') return isAbsolute(config) && isPlace(config) ? [config] : [];
  if (typeof config !== 'object' || config === null) return [];
  return [...new Set(Object.values(config).flatMap(placesIn))];
}

function isPlace(path: string): boolean {
  const found = lstatSync(path, {throwIfNoEntry: false});
  return found?.isFile() === true || found?.isDirectory() === true;
}

export function readFiles(places: readonly string[]): Files {
  const found = new Map<string, Buffer>();
  const read = (path: string): void => {
    const stat = lstatSync(path, {throwIfNoEntry: false});
    if (stat?.isFile()) found.set(path, readFileSync(path));
    if (stat?.isDirectory()) for (const name of readdirSync(path)) read(join(path, name));
  };
  for (const place of places) read(place);
  return found;
}

/** Makes the files of places what they were. */
export function restoreFiles(places: readonly string[], files: Files): void {
  for (const path of readFiles(places).keys()) if (!files.has(path)) rmSync(path);
  for (const [path, content] of files) {
    mkdirSync(dirname(path), {recursive: true});
    writeFileSync(path, content);
  }
}

/**
 * The one file that has grown at its end while no other has changed: a journal. Undefined when the store is kept in
 * another way, in which a file that is cut says nothing about a process that was killed.
 */
export function grownFile(before: Files, after: Files): string | undefined {
  const paths = new Set([...before.keys(), ...after.keys()]);
  const changed = [...paths].filter(path => !isSame(before.get(path), after.get(path)));
  const [path = ''] = changed;
  const [old, grown] = [before.get(path), after.get(path)];
  if (changed.length !== 1 || old === undefined || old.length === 0 || grown === undefined) return undefined;
  return grown.length > old.length && grown.subarray(0, old.length).equals(old) ? path : undefined;
}

function isSame(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a !== undefined && b !== undefined && a.equals(b);
}
