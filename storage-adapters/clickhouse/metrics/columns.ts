import type {BucketWindow, Column, MetricDefinition, ValueLabels} from '../../../core/api/adapter.js';
import {meanOf} from '../../../core/toolkit/exact-mean.js';
import {ExactSum} from '../../../core/toolkit/exact-sum.js';
import type {ClickHouseClient} from '../client/client.js';
import {joined, type Sql, sql} from '../client/sql.js';
import {type BucketRange, buckets, minutes, rangeOf, type SeriesSelection} from './buckets.js';

type Wanted = Omit<SeriesSelection, 'read'>;

/** The series of a selection over a window. */
export async function readColumns(
  client: ClickHouseClient,
  selection: Wanted,
  window: BucketWindow,
  signal: AbortSignal,
): Promise<readonly Column[]> {
  if (window.step === 'minute') return readMinutes(client, selection, window, signal);
  for (const read of ['once', 'latest'] as const) {
    const columns = new Columns(selection.metric, window);
    const sum = new ExactSum();
    const suspects = await client.rows(
      bucketsOf({...selection, read}, window.step, rangeOf(window)),
      row => {
        const isSuspect = row.uint8() === 1;
        const [labels, bucket] = [row.strings(), row.int32()];
        sum.reset();
        for (const term of row.float64s()) sum.add(term);
        columns.put(labels, bucket, meanOf(sum, row.float64()));
        return isSuspect;
      },
      signal,
    );
    if (!suspects.includes(true)) return columns.all();
  }
  throw new Error('BUG: the latest minutes were read, and some are still there twice');
}

/** Minutes come as they are; of those that are there twice the higher version is taken here. */
async function readMinutes(
  client: ClickHouseClient,
  selection: Wanted,
  window: BucketWindow,
  signal: AbortSignal,
): Promise<readonly Column[]> {
  const columns = new Columns(selection.metric, window);
  const wanted = sql`toUInt8(1), ${labelsColumn(selection)}, minute, value, version`;
  await client.rows(
    minutes({...selection, read: 'once'}, rangeOf(window), wanted),
    row => columns.put(row.strings(), row.int32(), row.float64(), row.uint64()),
    signal,
  );
  return columns.all();
}

function bucketsOf(selection: SeriesSelection, step: 'hour' | 'day', range: BucketRange): Sql {
  const {from, suspect, bucket, terms, divisor} = buckets(selection, step, range, {bucket: true});
  return sql`SELECT toUInt8(1), ${suspect}, ${labelsColumn(selection)}, ${bucket}, ${terms}, ${divisor} FROM (${from})`;
}

function labelsColumn({keys}: Wanted): Sql {
  return keys.length === 0 ? sql`emptyArrayString()` : joined(keys, ', ');
}

/** Collects the values of series in the order in which they come. */
class Columns {
  readonly #metric: MetricDefinition;
  readonly #window: BucketWindow;
  readonly #first: number;
  readonly #columns = new Map<string, Column & {readonly versions: BigUint64Array}>();

  constructor(metric: MetricDefinition, window: BucketWindow) {
    this.#metric = metric;
    this.#window = window;
    this.#first = rangeOf(window).first;
  }

  put(texts: readonly string[], bucket: number, value: number, version = 0n): void {
    const {values, present, versions} = this.#find(texts);
    const slot = bucket - this.#first;
    if (present[slot] === 1 && version < (versions[slot] ?? 0n)) return;
    // Zero takes the sign from what was written before writers took it off.
    values[slot] = value + 0;
    present[slot] = 1;
    versions[slot] = version;
  }

  all(): readonly Column[] {
    return [...this.#columns.values()].map(({labels, values, present}) => ({labels, values, present}));
  }

  #find(texts: readonly string[]) {
    const key = texts.length === 1 ? (texts[0] ?? '') : JSON.stringify(texts);
    let column = this.#columns.get(key);
    if (column === undefined) {
      const {count} = this.#window;
      column = {
        labels: labelsOf(this.#metric, texts),
        values: new Float64Array(count),
        present: new Uint8Array(count),
        versions: new BigUint64Array(count),
      };
      this.#columns.set(key, column);
    }
    return column;
  }
}

export function labelsOf({valueLabels}: MetricDefinition, texts: readonly string[]): ValueLabels {
  return Object.fromEntries(valueLabels.map((label, i) => [label, texts[i] ?? '']));
}
