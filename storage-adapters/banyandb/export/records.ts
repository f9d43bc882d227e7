import {
  type Call,
  compareNames,
  type ExportPage,
  type ExportRequest,
  type MetricExport,
} from '../../../core/api/adapter.js';
import {MetricExportPage} from '../../../core/toolkit/metric-export-page.js';
import {MS_PER_SECOND} from '../../../core/toolkit/time.js';
import {EVER, type MillisRange} from '../client/criteria.js';
import type {MetricReaderOptions} from '../metrics/reader.js';
import {readElements, recordOf} from '../metrics/sampled-records.js';
import type {Element} from '../proto/methods.js';
import {type TimeSlice, walkTime} from '../traces/time-walk.js';
import {historyOf} from './histories.js';
import {encodePlace, type MetricPlace} from './place.js';

/** A page ends when it has as many. */
const RECORDS = 5000;
const LIMIT = 5000;

/** Stream by stream, and in it service by service, by their ids; of each the latest first. */
export async function* recordPages(
  options: MetricReaderOptions,
  begun: MetricPlace,
  {from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY}: ExportRequest,
  {signal}: Call,
): AsyncGenerator<ExportPage<MetricExport>> {
  const {catalog, traffic} = options;
  const [begunStream = '', begunId = ''] = begun.name.split(' ');
  const begin = Math.max(EVER.begin, Math.floor(from * MS_PER_SECOND));
  const end = Math.min(EVER.end, Math.ceil(to * MS_PER_SECOND) - 1);
  let page = new MetricExportPage<string>();
  let records = 0;
  let place = begun;
  for (const {of, definition} of (await catalog.state(signal)).sources.values()) {
    const {name} = definition;
    if (of !== 'stream' || compareNames(name, begunStream) < 0) continue;
    const services = await traffic.services(signal);
    for (const id of services.ids()) {
      const isBegun = name === begunStream && id === begunId;
      if (name === begunStream && compareNames(id, begunId) < 0) continue;
      const range = {begin, end: isBegun ? Math.min(end, begun.end) : end};
      for await (const {span, found} of walkElements(options, name, id, range, signal)) {
        for (const element of found) {
          for (const layer of services.layersOf(id)) {
            const record = {metric: name, ...recordOf(element, {layer, service: services.nameOf(id)})};
            if (record.time < from || record.time >= to) continue;
            page.addMetric(historyOf(definition));
            page.addRecord(record);
            records++;
          }
        }
        place = {...place, name: `${name} ${id}`, end: span.begin - 1};
        if (records < RECORDS) continue;
        yield {content: page.content(), resume: encodePlace(place)};
        page = new MetricExportPage<string>();
        records = 0;
      }
    }
  }
  if (records > 0) yield {content: page.content(), resume: encodePlace(place)};
}

/** Most services have no records of a stream, so all of time is asked for at first. */
function walkElements(
  options: MetricReaderOptions,
  name: string,
  entity: string,
  range: MillisRange,
  signal: AbortSignal,
): AsyncGenerator<TimeSlice<Element>> {
  const {catalog, maxRows, mayStopEarly} = options;
  const ask = (span: MillisRange, limit: number): Promise<readonly Element[]> =>
    catalog.using(signal, async ({sources}) => {
      const source = sources.get(name);
      if (source?.of !== 'stream') return [];
      const query = {schema: source.schema, entity, span, order: 'DES'} as const;
      const read = (asked: number): Promise<readonly Element[]> => readElements(options, query, asked, signal);
      return mayStopEarly ? asMany(read, limit) : read(limit);
    });
  return walkTime(ask, range, {
    direction: 'newest first',
    first: Math.max(1, range.end - range.begin + 1),
    limit: Math.min(LIMIT, maxRows),
    most: maxRows,
    option: 'maxRows',
    what: time => `records of ${name} in the millisecond ${new Date(time).toISOString()}`,
  });
}

/** From a server that may give fewer than the limit though there are more: all, or as many as the limit. */
async function asMany(
  read: (limit: number) => Promise<readonly Element[]>,
  limit: number,
): Promise<readonly Element[]> {
  let elements = await read(limit);
  for (let asked = 2 * limit; elements.length < limit; asked *= 2) {
    const more = await read(asked);
    if (more.length === elements.length) break;
    elements = more;
  }
  return elements;
}
