import {COMPAT_NAMES, COMPAT_SERVICES, compatId, TAG_KEYS, TAG_VALUES} from './compat-spans.js';
import {BUSY_HOUR} from './metric-records.js';
import {NATIVE_SERVICES, nativeId, OPERATIONS} from './native-segments.js';
import {OTLP_NAMES, OTLP_SERVICES, otlpId, RESOURCE_KEYS} from './otlp-spans.js';
import type {SwapRequest} from './request.js';

export type TraceKind = 'compat' | 'native' | 'otlp';

const WINDOW = {start: String(BUSY_HOUR), end: String(BUSY_HOUR + 3599)};
const EARLY = {start: String(BUSY_HOUR), end: String(BUSY_HOUR + 599)};
const BEFORE = {start: '1000', end: '2000'};
const PROTOBUF = {accept: 'application/protobuf'};

const NAMES = {
  compat: {services: COMPAT_SERVICES, names: COMPAT_NAMES, id: compatId},
  native: {
    services: NATIVE_SERVICES,
    names: OPERATIONS,
    id: (index: number) => Buffer.from(nativeId(index)).toString('hex'),
  },
  otlp: {services: OTLP_SERVICES, names: OTLP_NAMES, id: otlpId},
} as const;

const text = (value: string): string => JSON.stringify(value);
const key = (name: string): string => (/^[\w.]+$/.test(name) ? name : text(name));

/** What a trace view asks of the Tempo API under the prefix of one kind of traces. */
export function traceRequests(kind: TraceKind): readonly SwapRequest[] {
  const {services, names, id} = NAMES[kind];
  // Compat spans are never `ok`, native ones never `unset`; spans of OTLP may be all three.
  const absent = {compat: 'ok', native: 'unset', otlp: ''}[kind];
  const to = (path: string, parameters: SwapRequest['parameters'], finds: SwapRequest['finds'] = 'something') => ({
    listener: 'traces' as const,
    path: `/${kind}/api/${path}`,
    ...(parameters === undefined ? {} : {parameters}),
    finds,
  });
  const search = (q: string, more: SwapRequest['parameters'] = WINDOW, finds: SwapRequest['finds'] = 'something') =>
    to('search', {q, limit: '50', ...more}, finds);
  const tags = TAG_KEYS.map(name => `span.${key(name)}`);

  return [
    ...[0, 1, 2, 5, 10].flatMap(index =>
      ['traces', 'v2/traces'].flatMap(path => [
        to(`${path}/${id(index)}`, undefined),
        {...to(`${path}/${id(index)}`, undefined), headers: PROTOBUF},
      ]),
    ),
    to(`traces/${id(9999)}`, undefined, 'an error'),
    to('traces/zz', undefined, 'an error'),
    ...(kind !== 'native' ? [to(`traces/${id(3).replace(/^0+/, '').toUpperCase()}`, undefined)] : []),
    search('{}'),
    search('{}', {...WINDOW, limit: '3'}),
    search('{}', EARLY),
    search('{}', BEFORE, 'nothing'),
    ...services.flatMap(service => [
      search(`{resource.service.name=${text(service)}}`),
      search(`{resource.service.name=${text(service)} && duration>500ms}`),
      search(`{resource.service.name=${text(service)} && status=error}`, {...WINDOW, limit: '20'}),
    ]),
    ...names.map(name => search(`{name=${text(name)}}`)),
    ...['server', 'client', 'internal'].map(name => search(`{kind=${name}}`)),
    ...['ok', 'error', 'unset'].map(name =>
      search(`{status=${name}}`, WINDOW, name === absent ? 'nothing' : 'something'),
    ),
    ...tags.flatMap((tag, i) => TAG_VALUES.slice(i % 3, (i % 3) + 3).map(value => search(`{${tag}=${text(value)}}`))),
    search(`{${tags[0]}="GET" && kind=server}`),
    search(`{${tags[0]}="no such value"}`, WINDOW, 'nothing'),
    search('{}', {...WINDOW, minDuration: '200ms'}),
    search('{}', {...WINDOW, minDuration: '100ms', maxDuration: '900ms'}),
    search('{duration<=100ms}'),
    search('{name=~"x"}', WINDOW, 'an error'),
    to('search', {tags: 'http.method=GET', ...WINDOW}),
    ...['', 'resource', 'span', 'intrinsic'].flatMap(scope => [
      to('v2/search/tags', {...WINDOW, ...(scope === '' ? {} : {scope})}),
      to('search/tags', {...WINDOW, ...(scope === '' ? {} : {scope})}),
    ]),
    to('v2/search/tags', {...EARLY, q: `{resource.service.name=${text(services[0])}}`}),
    to('v2/search/tags', {...WINDOW, limit: '2'}),
    ...[...tags, 'resource.service.name', 'name', 'status', 'kind'].flatMap(name => {
      const path = `v2/search/tag/${encodeURIComponent(name)}/values`;
      return [
        to(path, WINDOW),
        to(path, {...WINDOW, limit: '2'}),
        to(path, {...WINDOW, q: `{resource.service.name=${text(services[1])}}`}),
        to(path, BEFORE, name === 'status' ? 'something' : 'nothing'),
      ];
    }),
    ...(kind === 'otlp' ? RESOURCE_KEYS.map(name => `resource.${key(name)}`) : []).flatMap(name => [
      ...TAG_VALUES.map(value => search(`{${name}=${text(value)}}`)),
      search(`{${name}=500 && ${tags[0]}=500}`),
      to(`v2/search/tag/${encodeURIComponent(name)}/values`, WINDOW),
      to(`v2/search/tag/${encodeURIComponent(name)}/values`, {...WINDOW, q: `{${tags[1]}=true}`}),
    ]),
    to('search/tag/http.method/values', WINDOW),
    to('search/tag/service.name/values', WINDOW),
  ];
}
