export type SeriesLabels = Readonly<Record<string, string>>;
export type Point = readonly [seconds: number, value: string];

/** The data of an answer to a query. */
export type QueryData =
  | {readonly resultType: 'vector'; readonly result: readonly {readonly metric: SeriesLabels; readonly value: Point}[]}
  | {
      readonly resultType: 'matrix';
      readonly result: readonly {readonly metric: SeriesLabels; readonly values: readonly Point[]}[];
    }
  | {readonly resultType: 'scalar' | 'string'; readonly result: Point};

/** One line of a plot. */
export interface PlotSeries {
  readonly name: string;
  readonly points: readonly Point[];
  /** Of the day before, moved to today. */
  readonly isOlder: boolean;
}

/** A series as the query language writes it. */
export function nameOf({__name__: metric = '', ...labels}: SeriesLabels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  if (parts.length === 0) return metric === '' ? '{}' : metric;
  return `${metric}{${parts.join(', ')}}`;
}

/** A plot's columns: one list of times, and per series a value or nothing at each. */
export interface Grid {
  readonly times: readonly number[];
  readonly values: readonly (readonly (number | null)[])[];
  /** Seconds between neighbours. */
  readonly step: number;
}

const MOST_STEPS = 20_000;
const MINUTE = 60;

/** Brings series onto one axis of times, on which what is missing shows as a gap. */
export function gridOf(series: readonly PlotSeries[]): Grid {
  const all = new Set<number>();
  for (const {points} of series) for (const [at] of points) all.add(at);
  const sorted = [...all].sort((a, b) => a - b);
  const [first, last] = [sorted[0], sorted[sorted.length - 1]];
  if (first === undefined || last === undefined) return {times: [], values: series.map(() => []), step: MINUTE};
  let step = Number.POSITIVE_INFINITY;
  for (let i = 1; i < sorted.length; i++) step = Math.min(step, (sorted[i] ?? 0) - (sorted[i - 1] ?? 0));
  if (!Number.isFinite(step)) step = MINUTE;
  if ((last - first) / step <= MOST_STEPS) for (let at = first; at < last; at += step) all.add(at);
  const times = [...all].sort((a, b) => a - b);
  const index = new Map(times.map((at, i) => [at, i]));
  const values = series.map(({points}) => {
    const column = new Array<number | null>(times.length).fill(null);
    for (const [at, value] of points) {
      const number = Number(value);
      if (Number.isFinite(number)) column[index.get(at) ?? 0] = number;
    }
    return column;
  });
  return {times, values, step};
}

/** How many values have no place on an axis. */
export function notFinite(series: readonly PlotSeries[]): number {
  return series.flatMap(({points}) => points).filter(([, value]) => !Number.isFinite(Number(value))).length;
}

/** Values on top of those of the series before in the same stack; what is missing adds nothing. */
export function stacked(values: Grid['values'], stackOf: (series: number) => unknown): Grid['values'] {
  const stacks = new Map<unknown, number[]>();
  return values.map((column, series) => {
    const sums = stacks.get(stackOf(series)) ?? [];
    stacks.set(stackOf(series), sums);
    return column.map((value, i) => {
      if (value === null) return null;
      const sum = (sums[i] ?? 0) + value;
      sums[i] = sum;
      return sum;
    });
  });
}
