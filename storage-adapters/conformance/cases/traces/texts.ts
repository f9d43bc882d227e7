import type {SpanFilter} from '../../../../core/api/adapter.js';
import {partOf} from '../../brief.js';
import {call} from '../../call.js';
import {comparable, searched} from '../../comparable.js';
import {otlp} from '../../data/otlp-format.js';
import {LONGEST_NAME, LONGEST_TEXT, longText} from '../../data/texts.js';
import {DAY, ownDays} from '../../data/times.js';
import {
  type CommonSpan,
  comparableFragments,
  comparableTrace,
  compat,
  native,
  type TraceFormat,
} from '../../data/trace-formats.js';
import type {Group} from '../../group.js';

const START = ownDays(18) * 1000;
const ALL = {from: START * 1000, to: (START + DAY * 1000) * 1000};
const LONG = longText(LONGEST_TEXT - 1, 'tag');

/** Values that a storage could take for something else, or for each other. */
const VALUES: readonly string[] = [
  "'",
  "''",
  '"',
  '\\',
  '\\\\',
  "\\'",
  '\\n',
  '\n',
  '\r\n',
  '\t',
  '%',
  '_',
  '%_%',
  '*',
  '?',
  '$1',
  ':name',
  '{value:String}',
  '{}',
  '[]',
  'null',
  'NULL',
  'true',
  '0',
  '0.0',
  '00',
  ' ',
  '  ',
  'a',
  'A',
  'a ',
  ' a',
  'é',
  'e\u0301',
  'ß',
  'ss',
  '中文',
  '\u{1F600}',
  '\uFFFD',
  '\u200b',
  '--',
  '/* */',
  "'; DROP TABLE spans; --",
  "' OR '1'='1",
  '<script>&amp;',
  'a,b;c|d',
  'a=b&c=d',
  '\u0001\u001f\u007f',
  '2023-11-14T22:13:20Z',
  '1e999',
  '__proto__',
  'constructor',
  'tags',
  'traceId',
  longText(LONGEST_NAME, 'name').toLowerCase(),
];

function spanWith(index: number, tags: Readonly<Record<string, string>>, more: Partial<CommonSpan> = {}): CommonSpan {
  return {
    trace: 0x7e870000 + index,
    span: 1,
    start: START + index,
    duration: 1,
    service: 'texts',
    name: 'work',
    kind: 'SERVER',
    error: false,
    tags,
    ...more,
  };
}

const AS_VALUES = VALUES.map((value, i) => spanWith(i, {value}));
const AS_KEYS = VALUES.map((key, i) => spanWith(1000 + i, {[key]: 'key'}, {service: 'keys'}));
const AS_NAMES = VALUES.map((name, i) =>
  spanWith(2000 + i, {}, {name: name.toLowerCase(), service: `n ${name}`.toLowerCase().slice(0, LONGEST_NAME)}),
);

/** Texts of a mebibyte that differ at their end alone. */
const LONGEST = ['a', 'b'].map((end, i) => spanWith(3000 + i, {long: LONG + end}, {service: 'long'}));
const WIDE = spanWith(3010, {long: '\u{1F600}'.repeat(16_384)}, {service: 'wide'});
const NUL = ['\u0000', 'a\u0000b', 'a\u0000c', ''].map((value, i) =>
  spanWith(3020 + i, {nul: value}, {service: 'nul'}),
);

function texts<Fragment, Trace>(kind: TraceFormat<Fragment, Trace>): Group {
  const spans = [...AS_VALUES, ...AS_KEYS, ...AS_NAMES, ...LONGEST, WIDE];
  const fragmentOf = (span: CommonSpan): Fragment => kind.fragment(span);
  const found = async (reader: ReturnType<typeof kind.reader>, filter: SpanFilter): Promise<readonly string[]> => {
    const traces = await searched(reader, {filter, ...ALL});
    return traces.filter(trace => kind.matches(filter, ALL, trace)).map(kind.idOf);
  };
  return {
    name: `${kind.name}_texts`,
    needs: [kind.query],
    data: kind.data([spans.map(fragmentOf)]),
    tests: {
      [`tag values of any characters are found exactly in ${kind.name} spans, and come back`]: async (t, subject) => {
        const reader = kind.reader(subject);
        for (const [i, value] of partOf([...VALUES.entries()], kind.name, subject.options)) {
          const id = kind.id(AS_VALUES[i]?.trace ?? 0);
          const ids = await found(reader, [{on: 'tag', key: 'value', value}]);
          t.deepEqual(ids, [id], JSON.stringify(value));
        }
        const request = {attribute: {of: 'tag', key: 'value'}, filter: [], limit: 1000, ...ALL} as const;
        t.deepEqual([...(await reader.attributeValues(request, call))], VALUES, 'all values');
      },
      [`tag keys of any characters are found exactly in ${kind.name} spans, and come back`]: async (t, subject) => {
        const reader = kind.reader(subject);
        for (const [i, key] of partOf([...VALUES.entries()], kind.name, subject.options)) {
          const id = kind.id(AS_KEYS[i]?.trace ?? 0);
          t.deepEqual(await found(reader, [{on: 'tag', key, value: 'key'}]), [id], JSON.stringify(key));
          const request = {attribute: {of: 'tag', key}, filter: [], limit: 9, ...ALL} as const;
          t.deepEqual([...(await reader.attributeValues(request, call))], ['key'], `values of ${JSON.stringify(key)}`);
        }
        const keys = await reader.tagKeys({filter: [{on: 'service', value: 'keys'}], ...ALL}, call);
        t.deepEqual([...keys].sort(), [...VALUES].sort(), 'all keys');
      },
      [`services and names of any characters are found exactly in ${kind.name} spans`]: async (t, subject) => {
        const reader = kind.reader(subject);
        for (const {name, service, trace} of partOf(AS_NAMES, kind.name, subject.options)) {
          const id = kind.id(trace);
          t.true((await found(reader, [{on: 'name', value: name}])).includes(id), `name ${JSON.stringify(name)}`);
          t.true((await found(reader, [{on: 'service', value: service}])).includes(id), `service ${service}`);
          const both = await found(reader, [
            {on: 'service', value: service},
            {on: 'name', value: name},
          ]);
          const same = AS_NAMES.filter(one => one.name === name && one.service === service);
          t.is(both.length, same.length, `traces with both of ${JSON.stringify(name)}`);
        }
      },
      [`tag values of ${kind.name} spans are kept up to a mebibyte, and told apart by their end`]: async (
        t,
        subject,
      ) => {
        const reader = kind.reader(subject);
        for (const span of [...LONGEST, WIDE]) {
          const id = kind.id(span.trace);
          const trace = await reader.trace(id, call);
          t.deepEqual(comparableTrace(kind, trace), comparableFragments(id, [fragmentOf(span)], kind), 'the trace');
          const filter: SpanFilter = [{on: 'tag', key: 'long', value: span.tags.long ?? ''}];
          t.deepEqual(await found(reader, filter), [id], 'found by the value');
        }
        t.deepEqual(await found(reader, [{on: 'tag', key: 'long', value: LONG}]), [], 'found by its beginning');
        const request = {attribute: {of: 'tag', key: 'long'}, filter: [], limit: 9, ...ALL} as const;
        const expected = [...LONGEST, WIDE].map(({tags}) => comparable(tags.long));
        t.deepEqual(comparable([...(await reader.attributeValues(request, call))]), expected, 'all values');
      },
    },
  };
}

/** Apart from the other texts, because there are storages that refuse this character with all that comes with it. */
function nulls<Fragment, Trace>(kind: TraceFormat<Fragment, Trace>): Group {
  return {
    name: `${kind.name}_nul`,
    needs: [kind.query],
    data: kind.data([NUL.map(span => kind.fragment(span))]),
    tests: {
      [`the character U+0000 in a tag value of a ${kind.name} span is kept`]: async (t, subject) => {
        const reader = kind.reader(subject);
        const request = {attribute: {of: 'tag', key: 'nul'}, filter: [], limit: 9, ...ALL} as const;
        const values = await reader.attributeValues(request, call);
        t.deepEqual(
          [...values],
          NUL.map(({tags}) => tags.nul),
          'values',
        );
        for (const span of NUL) {
          const filter: SpanFilter = [{on: 'tag', key: 'nul', value: span.tags.nul ?? ''}];
          const traces = await searched(reader, {filter, ...ALL});
          const ids = traces.filter(trace => kind.matches(filter, ALL, trace)).map(kind.idOf);
          t.deepEqual(ids, [kind.id(span.trace)], JSON.stringify(span.tags.nul));
        }
      },
    },
  };
}

export const compatTexts = texts(compat);
export const nativeTexts = texts(native);
export const otlpTexts = texts(otlp);
export const compatNulls = nulls(compat);
export const nativeNulls = nulls(native);
export const otlpNulls = nulls(otlp);
