import {compatPlace, nativePlace, type SpanPlace} from '../../../../core/api/adapter.js';
import {decodeTaggedCompatSpan, type TaggedCompatSpanBody} from '../../../../core/toolkit/traces/compat-span-codec.js';
import type {Body} from '../../threads/bodies.js';
import type {SegmentBody} from './segment-codec.js';

/**
 * Where the spans of a large trace stand in it, from the texts that are stored. Only their beginnings are looked at: to parse
 * ten thousand spans for their order, which the serving thread parses again to show them, would double what the trace costs.
 * The texts are those of `JSON.stringify`, without white space.
 */

/** A span as a fragment of its own. */
export interface PlacedBody {
  readonly place: SpanPlace;
  readonly body: Body;
}

/** Id, kind, start and service of a compat span, where no text of them has an escape. */
const COMPAT_HEAD =
  /^\["([^"\\]*)",(?:null|"[^"\\]*"),(?:null|"([^"\\]*)"),(?:null|"[^"\\]*"),(?:null|(\d+)),(?:null|\d+),(?:null,|\[(?:null|"([^"\\]*)"),)/;

/** The last of a span's fields is whether it is shared. */
const SHARED = ',true]';

export function placeOfCompatBody(body: string): SpanPlace {
  const head = COMPAT_HEAD.exec(body);
  if (head === null) return compatPlace(decodeTaggedCompatSpan('', JSON.parse(body) as TaggedCompatSpanBody));
  const [, id = '', kind, start, serviceName] = head;
  const timestamp = start === undefined ? undefined : Number(start);
  return compatPlace({id, kind, timestamp, localEndpoint: {serviceName}, shared: body.endsWith(SHARED)});
}

/** Number and start of a native span. */
const NATIVE_HEAD = /\[(-?\d+),-?\d+,(-?\d+),/y;

/** Cuts a segment into segments of one span each. */
export function spansOfSegmentBody(body: string): readonly PlacedBody[] {
  const [first, ...others] = spanBounds(body);
  if (first === undefined) return [];
  const start = body.slice(0, first.from);
  const [traceSegmentId, , service] = JSON.parse(`${start}${END}`) as unknown as SegmentBody;
  const placed = (from: number, text: string): PlacedBody => {
    NATIVE_HEAD.lastIndex = from;
    const [, spanId, startTime] = NATIVE_HEAD.exec(body) ?? [];
    const span = {spanId: Number(spanId), startTime: Number(startTime)};
    return {place: nativePlace({segment: {service, traceSegmentId}, span}), body: text};
  };
  if (others.length === 0) return [placed(first.from, body)];
  return [first, ...others].map(({from, to}) => placed(from, `${start}${body.slice(from, to)}${END}`));
}

/** Of the list of spans, and of the segment. */
const END = ']]';
/** How many brackets are open before the bracket of a span. */
const SPAN_DEPTH = 2;

const QUOTE = 0x22;
const OPENING = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING = 0x5d;

function spanBounds(body: string): readonly {readonly from: number; readonly to: number}[] {
  const bounds: {from: number; to: number}[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < body.length; at++) {
    const unit = body.charCodeAt(at);
    if (unit === QUOTE) at = endOfText(body, at);
    else if (unit === OPENING && depth++ === SPAN_DEPTH) from = at;
    else if (unit === CLOSING && --depth === SPAN_DEPTH) bounds.push({from, to: at + 1});
  }
  return bounds;
}

/** The closing quote of the text whose opening one is at `start`: the first with an even number of backslashes before it. */
function endOfText(body: string, start: number): number {
  for (let end = start; ; ) {
    end = body.indexOf('"', end + 1);
    let escapes = 0;
    while (body.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
}
