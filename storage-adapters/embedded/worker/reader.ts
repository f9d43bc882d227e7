import {GatewayError} from '../../../core/api/adapter.js';
import {BucketMean} from '../../../core/toolkit/exact-mean.js';
import {HOURS_PER_DAY} from '../../../core/toolkit/time.js';
import {type Database, openForReading} from '../disk/database.js';
import {databaseFile} from '../disk/folder.js';
import {storageError} from '../disk/storage-error.js';
import {KeptRowReader} from '../export/kept-rows.js';
import {RecordRowReader} from '../export/record-rows.js';
import {HourReader} from '../metrics/tables/hour-reader.js';
import {NewestReader} from '../metrics/tables/newest-reader.js';
import {PartialReader} from '../metrics/tables/partial-reader.js';
import {PresenceReader} from '../metrics/tables/presence-reader.js';
import {RecordReader} from '../metrics/tables/record-reader.js';
import {WindowReader} from '../metrics/tables/window-reader.js';
import type {ReaderOperations} from '../threads/reader-protocol.js';
import {serve} from '../threads/serve.js';
import {TraceQueries} from './trace-queries.js';

interface Open {
  readonly file: string;
  readonly database: Database;
  readonly windows: WindowReader;
  readonly partials: PartialReader;
  readonly presence: PresenceReader;
  readonly records: RecordReader;
  readonly newest: NewestReader;
  readonly keptRows: KeptRowReader;
  readonly recordRows: RecordRowReader;
  readonly traces: TraceQueries;
}

let current: Open | undefined;

function opened(): Open {
  if (current === undefined) throw new GatewayError('storage_unavailable', 'the embedded storage is not open');
  return current;
}

/** One snapshot for the whole read: the folder moves rows from one table to another. */
function reading<Result>(read: (open: Open) => Result): Result {
  const open = opened();
  const {database, file} = open;
  try {
    database.exec('BEGIN');
    const result = read(open);
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw storageError(error, file);
  }
}

serve<ReaderOperations>({
  open({path}) {
    const database = openForReading(path);
    const hours = new HourReader(database);
    const partials = new PartialReader(database, hours);
    const newest = new NewestReader(database);
    current = {
      file: databaseFile(path),
      database,
      windows: new WindowReader(hours, partials),
      partials,
      presence: new PresenceReader(database, hours, newest),
      records: new RecordReader(database),
      newest,
      keptRows: new KeptRowReader(database),
      recordRows: new RecordRowReader(database),
      traces: new TraceQueries(database, read => reading(read)),
    };
    return null;
  },

  values: (window, checkpoint) =>
    reading(({windows}) => {
      const {count} = window;
      const values = new Float64Array(window.series.length * count).fill(Number.NaN);
      windows.read(
        window,
        (series, bucket, value) => {
          values[series * count + bucket] = value;
        },
        checkpoint,
      );
      return {values};
    }),

  means: (window, checkpoint) =>
    reading(({windows}) => {
      const means = Array.from(window.series, () => new BucketMean());
      windows.read(
        window,
        (series, _bucket, value, partial) => {
          const mean = means[series];
          if (partial === undefined) mean?.add(value, 1);
          else if (mean !== undefined) partial.addTo(mean);
        },
        checkpoint,
      );
      return {means: Float64Array.from(means, mean => mean.finish())};
    }),

  partials: ({metric, series, rollups, first}, checkpoint) =>
    reading(({partials}) => {
      checkpoint();
      const {values, counts, remainders} = partials.hoursOf(metric, Math.floor(first / HOURS_PER_DAY), series, rollups);
      return {values, counts, remainders};
    }),

  present: (request, checkpoint) => reading(({presence}) => ({present: presence.read(request, checkpoint)})),

  records: (request, checkpoint) => reading(({records}) => records.read(request, checkpoint)),

  newestHour: ({before, step}) => reading(({newest}) => newest.hourBefore(before, step)),

  trace: ({model, id}, checkpoint) => opened().traces.trace(model, id, checkpoint),

  traceInOrder: ({model, id}, checkpoint) => opened().traces.traceInOrder(model, id, checkpoint),

  search: ({model, number, search}, checkpoint) => opened().traces.search(model, number, search, checkpoint),

  nextPage: ({number}, checkpoint) => opened().traces.nextPage(number, checkpoint),

  endSearch({number}) {
    opened().traces.endSearch(number);
    return null;
  },

  attributeValues: ({model, ...request}, checkpoint) => opened().traces.values(model, request, checkpoint),

  tracePage: (request, checkpoint) => opened().traces.page(request, checkpoint),

  keptRows: (request, checkpoint) => reading(({keptRows}) => keptRows.read(request, checkpoint)),

  recordPage: ({metric, place, from, to}) => reading(({recordRows}) => recordRows.read(metric, place, from, to)),

  close() {
    current?.database.close();
    current = undefined;
    return null;
  },
});
