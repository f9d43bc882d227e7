/** The first place where two answers differ. */
export interface TeeDifference {
  /** As `[0].values[3]`; empty where the answers are of different kinds. */
  readonly at: string;
  readonly primary: unknown;
  readonly secondary: unknown;
}

/** Members that hold values of metrics, to which a tolerance applies. */
const VALUES = new Set(['value', 'values']);

/**
 * Compares two answers member by member; what is undefined is absent. Without a tolerance numbers are the same when no
 * operation tells them apart, so 0 is not -0 and NaN is NaN.
 */
export function difference(primary: unknown, secondary: unknown, tolerance?: number): TeeDifference | undefined {
  return compare(primary, secondary, '', tolerance, false);
}

function compare(a: unknown, b: unknown, at: string, tolerance: number | undefined, isValue: boolean) {
  if (Object.is(a, b)) return undefined;
  if (typeof a === 'number' && typeof b === 'number') {
    const isNear = tolerance !== undefined && isValue && near(a, b, tolerance);
    return isNear ? undefined : {at, primary: a, secondary: b};
  }
  if (!isObject(a) || !isObject(b) || isList(a) !== isList(b)) return {at, primary: a, secondary: b};
  return isList(a) && isList(b)
    ? compareLists(a, b, at, tolerance, isValue)
    : compareMembers(membersOf(a), membersOf(b), at, tolerance);
}

type List = ArrayLike<unknown>;

function compareLists(
  a: List,
  b: List,
  at: string,
  tolerance: number | undefined,
  isValue: boolean,
): TeeDifference | undefined {
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const found = compare(a[i], b[i], `${at}[${i}]`, tolerance, isValue);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Members = ReadonlyMap<string, unknown>;

function compareMembers(a: Members, b: Members, at: string, tolerance: number | undefined): TeeDifference | undefined {
  for (const key of new Set([...a.keys(), ...b.keys()])) {
    const found = compare(a.get(key), b.get(key), at === '' ? key : `${at}.${key}`, tolerance, VALUES.has(key));
    if (found !== undefined) return found;
  }
  return undefined;
}

function membersOf(value: object): Members {
  return value instanceof Map ? value : new Map(Object.entries(value));
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function isList(value: object): value is List {
  return Array.isArray(value) || ArrayBuffer.isView(value);
}

/** Of numbers that are not the same: 0 and -0, or an infinity and anything, are never near. */
function near(a: number, b: number, tolerance: number): boolean {
  if (a === b || !Number.isFinite(a) || !Number.isFinite(b)) return false;
  return Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b));
}
