import {askMetrics} from '../base/api.js';
import {nameOf, type PlotSeries, type QueryData} from '../base/series.js';

export interface QueryQuestion {
  readonly expressions: readonly string[];
  /** Seconds. */
  readonly range: number;
  /** Unix seconds. */
  readonly end: number;
  readonly yesterday: boolean;
}

/** What one expression has come to. */
export interface Outcome {
  readonly expression: string;
  readonly instant: QueryData | undefined;
  readonly series: readonly PlotSeries[];
  /** What went wrong; the same from both questions is said once. */
  readonly errors: readonly Error[];
}

export interface Outcomes {
  readonly question: QueryQuestion;
  readonly list: readonly Outcome[];
}

const DAY = 86_400;

export async function run(question: QueryQuestion, signal: AbortSignal): Promise<Outcomes> {
  const list = await Promise.all(question.expressions.map(expression => runOne(expression, question, signal)));
  signal.throwIfAborted();
  return {question, list};
}

async function runOne(query: string, {range, end, yesterday}: QueryQuestion, signal: AbortSignal): Promise<Outcome> {
  const start = end - range;
  const [instant, today, before] = await Promise.allSettled([
    askMetrics<QueryData>('query', {query, time: end}, signal),
    askMetrics<QueryData>('query_range', {query, start, end, step: stepOf(range)}, signal),
    yesterday
      ? askMetrics<QueryData>('query_range', {query, start: start - DAY, end: end - DAY, step: stepOf(range)}, signal)
      : undefined,
  ]);
  const errors = new Map<string, Error>();
  for (const settled of [instant, today, before]) {
    if (settled.status === 'rejected') errors.set((settled.reason as Error).message, settled.reason as Error);
  }
  const found = instant.status === 'fulfilled' ? instant.value : undefined;
  // An expression that has a range of its own is refused over another, and is its own plot.
  const isRange = found?.resultType === 'matrix';
  if (isRange && today.status === 'rejected') errors.delete((today.reason as Error).message);
  const plotted = isRange ? found : today.status === 'fulfilled' ? today.value : undefined;
  const older = before.status === 'fulfilled' ? before.value : undefined;
  const series = [...seriesOf(plotted), ...seriesOf(older).map(ofYesterday)];
  // Over a range a number is a series without labels, which is what a sum of everything is too.
  const named = found?.resultType === 'scalar' ? series.map(each => ({...each, name: 'scalar'})) : series;
  return {expression: query, instant: found, series: named, errors: [...errors.values()]};
}

/** The gateway chooses its buckets by the range; other servers of the same API want a step. */
function stepOf(range: number): number {
  return Math.max(60, Math.floor(range / 250));
}

function seriesOf(data: QueryData | undefined): readonly PlotSeries[] {
  if (data?.resultType !== 'matrix') return [];
  return data.result.map(({metric, values}) => ({name: nameOf(metric), points: values, isOlder: false}));
}

function ofYesterday({name, points}: PlotSeries): PlotSeries {
  return {name, points: points.map(([at, value]) => [at + DAY, value]), isOlder: true};
}
