import {AnyOrder, Measured, type Telling} from '../api/rehearsal.js';

/** Where two answers say something else, and what each says there; undefined where it has nothing. */
export interface RehearsedDifference {
  /** Such as `data.result[{"service":"songs"}].values.1700000040`. */
  readonly at: string;
  readonly old: string | undefined;
  readonly new: string | undefined;
}

/** What two answers have alike, and by which allowances. */
export interface RehearsedComparison {
  /** By `at`. */
  readonly differences: ReadonlyMap<string, RehearsedDifference>;
  /** The first value that is the same but for the tolerance. */
  readonly tolerated: RehearsedDifference | undefined;
  /** Whether lists without an order came in another one. */
  readonly isReordered: boolean;
}

/** Everything that two answers do not say alike. `tolerance` is relative, and for measured values alone. */
export function compareTellings(old: Telling, next: Telling, tolerance: number): RehearsedComparison {
  const comparer = new Comparer(tolerance);
  comparer.compare(old, next, '');
  return comparer;
}

class Comparer implements RehearsedComparison {
  readonly differences = new Map<string, RehearsedDifference>();
  tolerated: RehearsedDifference | undefined;
  isReordered = false;
  readonly #tolerance: number;

  constructor(tolerance: number) {
    this.#tolerance = tolerance;
  }

  compare(old: Telling | undefined, next: Telling | undefined, at: string): void {
    if (old === next) return;
    if (old instanceof Measured && next instanceof Measured) this.#measured(old, next, at);
    else if (old instanceof AnyOrder && next instanceof AnyOrder) this.#anyOrder(old, next, at);
    else if (isList(old) && isList(next)) {
      for (let i = 0; i < Math.max(old.length, next.length); i++) this.compare(old[i], next[i], `${at}[${i}]`);
    } else if (isMembers(old) && isMembers(next)) {
      for (const key of new Set([...Object.keys(old), ...Object.keys(next)])) {
        this.compare(own(old, key), own(next, key), joined(at, key));
      }
    } else this.#differ(old, next, at);
  }

  #measured(old: Measured, next: Measured, at: string): void {
    if (old.text === next.text) return;
    const [a, b] = [numberOf(old.text), numberOf(next.text)];
    if (Object.is(a, b)) return;
    const isNear = Math.abs(a - b) <= this.#tolerance * Math.max(Math.abs(a), Math.abs(b));
    // Between infinities there is no distance.
    if (isNear && Number.isFinite(a) && Number.isFinite(b)) this.tolerated ??= {at, old: old.text, new: next.text};
    else this.#differ(old, next, at);
  }

  #anyOrder(old: AnyOrder, next: AnyOrder, at: string): void {
    const [before, after] = [byKey(old), byKey(next)];
    for (const key of new Set([...before.keys(), ...after.keys()])) {
      this.compare(before.get(key), after.get(key), `${at}[${key}]`);
    }
    const [a, b] = [[...before.keys()], [...after.keys()]];
    if (a.length === b.length && a.some((key, i) => key !== b[i])) this.isReordered = true;
  }

  #differ(old: Telling | undefined, next: Telling | undefined, at: string): void {
    const path = at === '' ? 'body' : at;
    this.differences.set(path, {at: path, old: shown(old), new: shown(next)});
  }
}

function byKey({items}: AnyOrder): ReadonlyMap<string, Telling> {
  const map = new Map<string, Telling>();
  for (const [key, item] of items) {
    let name = key;
    for (let turn = 2; map.has(name); turn++) name = `${key} #${turn}`;
    map.set(name, item);
  }
  return map;
}

function isList(value: Telling | undefined): value is readonly Telling[] {
  return Array.isArray(value);
}

function isMembers(value: Telling | undefined): value is {readonly [key: string]: Telling} {
  const isObject = typeof value === 'object' && value !== null && !isList(value);
  return isObject && !(value instanceof Measured) && !(value instanceof AnyOrder);
}

function own(value: {readonly [key: string]: Telling}, key: string): Telling | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function joined(at: string, key: string): string {
  const name = /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
  return at === '' ? name : `${at}.${name}`;
}

/** As the protocols write numbers. */
function numberOf(text: string): number {
  const infinite = /^([+-]?)inf(inity)?$/i.exec(text);
  if (infinite === null) return Number(text);
  return infinite[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

const LONGEST = 500;

/** What is said at one place, as text that is not too long to read. */
export function shown(value: Telling | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = value instanceof Measured ? value.text : JSON.stringify(value, plain);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function plain(_key: string, value: unknown): unknown {
  if (value instanceof Measured) return value.text;
  return value instanceof AnyOrder ? value.items.map(([, item]) => item) : value;
}
