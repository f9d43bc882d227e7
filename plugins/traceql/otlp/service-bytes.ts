/**
 * The one `ResourceSpans` message of an encoded trace, taken apart and put together, so that spans which were encoded in
 * batches stand in one element. Field numbers are those of opentelemetry-proto `trace/v1/trace.proto`: `TracesData` has
 * `resource_spans = 1`, `ResourceSpans` has `resource = 1` and `scope_spans = 2`, `ScopeSpans` has `scope = 1` and `spans = 2`.
 */
export interface ServiceBytes {
  /** The fields `resource` and `scope`, with their tags. */
  readonly resource: Uint8Array;
  readonly scope: Uint8Array;
  /** All fields `spans`, with their tags. */
  readonly spans: Uint8Array;
}

/** Takes apart a `TracesData` of one resource and one scope, whose fields stand in the order of their numbers. */
export function splitService(tracesData: Uint8Array): ServiceBytes {
  const resourceSpans = contentOf(tracesData, 1);
  const resource = fieldOf(resourceSpans, 1);
  const scopeSpans = contentOf(resourceSpans.subarray(resource.length), 2);
  const scope = fieldOf(scopeSpans, 1);
  return {resource, scope, spans: scopeSpans.subarray(scope.length)};
}

/** One `resource_spans` field of a `TracesData` with the spans of all batches of one service, in pieces. */
export function joinService(batches: readonly ServiceBytes[]): readonly Uint8Array[] {
  const [first] = batches;
  if (first === undefined) return [];
  const {resource, scope} = first;
  const scopeSpans = [scope, ...batches.map(({spans}) => spans)];
  const inner = [resource, lengthDelimited(2, lengthOf(scopeSpans)), ...scopeSpans];
  return [lengthDelimited(1, lengthOf(inner)), ...inner];
}

export function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((length, piece) => length + piece.length, 0);
}

/** The tag of a length-delimited field, and the length as a varint. */
export function lengthDelimited(field: number, length: number): Uint8Array {
  const bytes = [tagOf(field)];
  let rest = length;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

function tagOf(field: number): number {
  return (field << 3) | 2;
}

/** The first field with its tag and length, which must have that number. */
function fieldOf(bytes: Uint8Array, field: number): Uint8Array {
  return bytes.subarray(0, boundsOf(bytes, field).end);
}

function contentOf(bytes: Uint8Array, field: number): Uint8Array {
  const {start, end} = boundsOf(bytes, field);
  return bytes.subarray(start, end);
}

/** Where the content of the first field begins and ends. */
function boundsOf(bytes: Uint8Array, field: number): {readonly start: number; readonly end: number} {
  if (bytes[0] !== tagOf(field)) throw new Error(`the serializer has written no field ${field} where one is expected`);
  let length = 0;
  let at = 1;
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[at++] ?? 0;
    length += (byte & 0x7f) * factor;
    if (byte < 0x80) return {start: at, end: at + length};
  }
}
