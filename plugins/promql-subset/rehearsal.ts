import {
  AnyOrder,
  type AskedTimes,
  Measured,
  type Parameters,
  type Rehearsal,
  type RehearsedAnswer,
  STEP_SECONDS,
  type Telling,
} from '../../core/api/plugin.js';
import {MS_PER_MINUTE, MS_PER_SECOND} from '../../core/toolkit/time.js';
import {stepOf} from './engine/window.js';
import {timeOf} from './http/parameters.js';
import {decodeDuration} from './language/literals.js';

type Json = Readonly<Record<string, unknown>>;
type Sample = readonly [time: number, value: string];
type Labels = Readonly<Record<string, string>>;

function times(route: string, parameters: Parameters): AskedTimes | undefined {
  switch (route) {
    case '/api/v1/query':
      return {end: 'time', bucket: instantBucket(parameters.first('query') ?? '')};
    case '/api/v1/query_range':
      return {start: 'start', end: 'end', bucket: soundOr(MS_PER_MINUTE, () => rangeBucket(parameters))};
    case '/api/v1/series':
      return {start: 'start', end: 'end', bucket: MS_PER_MINUTE};
    case '/api/v1/labels':
    case '/api/v1/label/:name/values':
      return {end: 'end', bucket: MS_PER_MINUTE};
    default:
      return undefined;
  }
}

/** The longest range in a query tells how coarse its values are. What looks like one and is none does no harm. */
function instantBucket(query: string): number {
  const ranges = [...query.matchAll(/\[\s*(\w+)\s*\]/g)].map(([, text = '']) =>
    soundOr(0, () => decodeDuration(text, {line: 1, column: 1})),
  );
  return bucketOf(Math.max(0, ...ranges) / MS_PER_SECOND);
}

function rangeBucket(parameters: Parameters): number {
  return bucketOf((timeOf(parameters, 'end') ?? 0) - (timeOf(parameters, 'start') ?? 0));
}

function bucketOf(span: number): number {
  return STEP_SECONDS[stepOf(span)] * MS_PER_SECOND;
}

/** Of a request that is wrong anyway it does not matter. */
function soundOr(otherwise: number, read: () => number): number {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

function telling({route, parameters, body}: RehearsedAnswer): Telling {
  const {data, warnings, ...rest} = JSON.parse(Buffer.from(body).toString()) as Json;
  const told = warnings === undefined ? {} : {warnings: names(warnings as readonly string[])};
  return {...(rest as Readonly<Record<string, Telling>>), ...told, data: dataOf(route, parameters, data)};
}

function dataOf(route: string, parameters: Parameters, data: unknown): Telling {
  switch (route) {
    case '/api/v1/query':
    case '/api/v1/query_range':
      return resultOf(data as Json, isRanking(parameters.first('query') ?? ''));
    case '/api/v1/series':
      return new AnyOrder((data as readonly Labels[]).map(labels => [keyOf(labels), labels]));
    case '/api/v1/labels':
    case '/api/v1/label/:name/values':
      return names(data as readonly string[]);
    default:
      return data as Telling;
  }
}

/** The order of a ranking is what it says. */
const isRanking = (query: string): boolean => /\btop_n\s*=/.test(query);

function resultOf({resultType, result}: Json, isOrdered: boolean): Telling {
  if (resultType === 'scalar') return {resultType, result: sampleOf(result as Sample)};
  const series = (result as readonly Json[]).map(({metric, value, values}): readonly [string, Telling] => {
    const samples = (values ?? [value]) as readonly Sample[];
    return [keyOf(metric as Labels), {metric: metric as Labels, values: samplesOf(samples)}];
  });
  return {resultType: String(resultType), result: isOrdered ? series.map(([, each]) => each) : new AnyOrder(series)};
}

/** By their times, so that one that is missing is one difference. */
function samplesOf(samples: readonly Sample[]): Telling {
  return Object.fromEntries(samples.map(([time, value]) => [String(time), new Measured(value)]));
}

function sampleOf([time, value]: Sample): Telling {
  return [time, new Measured(value)];
}

function names(list: readonly string[]): Telling {
  return new AnyOrder(list.map(name => [name, name]));
}

/** Labels as text, the same in whatever order they stand. */
function keyOf(labels: Labels): string {
  const pairs = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${pairs.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',')}}`;
}

/** How the queries of this API are asked of another storage, and what their answers say. */
export const rehearsal: Rehearsal = {times, telling};
