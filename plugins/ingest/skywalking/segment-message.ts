import {GatewayError, type Segment} from '../../../core/api/plugin.js';
import {delimitedField, WireReader} from '../../../core/toolkit/protobuf/wire-reader.js';
import type {ContentBudget} from '../../../core/toolkit/traces/content-budget.js';
import {RecordObject} from '../formats/json/record-object.js';
import {readSegment} from '../formats/native-segments/segment.js';
import type {Fields} from '../formats/refusal.js';
import {decodeSegment} from './contract.js';

/** Spans, references, tags and log entries of one message: an empty one has two bytes, and becomes an object of hundreds. */
const MESSAGE_PARTS = 200_000;

/** The fields of a message that are messages, each with those of its own. */
interface Shape {
  readonly [field: number]: Shape;
}

const LEAF: Shape = {};
const SPAN: Shape = {5: LEAF, 12: LEAF, 13: {2: LEAF}};
const SEGMENT: Shape = {3: SPAN};

/** Reads a message of an agent. Throws `bad_request` when it cannot be stored. */
export function readSegmentMessage(bytes: Buffer, contents: ContentBudget): Segment {
  const reader = new WireReader(bytes);
  countParts(reader, SEGMENT, bytes.length, 0);
  contents.beginRecord();
  const {spans = [], ...segment} = decodeSegment(bytes);
  // The first word of an enumeration is not sent; in JSON a span without a type has none.
  const typed = (spans as readonly Fields[]).map(span => ({spanType: 0, ...span}));
  return readSegment(new RecordObject({...segment, spans: typed}, contents));
}

/** Walks through the message before anything of it is made: whether it is whole, and not made of too many parts. */
function countParts(reader: WireReader, shape: Shape, end: number, before: number): number {
  let count = before;
  while (reader.position < end) {
    const tag = reader.tag(end);
    const part = shape[Math.floor(tag / 8)];
    if (part === undefined || tag % 8 !== delimitedField(0)) {
      reader.skip(end);
      continue;
    }
    if (++count > MESSAGE_PARTS) {
      throw new GatewayError(
        'bad_request',
        `found more than ${MESSAGE_PARTS} spans, tags and log entries in a segment`,
      );
    }
    const limit = reader.limit(end);
    if (part === LEAF) reader.position = limit;
    else count = countParts(reader, part, limit, count);
  }
  return count;
}
