import type {Attribute, SpanFilter, SpanKind, TimeWindow} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {otlp} from '../../data/otlp-format.js';
import {compat, native, type TraceFormat} from '../../data/trace-formats.js';
import type {Group} from '../../group.js';
import type {Subject} from '../../subject.js';
import {ALL, at, SPANS} from './scene.js';

const tag = (key: string, value: string) => ({on: 'tag', key, value}) as const;

const KEYS: readonly {
  readonly filter: SpanFilter;
  readonly window?: TimeWindow;
  readonly keys: readonly string[];
}[] = [
  {
    filter: [],
    keys: ['', 'color', 'empty', 'env', 'error', 'http.method', 'k"\\', 'name', 'part', 'tie', '\u{1F600}'],
  },
  {filter: [{on: 'service', value: 'songs'}], keys: ['env', 'http.method']},
  {
    filter: [
      {on: 'service', value: 'app'},
      {on: 'kind', value: 'CLIENT'},
    ],
    keys: ['env'],
  },
  {filter: [{on: 'status', value: 'ERROR'}], keys: ['error', 'http.method']},
  {filter: [tag('color', 'red')], keys: ['color']},
  {filter: [{on: 'name', value: 'compute'}], keys: []},
  {filter: [], window: {from: at(1010), to: at(1015)}, keys: ['env']},
  {filter: [], window: {from: at(1010), to: at(1015) + 1}, keys: ['env', 'http.method']},
  {filter: [], window: {from: at(100_000), to: at(200_000)}, keys: []},
];

/** By the earliest span that has them, then by code points. */
const VALUES: readonly {
  readonly attribute: Attribute;
  readonly filter?: SpanFilter;
  readonly window?: TimeWindow;
  readonly values: readonly string[];
}[] = [
  {attribute: {of: 'service'}, values: ['app', 'songs', 'db', 'split', 'other', "it's", '中文\u{1F600}']},
  {attribute: {of: 'service'}, filter: [tag('env', 'test')], values: ['songs']},
  {attribute: {of: 'service'}, window: {from: at(1015), to: at(2001)}, values: ['songs', 'app']},
  {
    attribute: {of: 'name'},
    values: ['get /', 'call songs', 'get /songs', 'compute', 'tie', 'first', 'a % b_c', 'second'],
  },
  {attribute: {of: 'name'}, filter: [{on: 'service', value: 'songs'}], values: ['get /songs']},
  {attribute: {of: 'kind'}, values: ['SERVER', 'CLIENT', 'INTERNAL', 'UNSPECIFIED']},
  {attribute: {of: 'kind'}, window: {from: at(2000), to: at(3000)}, values: ['SERVER', 'INTERNAL']},
  {attribute: {of: 'tag', key: 'env'}, values: ['prod', 'test']},
  {attribute: {of: 'tag', key: 'env'}, window: {from: at(1015), to: at(9000)}, values: ['test']},
  {attribute: {of: 'tag', key: 'tie'}, values: ['a', 'b']},
  {attribute: {of: 'tag', key: 'http.method'}, values: ['GET', 'POST']},
  {attribute: {of: 'tag', key: 'http.method'}, filter: [{on: 'status', value: 'ERROR'}], values: ['POST']},
  {attribute: {of: 'tag', key: 'part'}, window: {from: at(3_600_000), to: at(4_000_000)}, values: ['second']},
  {attribute: {of: 'tag', key: 'k"\\'}, values: ["'; DROP TABLE spans; --"]},
  {attribute: {of: 'tag', key: ''}, values: ['']},
  {attribute: {of: 'tag', key: 'empty'}, values: ['']},
  {attribute: {of: 'tag', key: 'name'}, values: ['tagged']},
  {attribute: {of: 'tag', key: 'service'}, values: []},
  {attribute: {of: 'tag', key: 'ENV'}, values: []},
  {attribute: {of: 'tag', key: '%'}, values: []},
];

export function listing<Fragment, Trace>(kind: TraceFormat<Fragment, Trace>): Group {
  /** Kinds that the storage does not tell apart are listed once. */
  const heldValues = (attribute: Attribute, values: readonly string[], {options}: Subject): readonly string[] =>
    attribute.of === 'kind'
      ? [...new Set(values.map(value => kind.representableKind(value as SpanKind, options.unsupported)))]
      : values;

  return {
    name: `${kind.name}_listing`,
    needs: [kind.query],
    data: kind.data([SPANS.map(span => kind.fragment(span))]),
    tests: {
      [`tag keys of ${kind.name} spans are those of the window and the filter, in code point order`]: async (
        t,
        subject,
      ) => {
        for (const {filter, window = ALL, keys} of KEYS) {
          const found = await kind.reader(subject).tagKeys({filter, ...window}, call);
          t.deepEqual([...found], keys, JSON.stringify({filter, window}));
        }
      },
      [`attribute values of ${kind.name} spans come by the earliest span that has them, then by code points`]: async (
        t,
        subject,
      ) => {
        for (const {attribute, filter = [], window = ALL, values} of VALUES) {
          const found = await kind.reader(subject).attributeValues({attribute, filter, ...window, limit: 100}, call);
          t.deepEqual([...found], heldValues(attribute, values, subject), JSON.stringify({attribute, filter, window}));
        }
      },
      [`attribute values of ${kind.name} spans are cut to the limit`]: async (t, subject) => {
        for (const {attribute, filter = [], window = ALL, values} of VALUES) {
          for (const limit of [1, 2, 3]) {
            const found = await kind.reader(subject).attributeValues({attribute, filter, ...window, limit}, call);
            const expected = heldValues(attribute, values, subject).slice(0, limit);
            t.deepEqual([...found], expected, JSON.stringify({attribute, filter, window, limit}));
          }
        }
      },
      [`the statuses of ${kind.name} spans are listed`]: async (t, subject) => {
        const request = {attribute: {of: 'status'}, filter: [], ...ALL} as const;
        const all = await kind.reader(subject).attributeValues({...request, limit: 9}, call);
        t.deepEqual([...all], [kind.fine, 'ERROR'], 'statuses');
        const errors: SpanFilter = [{on: 'status', value: 'ERROR'}];
        const some = await kind.reader(subject).attributeValues({...request, filter: errors, limit: 9}, call);
        t.deepEqual([...some], ['ERROR'], 'statuses of errors');
      },
    },
  };
}

export const compatListing = listing(compat);
export const nativeListing = listing(native);
export const otlpListing = listing(otlp);
