import {delimitedField, fixed32Field, fixed64Field, varintField} from '../protobuf/wire-reader.js';

/** The fields of the messages of OTLP: tags by the message and the field's name in the public definition. */

export const TRACES_DATA = {resourceSpans: delimitedField(1)} as const;

export const RESOURCE_SPANS = {
  resource: delimitedField(1),
  scopeSpans: delimitedField(2),
  schemaUrl: delimitedField(3),
} as const;

export const RESOURCE = {attributes: delimitedField(1), droppedAttributesCount: varintField(2)} as const;

export const SCOPE_SPANS = {scope: delimitedField(1), spans: delimitedField(2), schemaUrl: delimitedField(3)} as const;

export const SCOPE = {
  name: delimitedField(1),
  version: delimitedField(2),
  attributes: delimitedField(3),
  droppedAttributesCount: varintField(4),
} as const;

export const SPAN = {
  traceId: delimitedField(1),
  spanId: delimitedField(2),
  traceState: delimitedField(3),
  parentSpanId: delimitedField(4),
  name: delimitedField(5),
  kind: varintField(6),
  startTime: fixed64Field(7),
  endTime: fixed64Field(8),
  attributes: delimitedField(9),
  droppedAttributesCount: varintField(10),
  events: delimitedField(11),
  droppedEventsCount: varintField(12),
  links: delimitedField(13),
  droppedLinksCount: varintField(14),
  status: delimitedField(15),
  flags: fixed32Field(16),
} as const;

export const EVENT = {
  time: fixed64Field(1),
  name: delimitedField(2),
  attributes: delimitedField(3),
  droppedAttributesCount: varintField(4),
} as const;

export const LINK = {
  traceId: delimitedField(1),
  spanId: delimitedField(2),
  traceState: delimitedField(3),
  attributes: delimitedField(4),
  droppedAttributesCount: varintField(5),
  flags: fixed32Field(6),
} as const;

export const STATUS = {message: delimitedField(2), code: varintField(3)} as const;

export const ATTRIBUTE = {key: delimitedField(1), value: delimitedField(2)} as const;

/** Of an array and of a list of keys and values. */
export const LIST = {values: delimitedField(1)} as const;

export const VALUE = {
  string: delimitedField(1),
  bool: varintField(2),
  int: varintField(3),
  double: fixed64Field(4),
  array: delimitedField(5),
  keyValueList: delimitedField(6),
  bytes: delimitedField(7),
} as const;
