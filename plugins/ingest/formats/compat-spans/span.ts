import {
  type CompatAnnotation,
  type CompatEndpoint,
  type CompatSpan,
  compareNames,
} from '../../../../core/api/plugin.js';
import type {Addresses} from '../../../../core/toolkit/traces/addresses.js';
import {CUT} from '../../../../core/toolkit/traces/content-budget.js';
import {NAME_BYTES, textProblem} from '../../../../core/toolkit/traces/text-limits.js';
import type {RecordObject} from '../json/record-object.js';
import {readParentId, readSpanId, readTraceId} from './ids.js';

const NO_TAGS: ReadonlyMap<string, string> = new Map();

const GREATEST_PORT = 65_535;

/** Assembled key by key, for spreading what may be absent costs more than all of the reading. */
type Draft<T> = {-readonly [Key in keyof T]: T[Key]};

/** Reads and normalises a span of the Zipkin v2 API. Keys that the API does not know are passed over. */
export function readSpan(span: RecordObject, addresses: Addresses): CompatSpan {
  if (!span.has('id') && span.has('traceSegmentId')) {
    span.refuse('id', 'missing: this is a native segment, and no compat span');
  }
  refuseVersion1(span);
  const id = readSpanId(span);
  const annotations = span.first(span.objects('annotations'));
  const read: Draft<CompatSpan> = {
    traceId: readTraceId(span),
    id,
    annotations: readAnnotations(annotations.items),
    tags: readTags(span.object('tags'), annotations.mark),
  };
  const parentId = readParentId(span, id);
  if (parentId !== undefined) read.parentId = parentId;
  const kind = span.name('kind').toUpperCase();
  if (kind !== '') read.kind = kind;
  const name = span.name('name').toLowerCase();
  if (name !== '') read.name = name;
  const timestamp = readMicroseconds(span, 'timestamp');
  if (timestamp !== undefined) read.timestamp = timestamp;
  const duration = readMicroseconds(span, 'duration');
  if (duration !== undefined) read.duration = duration;
  if ((timestamp ?? 0) + (duration ?? 0) > Number.MAX_SAFE_INTEGER) {
    span.refuse(
      'duration',
      `found ${span.written('duration')}, expected an end up to ${Number.MAX_SAFE_INTEGER} microseconds`,
    );
  }
  const localEndpoint = readEndpoint(span.object('localEndpoint'), addresses);
  if (localEndpoint !== undefined) read.localEndpoint = localEndpoint;
  const remoteEndpoint = readEndpoint(span.object('remoteEndpoint'), addresses);
  if (remoteEndpoint !== undefined) read.remoteEndpoint = remoteEndpoint;
  if (span.flag('debug')) read.debug = true;
  if (span.flag('shared')) read.shared = true;
  return read;
}

/** Keys of version 2 alone. */
const VERSION_2 = ['kind', 'localEndpoint', 'remoteEndpoint', 'tags', 'shared'];

/** Read as version 2, a span of version 1 would lose its service and all its tags. */
function refuseVersion1(span: RecordObject): void {
  const problem = 'belongs to version 1 of the Zipkin API; spans of version 2 are taken here';
  if (span.has('binaryAnnotations')) span.refuse('binaryAnnotations', problem);
  if (VERSION_2.some(key => span.has(key))) return;
  for (const annotation of span.objects('annotations')) {
    if ((annotation.object('endpoint')?.keys().length ?? 0) > 0) annotation.refuse('endpoint', problem);
  }
}

/**
 * A time or a duration; undefined when absent, zero or negative. Senders also write fractions: what is less than one
 * microsecond counts as one, any other rest is cut.
 */
function readMicroseconds(object: RecordObject, key: string): number | undefined {
  const number = object.number(key);
  if (number === undefined || number <= 0) return undefined;
  if (number > Number.MAX_SAFE_INTEGER) {
    const hint = number > 1e17 ? '; these look like nanoseconds' : '';
    object.refuse(key, `found ${object.written(key)}, expected microseconds up to ${Number.MAX_SAFE_INTEGER}${hint}`);
  }
  return Math.max(1, Math.floor(number));
}

function readEndpoint(endpoint: RecordObject | undefined, addresses: Addresses): CompatEndpoint | undefined {
  if (endpoint === undefined) return undefined;
  const serviceName = endpoint.name('serviceName').toLowerCase();
  // Either key may hold an address of the other family.
  const [first, second] = [addresses.of(endpoint.content('ipv4')), addresses.of(endpoint.content('ipv6'))];
  const {ipv4 = second.ipv4, ipv6 = second.ipv6} = first;
  const port = Math.trunc(endpoint.number('port') ?? 0);
  if (port > GREATEST_PORT)
    endpoint.refuse('port', `found ${endpoint.written('port')}, expected 0 to ${GREATEST_PORT}`);
  const read: Draft<CompatEndpoint> = {};
  if (serviceName !== '') read.serviceName = serviceName;
  if (ipv4 !== undefined) read.ipv4 = ipv4;
  if (ipv6 !== undefined) read.ipv6 = ipv6;
  if (port > 0) read.port = port;
  return serviceName === '' && ipv4 === undefined && ipv6 === undefined && port <= 0 ? undefined : read;
}

function readAnnotations(objects: readonly RecordObject[]): readonly CompatAnnotation[] {
  const annotations = objects.map(annotation => {
    const timestamp =
      readMicroseconds(annotation, 'timestamp') ??
      annotation.refuse('timestamp', 'missing or not positive; expected microseconds');
    if (!annotation.has('value')) annotation.refuse('value', 'missing');
    return {timestamp, value: annotation.content('value')};
  });
  if (annotations.length < 2) return annotations;
  annotations.sort((a, b) => a.timestamp - b.timestamp || compareNames(a.value, b.value));
  return annotations.filter(({timestamp, value}, i) => {
    const before = annotations[i - 1];
    return before === undefined || before.timestamp !== timestamp || before.value !== value;
  });
}

/** The key of a mark: a tag of the sender's that has it already is not replaced. */
function freeKey(tags: ReadonlyMap<string, string>, key: string): string {
  return tags.has(key) ? freeKey(tags, CUT + key) : key;
}

/** `annotations` tells of annotations that are left out, as a tag does of tags. */
function readTags(tags: RecordObject | undefined, annotations: string | undefined): ReadonlyMap<string, string> {
  if (tags === undefined) return annotations === undefined ? NO_TAGS : new Map([[`${CUT}annotations`, annotations]]);
  const {items, mark} = tags.first(tags.keys());
  let read = new Map<string, string>();
  let last = '';
  let isSorted = true;
  for (const written of items) {
    const key = written.toWellFormed();
    const problem = textProblem(key, NAME_BYTES);
    if (problem !== undefined) tags.refuse(key, `in the key itself: ${problem}`);
    if (!tags.has(written)) tags.refuse(key, 'found null, expected a text');
    isSorted &&= compareNames(last, key) <= 0;
    last = key;
    // Of two keys that have become the same the later one stands.
    read.set(key, tags.content(written));
  }
  if (mark !== undefined) read.set(freeKey(read, `${CUT}tags`), mark);
  if (annotations !== undefined) read.set(freeKey(read, `${CUT}annotations`), annotations);
  if (!isSorted || mark !== undefined || annotations !== undefined) read = new Map([...read].sort(byKey));
  return read;
}

function byKey([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return compareNames(a, b);
}
