import {
  type CompatAnnotation,
  type CompatEndpoint,
  type CompatSpan,
  type CompatTrace,
  compareCompatRoots,
  compatSpanView,
} from '../../api/adapter.js';
import type {TraceKind} from './model.js';

type Mutable<Type> = {-readonly [Key in keyof Type]: Type[Key]};

type Endpoint = readonly [string | null, string | null, string | null, number | null];

/** A span by position, because names of keys would be half of the text. */
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
  /** Key and value in turn. */
  tags: readonly string[],
  debug: boolean | null,
  shared: boolean | null,
];

/** The standard forms are 16 and 32 digits; the longer one is for ids that need more than 64 bits. */
const SHORT = 16;
const LONG = 32;

export const compatKind: TraceKind<CompatSpan, CompatTrace> = {
  name: 'compat',

  canonicalId(text) {
    const digits = text.toLowerCase().replace(/^0+/, '');
    if (digits.length > LONG || !/^[0-9a-f]+$/.test(digits)) return undefined;
    return digits.padStart(digits.length > SHORT ? LONG : SHORT, '0');
  },

  traceId: span => span.traceId,

  identity: ({id, kind = '', shared}) => `${id}${shared === true ? '+' : '-'}${kind}`.toWellFormed(),

  encode(span) {
    const annotations: (number | string)[] = [];
    for (const {timestamp, value} of span.annotations) annotations.push(timestamp, value);
    const tags: string[] = [];
    for (const [key, value] of span.tags) tags.push(key, value);
    const body: Body = [
      span.id,
      span.parentId ?? null,
      span.kind ?? null,
      span.name ?? null,
      span.timestamp ?? null,
      span.duration ?? null,
      encodeEndpoint(span.localEndpoint),
      encodeEndpoint(span.remoteEndpoint),
      annotations,
      tags,
      span.debug ?? null,
      span.shared ?? null,
    ];
    return JSON.stringify(body);
  },

  decode(traceId, body) {
    const [id, parentId, kind, name, timestamp, duration, local, remote, annotations, tags, debug, shared] =
      body as Body;
    // By assignment: spreading conditional objects would take most of the time that a large trace takes.
    const span: Mutable<CompatSpan> = {
      traceId,
      id,
      annotations: decodeAnnotations(annotations),
      tags: decodeTags(tags),
    };
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
  },

  spans(span) {
    const {service, name, kind, status, duration} = compatSpanView(span);
    return [{start: span.timestamp, duration, service, name, kind, status, tags: span.tags}];
  },

  trace: (traceId, spans, summary) => (summary === undefined ? {traceId, spans} : {traceId, spans, summary}),
  parts: span => [span],
  hasParent: ({parentId}) => parentId !== undefined,
  compareRoots: compareCompatRoots,
};

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

function decodeTags(flat: readonly string[]): ReadonlyMap<string, string> {
  const tags = new Map<string, string>();
  for (let i = 0; i < flat.length; i += 2) tags.set(flat[i] as string, flat[i + 1] as string);
  return tags;
}
