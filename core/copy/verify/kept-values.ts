import type {Call} from '../../api/call.js';
import type {Readers} from '../../api/capabilities.js';
import {GatewayError} from '../../api/errors.js';
import type {KeptBucket, MetricExport} from '../../api/export.js';
import type {Series} from '../../api/ingest.js';
import {type Column, type MetricDefinition, type MetricReader, STEP_SECONDS} from '../../api/metrics.js';
import {Semaphore} from '../../toolkit/semaphore.js';
import {canonical} from './canonical.js';
import {seriesText, timeText} from './items.js';
import type {VerifyTally} from './tally.js';

/** The last digits of a mean of fractions depend on how exact a storage has kept its sum. */
const TOLERANCE = 1e-9;
const ASKED_AT_ONCE = 8;

/**
 * Hours and days whose minutes the source has removed: as both storages answer them. The target may have made them of minutes that it
 * still has, so its export need not have them.
 */
export async function compareKept(
  {metrics, kept}: MetricExport,
  from: Readers,
  to: Readers,
  tally: VerifyTally,
  call: Call,
): Promise<void> {
  const readers = [from, to].map(readerOf);
  const definitions = new Map(metrics.map(({definition}) => [definition.name, definition]));
  const places = new Semaphore(ASKED_AT_ONCE);
  const groups = new Map<string, KeptBucket[]>();
  for (const bucket of kept.values) {
    const group = `${bucket.step} ${bucket.series}`;
    groups.set(group, [...(groups.get(group) ?? []), bucket]);
  }
  const compared = [...groups.values()].map(buckets =>
    places.run(async () => {
      const series = kept.series[buckets[0]?.series ?? -1] as Series;
      const definition = definitions.get(series.metric);
      if (definition === undefined)
        throw new GatewayError('storage_failed', `a page of the export does not declare ${series.metric}`);
      const [expected, found] = await Promise.all(
        readers.map(reader => valuesOf(reader, definition, series, buckets, call)),
      );
      for (const {step, time} of buckets) {
        const [wanted, value] = [expected?.(time), found?.(time)];
        const state = value === undefined ? 'missing' : isNear(wanted, value) ? 'equal' : 'differs';
        tally.add(state, () => `the ${step} of ${seriesText(series)} at ${timeText(time)}`);
      }
    }, call.signal),
  );
  await Promise.all(compared);
}

function readerOf(readers: Readers): MetricReader {
  const reader = readers['metrics.query.v1'];
  if (reader !== undefined) return reader;
  throw new GatewayError(
    'unsupported_backend',
    'hours and days are compared by metrics.query.v1, and a storage has no such capability',
  );
}

/** The value of a bucket, of buckets of one series and step. */
async function valuesOf(
  reader: MetricReader,
  metric: MetricDefinition,
  {entity, labels}: Series,
  buckets: readonly KeptBucket[],
  call: Call,
): Promise<(time: number) => number | undefined> {
  const step = buckets[0]?.step ?? 'hour';
  const times = buckets.map(({time}) => time);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const seconds = STEP_SECONDS[step];
  const window = {step, first, count: (last - first) / seconds + 1};
  const valueFilters = new Map(Object.entries(labels).map(([name, value]) => [name, [value]]));
  const columns = await reader.values({metric, entity, valueFilters, window}, call);
  const own: Column | undefined = columns.find(column => canonical(column.labels) === canonical(labels));
  return time => {
    const i = (time - first) / seconds;
    return own?.present[i] === 1 ? own.values[i] : undefined;
  };
}

function isNear(a: number | undefined, b: number): boolean {
  return a !== undefined && Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
}
