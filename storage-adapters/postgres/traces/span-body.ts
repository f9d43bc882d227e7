import type {CompatAnnotation, CompatEndpoint, CompatSpan} from '../../../core/api/adapter.js';

type Mutable<Type> = {-readonly [Key in keyof Type]: Type[Key]};

type Endpoint = readonly [service: string | null, ipv4: string | null, ipv6: string | null, port: number | null];

/**
 * What of a span is shown and not searched, by position, because names of keys would be half of the text. Kept as JSON in
 * a column of text, which holds every string there is: JSON escapes what the database cannot store.
 */
type Body = readonly [
  id: string,
  parentId: string | null,
  kind: string | null,
  name: string | null,
  timestamp: number | null,
  duration: number | null,
  localEndpoint: Endpoint | null,
  remoteEndpoint: Endpoint | null,
  /** Time and value in turn. */
  annotations: readonly (number | string)[],
  debug: boolean | null,
  shared: boolean | null,
];

export function encodeBody(span: CompatSpan): string {
  const body: Body = [
    span.id,
    span.parentId ?? null,
    span.kind ?? null,
    span.name ?? null,
    span.timestamp ?? null,
    span.duration ?? null,
    encodeEndpoint(span.localEndpoint),
    encodeEndpoint(span.remoteEndpoint),
    span.annotations.flatMap(({timestamp, value}) => [timestamp, value]),
    span.debug ?? null,
    span.shared ?? null,
  ];
  return JSON.stringify(body);
}

export function decodeBody(traceId: string, body: string, tags: ReadonlyMap<string, string>): CompatSpan {
  const [id, parentId, kind, name, timestamp, duration, local, remote, annotations, debug, shared] = JSON.parse(
    body,
  ) as Body;
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

function encodeEndpoint(endpoint: CompatEndpoint | undefined): Endpoint | null {
  if (endpoint === undefined) return null;
  const {serviceName, ipv4, ipv6, port} = endpoint;
  return [serviceName ?? null, ipv4 ?? null, ipv6 ?? null, port ?? null];
}

function decodeEndpoint([serviceName, ipv4, ipv6, port]: Endpoint): CompatEndpoint {
  const endpoint: Mutable<CompatEndpoint> = {};
  if (serviceName !== null) endpoint.serviceName = serviceName;
  if (ipv4 !== null) endpoint.ipv4 = ipv4;
  if (ipv6 !== null) endpoint.ipv6 = ipv6;
  if (port !== null) endpoint.port = port;
  return endpoint;
}

function decodeAnnotations(flat: readonly (number | string)[]): readonly CompatAnnotation[] {
  const annotations: CompatAnnotation[] = [];
  for (let i = 0; i < flat.length; i += 2) {
    annotations.push({timestamp: flat[i] as number, value: flat[i + 1] as string});
  }
  return annotations;
}
