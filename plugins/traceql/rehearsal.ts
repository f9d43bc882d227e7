import {
  AnyOrder,
  type AskedTimes,
  type Parameters,
  type Rehearsal,
  type RehearsedAnswer,
  type Telling,
} from '../../core/api/plugin.js';
import {MS_PER_SECOND} from '../../core/toolkit/time.js';
import {readTraceMessage} from './otlp/read-protobuf.js';

const BY_ID: readonly string[] = ['/api/traces/:id', '/api/v2/traces/:id'];

/** Of a trace by its id, times are checked and have no effect. */
function times(route: string, _parameters: Parameters): AskedTimes | undefined {
  return BY_ID.includes(route) ? undefined : {start: 'start', end: 'end', bucket: MS_PER_SECOND};
}

function telling({route, contentType, body}: RehearsedAnswer): Telling {
  if (contentType.startsWith('application/protobuf'))
    return tellingOf(readTraceMessage(body, route === BY_ID[1] ? 'v2' : 'v1'), '');
  return tellingOf(JSON.parse(Buffer.from(body).toString()), '');
}

type Members = Readonly<Record<string, unknown>>;

/** Lists whose order says nothing, and by what their items are known. What is not here is in the order of the API. */
const KEYS: Readonly<Record<string, (item: unknown) => unknown>> = {
  attributes: item => (item as Members).key,
  spans: item => (item as Members).spanId ?? (item as Members).spanID,
  batches: item => (item as Members).resource,
  resourceSpans: item => (item as Members).resource,
  scopeSpans: item => (item as Members).scope,
  instrumentationLibrarySpans: item => (item as Members).scope,
  events: item => item,
  links: item => item,
  scopes: item => (item as Members).name,
  tags: item => item,
  tagNames: item => item,
  tagValues: item => item,
};

function tellingOf(value: unknown, name: string): Telling {
  if (Array.isArray(value)) {
    const keyOf = KEYS[name];
    if (keyOf === undefined) return value.map(item => tellingOf(item, ''));
    return new AnyOrder(value.map(item => [nameOf(keyOf(item)), tellingOf(item, '')]));
  }
  if (typeof value !== 'object' || value === null) return value as Telling;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, tellingOf(member, key)]));
}

/** The same for what says the same, whatever the order of its own lists. */
function nameOf(key: unknown): string {
  return typeof key === 'string' ? key : JSON.stringify(sorted(key));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  const pairs = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(pairs.map(([key, member]) => [key, sorted(member)]));
}

/** How the queries of this API are asked of another storage, and what their answers say. */
export const rehearsal: Rehearsal = {times, telling};
