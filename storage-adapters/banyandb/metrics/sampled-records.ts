import {compareNames, GatewayError, type SampledRecord, type SampledRecordsRequest} from '../../../core/api/adapter.js';
import {MS_PER_SECOND} from '../../../core/toolkit/time.js';
import type {BanyanDBConnection} from '../client/connection.js';
import {equals, type MillisRange, timeRange} from '../client/criteria.js';
import {projection, tagsOf} from '../client/measures.js';
import type {RowSchema} from '../client/row-schema.js';
import {tooMuch} from '../client/whole-answer.js';
import {type Element, type OutgoingMessage, QueryStream, type TagProjection} from '../proto/methods.js';
import {toMilliseconds} from '../proto/timestamp.js';
import {serviceId} from '../schema/entity-ids.js';
import {endOf} from './bucket-times.js';

export interface RecordsOptions {
  readonly connection: BanyanDBConnection;
  readonly stages: readonly string[];
  readonly maxRows: number;
  /** Up to 0.9 an answer may have fewer elements than its limit though there are more. */
  readonly mayStopEarly: boolean;
}

/** Of tags that are indexed, and of others. */
const OAP_FAMILIES = ['searchable', 'storage-only'];
const TAGS = ['entity_id', 'latency', 'statement', 'trace_id', 'timestamp'];

/**
 * The records of one service by value. The server orders them by value but cuts equal ones anywhere, so it is asked for
 * more until the last value it gives is not among those that are wanted.
 */
export async function readRecords(
  options: RecordsOptions,
  schema: RowSchema,
  request: SampledRecordsRequest,
  signal: AbortSignal,
): Promise<readonly SampledRecord[]> {
  const {layer, parentService, order, limit} = request;
  const entity = {layer, service: parentService};
  const elements = await enough(options, schema, request, signal);
  const records = elements.map(element => recordOf(element, entity));
  const sign = order === 'ASC' ? 1 : -1;
  return records
    .sort(
      (a, b) =>
        sign * (a.value - b.value) ||
        compareNames(a.content, b.content) ||
        a.time - b.time ||
        compareNames(a.traceId ?? '', b.traceId ?? ''),
    )
    .slice(0, limit);
}

export interface ElementsQuery {
  readonly schema: RowSchema;
  /** The id of a service. */
  readonly entity: string;
  readonly span: MillisRange;
  /** By value. */
  readonly order: 'ASC' | 'DES';
}

/** At most so many of the elements of one service. */
export async function readElements(
  {connection, stages}: Pick<RecordsOptions, 'connection' | 'stages'>,
  {schema, entity, span, order}: ElementsQuery,
  limit: number,
  signal: AbortSignal,
): Promise<readonly Element[]> {
  const query = {
    groups: [schema.group],
    name: schema.name,
    time_range: timeRange(span),
    criteria: equals('entity_id', entity),
    order_by: {index_rule_name: 'latency', sort: order === 'ASC' ? 'SORT_ASC' : 'SORT_DESC'},
    stages,
    limit,
  } as const;
  const ask = async (projection: OutgoingMessage<TagProjection>): Promise<readonly Element[]> =>
    (await connection.call(QueryStream, {...query, projection}, signal)).elements;
  const elements = await ask(inAnyFamily(schema));
  // A server may not give anything for a family that it has never had.
  return elements.length === 0 ? ask(projection(schema, TAGS)) : elements;
}

async function enough(
  options: RecordsOptions,
  schema: RowSchema,
  {layer, parentService, order, limit, window}: SampledRecordsRequest,
  signal: AbortSignal,
): Promise<readonly Element[]> {
  const {maxRows, mayStopEarly} = options;
  const span = {begin: window.first * MS_PER_SECOND, end: endOf(window) * MS_PER_SECOND - 1};
  const query = {schema, entity: serviceId(layer, parentService), span, order};
  let previous = -1;
  for (let asked = Math.min(limit + 1, maxRows); ; asked = Math.min(2 * asked, maxRows)) {
    const elements = await readElements(options, query, asked, signal);
    const distinct = [...new Map(elements.map(element => [element.element_id, element])).values()];
    const wanted = distinct[limit - 1];
    const last = distinct.at(-1);
    if (wanted !== undefined && last !== undefined && latencyOf(wanted) !== latencyOf(last)) return distinct;
    const isWhole = mayStopEarly ? elements.length === previous : elements.length < asked;
    if (isWhole) return distinct;
    if (asked >= maxRows) throw tooMany(schema, limit, maxRows);
    previous = elements.length;
  }
}

/** Either more are wanted than may be read, or so many are equal that the wanted ones cannot be told from the others. */
function tooMany({name}: RowSchema, limit: number, maxRows: number): GatewayError {
  if (limit < maxRows) return tooMuch(`records of ${name} with equal values`, maxRows, 'maxRows');
  return new GatewayError(
    'limit_exceeded',
    `${limit} records of ${name} are asked for, and there may be more than ${maxRows}, which is what the option maxRows of the banyandb adapter allows; ask for fewer, or raise it`,
  );
}

/**
 * The tags in every family that an OAP may have put them in. When one moves, rows keep it in the family of their time;
 * of the others the server gives null.
 */
function inAnyFamily({families}: RowSchema): OutgoingMessage<TagProjection> {
  const names = [...new Set([...families.values(), ...OAP_FAMILIES])];
  return {tag_families: names.map(name => ({name, tags: TAGS.filter(tag => families.has(tag))}))};
}

const latencyOf = (element: Element): number => Number(tagsOf(element).get('latency'));

export function recordOf(element: Element, entity: SampledRecord['entity']): SampledRecord {
  const tags = tagsOf(element);
  const traceId = tags.get('trace_id') ?? '';
  const milliseconds = element.timestamp === null ? Number(tags.get('timestamp')) : toMilliseconds(element.timestamp);
  return {
    entity,
    content: tags.get('statement') ?? '',
    time: Math.floor(milliseconds / MS_PER_SECOND),
    value: Number(tags.get('latency')),
    ...(traceId === '' ? {} : {traceId}),
  };
}
