import {TRACE_MODEL_NAMES, type TraceModelName} from '../../../core/toolkit/traces/model.js';

/** A column: its name, its type, and hints that apply where the server has such things. */
export interface TableColumn {
  readonly name: string;
  readonly type:
    | 'UInt8'
    | 'Int32'
    | 'Int64'
    | 'UInt64'
    | 'Float64'
    | 'String'
    | 'FixedString(16)'
    | 'Array(String)'
    | 'Array(Int32)';
  /** Few distinct values. */
  readonly few?: true;
  readonly codec?: string;
}

export interface Table {
  readonly name: string;
  readonly columns: readonly TableColumn[];
  /** Of rows with the same key the one with the highest value of this column stands; '' for any, rows being equal. */
  readonly newest: string;
  readonly partition?: string;
  readonly key: string;
  /** Rows between two marks of the index. */
  readonly granularity?: number;
  /** Columns with a bloom filter. */
  readonly bloom?: readonly string[];
  /** Rows with the same value of this are on the same shard. */
  readonly sharding: string;
}

const few = true;
const TIME = 'DoubleDelta, LZ4';
const metric: TableColumn = {name: 'metric', type: 'String', few};
const ids: readonly TableColumn[] = [
  {name: 'service', type: 'FixedString(16)'},
  {name: 'entity', type: 'FixedString(16)'},
];
const labels: TableColumn = {name: 'labels', type: 'Array(String)'};

/** A value of a metric in an hour or a day, made from all its minutes. The one made from the most minutes stands. */
const cell: readonly TableColumn[] = [
  // The value that the rollup gives, the sum of the minutes and their number.
  {name: 'value', type: 'Float64'},
  {name: 'total', type: 'Float64'},
  {name: 'minutes', type: 'UInt64'},
];

const METRIC_TABLES: readonly Table[] = [
  {
    name: 'meta',
    columns: [
      {name: 'key', type: 'String'},
      {name: 'value', type: 'Int64'},
    ],
    // Every value in here only grows: the version of the schema, borders of retention.
    newest: 'value',
    key: 'key',
    sharding: 'cityHash64(key)',
  },
  {
    name: 'metrics',
    columns: [
      {name: 'name', type: 'String'},
      {name: 'scope', type: 'String'},
      {name: 'kind', type: 'String'},
      {name: 'type', type: 'String'},
      {name: 'help', type: 'String'},
      {name: 'unit', type: 'String'},
      {name: 'value_labels', type: 'Array(String)'},
      {name: 'rollup', type: 'String'},
      // The rollups that counted before and now: the hour from which on, and which.
      {name: 'rollup_from', type: 'Array(Int32)'},
      {name: 'rollups', type: 'Array(String)'},
      {name: 'version', type: 'UInt64'},
    ],
    newest: 'version',
    key: 'name',
    sharding: 'cityHash64(name)',
  },
  {
    name: 'entities',
    columns: [
      {name: 'scope', type: 'String', few},
      {name: 'layer', type: 'String', few},
      {name: 'service', type: 'String'},
      // Of the instance or endpoint.
      {name: 'name', type: 'String'},
      {name: 'dest_layer', type: 'String', few},
      {name: 'dest_service', type: 'String'},
      {name: 'dest_name', type: 'String'},
      // 0: when it was first seen, 1: last. The rank makes the right one of several stand.
      {name: 'edge', type: 'UInt8'},
      {name: 'minute', type: 'Int32'},
      {name: 'rank', type: 'UInt64'},
      {name: 'id', type: 'FixedString(16)'},
    ],
    newest: 'rank',
    key: 'scope, layer, service, name, dest_layer, dest_service, dest_name, edge',
    granularity: 1024,
    sharding: 'cityHash64(layer, service)',
  },
  {
    name: 'minutes',
    columns: [
      metric,
      ...ids,
      labels,
      {name: 'hour', type: 'Int32', codec: TIME},
      {name: 'minute', type: 'Int32', codec: TIME},
      {name: 'value', type: 'Float64', codec: 'Gorilla, LZ4'},
      {name: 'version', type: 'UInt64'},
    ],
    newest: 'version',
    partition: 'intDiv(hour, 24)',
    key: 'metric, hour, service, entity, labels, minute',
    granularity: 2048,
    sharding: 'cityHash64(service)',
  },
  {
    name: 'hours',
    columns: [metric, ...ids, labels, {name: 'hour', type: 'Int32', codec: TIME}, ...cell],
    newest: 'minutes',
    partition: 'intDiv(hour, 768)',
    key: 'metric, hour, service, entity, labels',
    sharding: 'cityHash64(service)',
  },
  {
    name: 'days',
    columns: [metric, ...ids, labels, {name: 'day', type: 'Int32', codec: TIME}, ...cell],
    newest: 'minutes',
    partition: 'intDiv(day, 512)',
    key: 'metric, day, service, entity, labels',
    sharding: 'cityHash64(service)',
  },
  {
    name: 'records',
    columns: [
      metric,
      ...ids,
      // The values of the keys of the entity, in their order.
      {name: 'names', type: 'Array(String)'},
      {name: 'time', type: 'Int64'},
      {name: 'value', type: 'Float64'},
      {name: 'content', type: 'String'},
      // None or one.
      {name: 'trace_id', type: 'Array(String)'},
      // Of all fields: what is the same in every field is the same row.
      {name: 'digest', type: 'FixedString(16)'},
    ],
    newest: '',
    partition: 'intDiv(time, 86400)',
    key: 'metric, service, time, digest',
    sharding: 'cityHash64(service)',
  },
];

const DURATION: readonly TableColumn[] = [
  // None or one, in microseconds.
  {name: 'has_duration', type: 'UInt8'},
  {name: 'duration', type: 'Int64'},
];

/** Durations of OTLP have the nanoseconds as a fraction. */
const FINE_DURATION: readonly TableColumn[] = [{name: 'duration', type: 'Float64'}];

/** Of OTLP, values of tags and of the resource are typed terms. */
const RESOURCE_TAGS: readonly TableColumn[] = [
  {name: 'resource_keys', type: 'Array(String)'},
  {name: 'resource_values', type: 'Array(String)'},
];

/**
 * Traces of one kind: fragments (spans or segments) whole, by trace, and their spans by time, to be searched. A row of
 * `spans` counts only while its fragment still has the same digest.
 */
function traceTables(kind: TraceModelName): readonly Table[] {
  const isOtlp = kind === 'otlp';
  return [
    {
      name: `${kind}_units`,
      columns: [
        {name: 'trace_id', type: 'String'},
        {name: 'identity', type: 'String'},
        {name: 'version', type: 'UInt64'},
        {name: 'digest', type: 'FixedString(16)'},
        {name: 'day', type: 'Int32'},
        // Microseconds; without meaning when the fragment has no times.
        {name: 'timed', type: 'UInt8'},
        {name: 'start', type: 'Int64'},
        {name: 'finish', type: 'Int64'},
        {name: 'body', type: 'String', codec: 'ZSTD(1)'},
      ],
      newest: 'version',
      partition: 'day',
      key: 'trace_id, identity',
      granularity: 256,
      bloom: ['trace_id'],
      sharding: 'cityHash64(trace_id)',
    },
    {
      name: `${kind}_spans`,
      columns: [
        {name: 'hour', type: 'Int32', codec: TIME},
        {name: 'service', type: 'String', few},
        {name: 'start', type: 'Int64', codec: TIME},
        {name: 'digest', type: 'FixedString(16)'},
        // Its place in the fragment.
        {name: 'place', type: 'Int32'},
        {name: 'trace_id', type: 'String'},
        {name: 'name', type: 'String'},
        {name: 'kind', type: 'String', few},
        {name: 'status', type: 'String', few},
        ...(isOtlp ? FINE_DURATION : DURATION),
        {name: 'tag_keys', type: 'Array(String)'},
        {name: 'tag_values', type: 'Array(String)'},
        ...(isOtlp ? RESOURCE_TAGS : []),
      ],
      newest: '',
      partition: 'intDiv(hour, 24)',
      key: 'hour, service, start, digest, place',
      granularity: 1024,
      bloom: ['tag_values', 'name', ...(isOtlp ? ['resource_values'] : [])],
      sharding: 'cityHash64(trace_id)',
    },
    {
      // What the spans of an hour have of each attribute with few values: for each value the earliest span.
      name: `${kind}_values`,
      columns: [
        {name: 'attribute', type: 'String', few},
        {name: 'hour', type: 'Int32', codec: TIME},
        {name: 'value', type: 'String'},
        {name: 'start', type: 'Int64'},
        // Higher for earlier spans.
        {name: 'rank', type: 'UInt64'},
        {name: 'digest', type: 'FixedString(16)'},
        {name: 'trace_id', type: 'String'},
      ],
      newest: 'rank',
      partition: 'intDiv(hour, 24)',
      key: 'attribute, hour, value',
      granularity: 1024,
      sharding: 'cityHash64(attribute, value)',
    },
  ];
}

export const TABLES: readonly Table[] = [...METRIC_TABLES, ...TRACE_MODEL_NAMES.flatMap(traceTables)];
