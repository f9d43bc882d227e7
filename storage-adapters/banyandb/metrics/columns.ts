import type {BucketWindow, Column, ValueLabels} from '../../../core/api/adapter.js';
import type {FieldCell, MeasureRow} from '../client/measures.js';
import type {TimeZone} from '../schema/time-zone.js';
import {slotOf} from './bucket-times.js';
import {type LabeledValue, labelsOf, parseDataTable} from './data-table.js';

/** A number of a field: 64-bit integers, and doubles as bytes with the most significant one first. */
export function numberOf(value: FieldCell | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (!(value instanceof Uint8Array) || value.byteLength !== 8) return undefined;
  const number = new DataView(value.buffer, value.byteOffset, 8).getFloat64(0);
  return Number.isFinite(number) ? number : undefined;
}

/** All values of a field: by labels, or one without. */
export function valuesIn(value: FieldCell | undefined): readonly LabeledValue[] {
  if (typeof value === 'string') return parseDataTable(value);
  const number = numberOf(value);
  return number === undefined ? [] : [{key: '', value: number}];
}

/** Of rows of the same time the last written: two nodes of a cluster may both have one. */
export function newestRows(
  rows: readonly MeasureRow[],
  keyOf: (row: MeasureRow) => string | number,
): readonly MeasureRow[] {
  const newest = new Map<string | number, MeasureRow>();
  for (const row of rows) {
    const key = keyOf(row);
    const known = newest.get(key);
    if (known === undefined || known.version < row.version) newest.set(key, row);
  }
  return [...newest.values()];
}

/** The series of one entity, from its rows. */
export function columnsOf(
  rows: readonly MeasureRow[],
  window: BucketWindow,
  zone: TimeZone,
  filters: ReadonlyMap<string, readonly string[]>,
): readonly Column[] {
  const columns = new Map<string, Column | undefined>();
  const columnOf = (key: string, labels: () => ValueLabels): Column | undefined => {
    if (!columns.has(key)) {
      const found = labels();
      const {count} = window;
      const column = {labels: found, values: new Float64Array(count), present: new Uint8Array(count)};
      columns.set(key, passes(found, filters) ? column : undefined);
    }
    return columns.get(key);
  };
  for (const {time, value} of newestRows(rows, row => row.time)) {
    const slot = slotOf(time, window, zone);
    if (slot === undefined) continue;
    for (const entry of valuesIn(value)) {
      const column = columnOf(entry.key, () => (typeof value === 'string' ? labelsOf(entry.key) : {}));
      if (column === undefined) continue;
      column.values[slot] = entry.value;
      column.present[slot] = 1;
    }
  }
  return [...columns.values()].filter(column => column !== undefined);
}

export function passes(labels: ValueLabels, filters: ReadonlyMap<string, readonly string[]>): boolean {
  return [...filters].every(([label, wanted]) => wanted.includes(labels[label] ?? ''));
}
