import {createHash} from 'node:crypto';
import {isDeepStrictEqual} from 'node:util';
import type {Call, Column, MetadataReader, NamePages, OtlpSearchRequest} from '../../core/api/adapter.js';
import {call} from './call.js';
import type {TestContext} from './runner.js';

/**
 * A value in the form in which it is compared: maps as arrays of their entries, typed arrays as arrays, no members that
 * are undefined, no prototypes, and one zero. What adapters may do differently is gone; order is not.
 */
export function comparable(value: unknown): unknown {
  if (typeof value === 'number') return value + 0;
  if (typeof value === 'string' && value.length > LONG) return shortened(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Map) return [...value].map(comparable);
  if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array, comparable);
  if (Array.isArray(value)) return value.map(comparable);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, comparable(member)]),
  );
}

/** A difference between two longer texts helps nobody. */
const LONG = 1000;

function shortened(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex');
  return `${text.slice(0, 40)}… (${text.length} characters, SHA-256 ${digest})`;
}

/** A value as it is compared, behind its text. */
export type Shown = readonly [text: string, value: unknown];

export function shownOf(value: unknown): Shown {
  const shown = comparable(value);
  return [JSON.stringify(shown, (_, part) => (typeof part === 'bigint' ? `${part}n` : part)) ?? '', shown];
}

/** Sorts what has no order of its own. */
export function unordered(values: readonly unknown[]): readonly unknown[] {
  return inOrderOfText(values.map(shownOf));
}

/** The same, each value once. */
export function unorderedOnce(values: readonly Shown[]): readonly unknown[] {
  return inOrderOfText([...new Map(values)]);
}

function inOrderOfText(values: readonly Shown[]): readonly unknown[] {
  return values.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, value]) => value);
}

/** A column with null where there is no value. */
export interface ComparableColumn {
  readonly labels: Readonly<Record<string, string>>;
  readonly values: readonly (number | null)[];
}

export function comparableColumns(columns: readonly Column[]): readonly unknown[] {
  return unordered(
    columns.map(({labels, values, present}) => ({
      labels,
      values: Array.from(values, (value, i) => (present[i] === 1 ? value : null)),
    })),
  );
}

/** Compares long lists, and shows where they part in place of all that differs. */
export function sameList(t: TestContext, found: readonly unknown[], expected: readonly unknown[], what: string): void {
  const length = Math.max(found.length, expected.length);
  let i = 0;
  while (i < length && isSame(found[i], expected[i])) i++;
  const part = (list: readonly unknown[]) => list.slice(i, i + 3).map(comparable);
  t.deepEqual(part(found), part(expected), `${what}, from number ${i} on`);
  t.is(found.length, expected.length, `the length of ${what}`);
}

/** Most values are the same as they are, which is seen in less time. */
function isSame(found: unknown, expected: unknown): boolean {
  return isDeepStrictEqual(found, expected) || isDeepStrictEqual(comparable(found), comparable(expected));
}

/** The names of all pages. */
export async function namesOf(pages: NamePages): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const page of pages) names.push(...page);
  return names;
}

/** Every service of a layer. */
export function servicesOf(metadata: MetadataReader, layer: string): Promise<readonly string[]> {
  return namesOf(metadata.services({layer}, call));
}

/** Everything that a search yields. */
export async function searched<Trace>(
  reader: {search(request: OtlpSearchRequest, call: Call): AsyncIterable<Trace>},
  request: OtlpSearchRequest,
  by: Call = call,
): Promise<readonly Trace[]> {
  const traces: Trace[] = [];
  for await (const trace of reader.search(request, by)) traces.push(trace);
  return traces;
}
