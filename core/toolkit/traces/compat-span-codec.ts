import type {CompatAnnotation, CompatEndpoint, CompatSpan} from '../../api/adapter.js';

/**
 * Compat spans as JSON arrays, by position, because names of keys would be half of the text. An adapter that searches the
 * tags in columns of their own keeps the short form, another one the form with the tags in it. The trace id is in neither.
 */

type Mutable<Type> = {-readonly [Key in keyof Type]: Type[Key]};

type EndpointBody = readonly [
  serviceName: string | null,
  ipv4: string | null,
  ipv6: string | null,
  port: number | null,
];

type Head = readonly [
  id: string,
  parentId: string | null,
  kind: string | null,
  name: string | null,
  timestamp: number | null,
  duration: number | null,
  localEndpoint: EndpointBody | null,
  remoteEndpoint: EndpointBody | null,
  /** Time and value in turn. */
  annotations: readonly (number | string)[],
];

type Flags = readonly [debug: boolean | null, shared: boolean | null];

/** Without its tags. */
export type CompatSpanBody = readonly [...Head, ...Flags];

/** With its tags, key and value in turn. */
export type TaggedCompatSpanBody = readonly [...Head, tags: readonly string[], ...Flags];

export function encodeCompatSpan(span: CompatSpan): CompatSpanBody {
  return [
    span.id,
    span.parentId ?? null,
    span.kind ?? null,
    span.name ?? null,
    span.timestamp ?? null,
    span.duration ?? null,
    encodeEndpoint(span.localEndpoint),
    encodeEndpoint(span.remoteEndpoint),
    encodeAnnotations(span.annotations),
    span.debug ?? null,
    span.shared ?? null,
  ];
}

// Written out again: an array that is put together of others takes half as long again to become text.
export function encodeTaggedCompatSpan(span: CompatSpan): TaggedCompatSpanBody {
  return [
    span.id,
    span.parentId ?? null,
    span.kind ?? null,
    span.name ?? null,
    span.timestamp ?? null,
    span.duration ?? null,
    encodeEndpoint(span.localEndpoint),
    encodeEndpoint(span.remoteEndpoint),
    encodeAnnotations(span.annotations),
    encodeTags(span.tags),
    span.debug ?? null,
    span.shared ?? null,
  ];
}

/** `body` is what `encodeCompatSpan` gave; `tags` become those of the span. */
export function decodeCompatSpan(traceId: string, body: CompatSpanBody, tags: ReadonlyMap<string, string>): CompatSpan {
  return decode(traceId, body, tags, body[9], body[10]);
}

/** `body` is what `encodeTaggedCompatSpan` gave. */
export function decodeTaggedCompatSpan(traceId: string, body: TaggedCompatSpanBody): CompatSpan {
  return decode(traceId, body, decodeTags(body[9]), body[10], body[11]);
}

function decode(
  traceId: string,
  body: readonly [...Head, ...unknown[]],
  tags: ReadonlyMap<string, string>,
  debug: boolean | null,
  shared: boolean | null,
): CompatSpan {
  const [id, parentId, kind, name, timestamp, duration, local, remote, annotations] = body;
  // By assignment: spreading conditional objects would take most of the time that a large trace takes.
  const span: Mutable<CompatSpan> = {traceId, id, annotations: decodeAnnotations(annotations), tags};
  if (parentId !== null) span.parentId = parentId;
  if (kind !== null) span.kind = kind;
  if (name !== null) span.name = name;
  if (timestamp !== null) span.timestamp = timestamp;
  if (duration !== null) span.duration = duration;
  if (local !== null) span.localEndpoint = decodeEndpoint(local);
  if (remote !== null) span.remoteEndpoint = decodeEndpoint(remote);
  if (debug !== null) span.debug = debug;
  if (shared !== null) span.shared = shared;
  return span;
}

function encodeEndpoint(endpoint: CompatEndpoint | undefined): EndpointBody | null {
  if (endpoint === undefined) return null;
  const {serviceName, ipv4, ipv6, port} = endpoint;
  return [serviceName ?? null, ipv4 ?? null, ipv6 ?? null, port ?? null];
}

function decodeEndpoint([serviceName, ipv4, ipv6, port]: EndpointBody): CompatEndpoint {
  const endpoint: Mutable<CompatEndpoint> = {};
  if (serviceName !== null) endpoint.serviceName = serviceName;
  if (ipv4 !== null) endpoint.ipv4 = ipv4;
  if (ipv6 !== null) endpoint.ipv6 = ipv6;
  if (port !== null) endpoint.port = port;
  return endpoint;
}

function encodeAnnotations(annotations: readonly CompatAnnotation[]): readonly (number | string)[] {
  const flat: (number | string)[] = [];
  for (const {timestamp, value} of annotations) flat.push(timestamp, value);
  return flat;
}

function encodeTags(tags: ReadonlyMap<string, string>): readonly string[] {
  const flat: string[] = [];
  for (const [key, value] of tags) flat.push(key, value);
  return flat;
}

// The casts stand in the hottest loops of reading a trace: what was written comes in pairs.
function decodeAnnotations(flat: readonly (number | string)[]): readonly CompatAnnotation[] {
  const annotations: CompatAnnotation[] = [];
  for (let i = 0; i < flat.length; i += 2) {
    annotations.push({timestamp: flat[i] as number, value: flat[i + 1] as string});
  }
  return annotations;
}

function decodeTags(flat: readonly string[]): ReadonlyMap<string, string> {
  const tags = new Map<string, string>();
  for (let i = 0; i < flat.length; i += 2) tags.set(flat[i] as string, flat[i + 1] as string);
  return tags;
}
