import {MS_PER_SECOND} from '../../../core/toolkit/time.js';
import type {
  AggregationFunction,
  DataPoint,
  MeasureQueryRequest,
  OutgoingMessage,
  TagProjection,
  TagValue,
} from '../proto/methods.js';
import {QueryMeasure} from '../proto/methods.js';
import {toMilliseconds} from '../proto/timestamp.js';
import type {BanyanDBConnection} from './connection.js';
import {all, type MillisRange, type RowCondition, timeRange} from './criteria.js';
import type {RowSchema} from './row-schema.js';

export interface RowsQuery {
  readonly schema: RowSchema;
  readonly span: MillisRange;
  readonly conditions: readonly RowCondition[];
  /** At least one tag or field; those of the conditions too, which servers before 0.10 look for here. */
  readonly tags: readonly string[];
  readonly field?: string;
  readonly newestFirst?: boolean;
  readonly limit: number;
}

export interface MeasureRow {
  /** Unix seconds. */
  readonly time: number;
  readonly tags: ReadonlyMap<string, string>;
  /** Undefined where the row has none. */
  readonly value: FieldCell | undefined;
  readonly version: bigint;
}

export type FieldCell = number | string | Uint8Array;

/** Asks measures. What it answers may be cut at the limit: whoever asks has to look. */
export class BanyanDBMeasures {
  readonly #connection: BanyanDBConnection;
  readonly #stages: readonly string[];

  constructor(connection: BanyanDBConnection, stages: readonly string[]) {
    this.#connection = connection;
    this.#stages = stages;
  }

  async rows(query: RowsQuery, signal: AbortSignal): Promise<readonly MeasureRow[]> {
    const {schema, field, newestFirst = false} = query;
    const order = newestFirst ? {order_by: {index_rule_name: '', sort: 'SORT_DESC'} as const} : {};
    const fields = field === undefined ? {} : {field_projection: {names: [field]}};
    const tag_projection = projection(schema, query.tags);
    const points = await this.#query(query, {tag_projection, ...fields, ...order}, signal);
    return points.map(rowOf);
  }

  /** Whether a row may hold no value though its field is there, which spoils sums: only a function with one field may. */
  static mayHoldNothing({fields}: RowSchema): boolean {
    return fields.size === 1 && fields.get('value') === 'FIELD_TYPE_INT';
  }

  static holdsNothing(maximum: string): boolean {
    return maximum === NOTHING_YET;
  }

  /** An aggregate of the field by `entity_id`, in one row for each. */
  async grouped(query: RowsQuery, by: AggregationFunction, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const {schema, field = ''} = query;
    const group = projection(schema, ['entity_id']);
    const points = await this.#query(
      query,
      {
        tag_projection: projection(schema, [...query.tags, 'entity_id']),
        field_projection: {names: [field]},
        // Servers up to 0.9 want the name of the field here too.
        group_by: {tag_projection: group, field_name: field},
        agg: {function: by, field_name: field},
      },
      signal,
    );
    return new Map(
      points.map(point => {
        const value = point.fields[0]?.value;
        return [tagsOf(point).get('entity_id') ?? '', value?.int?.value ?? '0'];
      }),
    );
  }

  async #query(
    {schema, span, conditions, limit}: RowsQuery,
    more: OutgoingMessage<MeasureQueryRequest>,
    signal: AbortSignal,
  ): Promise<readonly DataPoint[]> {
    const request: OutgoingMessage<MeasureQueryRequest> = {
      groups: [schema.group],
      name: schema.name,
      time_range: timeRange(span),
      criteria: all(conditions),
      limit,
      stages: this.#stages,
      ...more,
    };
    return (await this.#connection.call(QueryMeasure, request, signal)).data_points;
  }
}

/** Tags by family, as the schema has them: a stream asked for a tag in the wrong family answers nothing. */
export function projection({families}: RowSchema, tags: readonly string[]): OutgoingMessage<TagProjection> {
  const byFamily = new Map<string, string[]>();
  for (const tag of new Set(tags)) {
    const family = families.get(tag);
    if (family === undefined) continue;
    const names = byFamily.get(family) ?? [];
    names.push(tag);
    byFamily.set(family, names);
  }
  return {tag_families: [...byFamily].map(([name, names]) => ({name, tags: names}))};
}

function rowOf(point: DataPoint): MeasureRow {
  const value = point.fields[0]?.value;
  return {
    time: point.timestamp === null ? 0 : toMilliseconds(point.timestamp) / MS_PER_SECOND,
    tags: tagsOf(point),
    value: fieldCell(value),
    version: BigInt(point.version),
  };
}

/** What the function `min` starts with: there is nothing yet. */
const NOTHING_YET = '9223372036854775807';

function fieldCell(value: DataPoint['fields'][0]['value'] | undefined): FieldCell | undefined {
  switch (value?.value) {
    case 'int':
      return value.int?.value === NOTHING_YET ? undefined : Number(value.int?.value);
    case 'float':
      return value.float?.value;
    case 'str':
      return value.str?.value;
    case 'binary_data':
      return value.binary_data;
    default:
      return undefined;
  }
}

/** Texts and numbers as text, by name; what is null is not there. */
export function tagsOf({tag_families}: Pick<DataPoint, 'tag_families'>): ReadonlyMap<string, string> {
  const tags = new Map<string, string>();
  for (const family of tag_families) {
    for (const {key, value} of family.tags) {
      const text = tagText(value);
      if (text !== undefined) tags.set(key, text);
    }
  }
  return tags;
}

function tagText(value: TagValue | null): string | undefined {
  if (value?.value === 'str') return value.str?.value;
  if (value?.value === 'int') return value.int?.value;
  return undefined;
}
