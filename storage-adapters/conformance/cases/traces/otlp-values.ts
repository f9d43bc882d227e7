import type {OtlpFilter, OtlpSpan, TypedText} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {searched} from '../../comparable.js';
import {otlp} from '../../data/otlp-format.js';
import {attributes, EVERY_VALUE, otlpSpan} from '../../data/otlp-spans.js';
import {DAY, ownDays} from '../../data/times.js';
import type {Group} from '../../group.js';

const START = BigInt(ownDays(54)) * 1_000_000_000n;
const MICROS = Number(START / 1000n);
const ALL = {from: MICROS, to: MICROS + DAY * 1_000_000};

const id = (number: number): string => `000000000000000000000000007e2${number.toString(16).padStart(3, '0')}`;
/** In seconds after the start. */
const at = (seconds: number) => ({startTime: START + BigInt(seconds) * 1_000_000_000n});
const resource = (values: Parameters<typeof attributes>[0]) => ({
  attributes: attributes(values),
  droppedAttributesCount: 0,
  schemaUrl: '',
});

/** The number of a trace is the second of its start. */
const SPANS: readonly OtlpSpan[] = [
  otlpSpan(id(1), 1, {...at(1), attributes: attributes({code: 200n}), resource: resource({'service.name': 'a'})}),
  otlpSpan(id(2), 1, {
    ...at(2),
    attributes: attributes({code: '200'}),
    resource: resource({'faas.name': 'f', code: 1n}),
  }),
  otlpSpan(id(3), 1, {
    ...at(3),
    attributes: attributes({code: 200}),
    resource: resource({'service.name': 'b', code: 2n}),
  }),
  otlpSpan(id(4), 1, {
    ...at(4),
    attributes: attributes({code: '200.0', ok: true}),
    resource: resource({'service.name': 'a'}),
  }),
  otlpSpan(id(5), 1, {...at(5), attributes: [...attributes({code: 1n}), ...attributes({code: 2n})]}),
  // Of one start: the order is that of types, then that of texts.
  otlpSpan(id(6), 1, {...at(6), attributes: attributes({tie: 'b', ok: 'true'})}),
  otlpSpan(id(6), 2, {...at(6), attributes: attributes({tie: 'a'})}),
  otlpSpan(id(6), 3, {...at(6), attributes: attributes({tie: 3n})}),
  otlpSpan(id(6), 4, {...at(6), attributes: attributes({tie: 20n})}),
  otlpSpan(id(6), 5, {...at(6), attributes: attributes({tie: 1.5})}),
  otlpSpan(id(6), 6, {...at(6), attributes: attributes({tie: false})}),
  otlpSpan(id(7), 1, {...at(7), attributes: EVERY_VALUE}),
];

const tag = (key: string, value: string) => ({on: 'tag', key, value}) as const;
const of = (key: string, value: string) => ({on: 'resource', key, value}) as const;

const FOUND: readonly (readonly [filter: OtlpFilter, numbers: readonly number[]])[] = [
  [[tag('code', '200')], [3, 2, 1]],
  [[tag('code', '200.0')], [4]],
  [[tag('code', '0200')], []],
  [[tag('code', '1')], []],
  [[tag('code', '2')], [5]],
  [[tag('ok', 'true')], [6, 4]],
  [[of('code', '2')], [3]],
  [[tag('code', '200'), of('code', '1')], [2]],
  [[of('service.name', 'a')], [4, 1]],
  [[of('service.name', 'f')], []],
  [[{on: 'service', value: 'f'}], [2]],
  [[of('faas.name', 'f')], [2]],
  [[of('code', '')], []],
  [[tag('nan', 'NaN')], [7]],
  [[tag('minus', '0')], [7]],
  [[tag('least', '-9223372036854775808')], [7]],
  [[tag('int', '9007199254740993')], [7]],
  [[tag('bytes', 'AAH+/w==')], [7]],
  [[tag('nothing', '')], [7]],
  [[tag('array', '["a",1,1,[true,null],"Bw=="]')], [7]],
  [[tag('list', '{"9":{"":["deep"]},"1":"x"}')], [7]],
];

export const otlpValues: Group = {
  name: 'otlp_values',
  needs: ['traces.otlp.v1'],
  data: {otlpSpans: [SPANS]},
  tests: {
    'a condition on an attribute of an OTLP span or its resource compares the text of its value': async (
      t,
      subject,
    ) => {
      for (const [filter, numbers] of FOUND) {
        const traces = await searched(subject.otlp, {filter, ...ALL});
        const found = traces.filter(trace => otlp.matches(filter, ALL, trace)).map(({traceId}) => traceId);
        t.deepEqual(found, numbers.map(id), JSON.stringify(filter));
      }
    },
    'values of OTLP attributes are listed with their types, by start, type and text': async (t, {otlp: reader}) => {
      const list = async (attribute: Parameters<typeof reader.attributeValues>[0]['attribute'], limit = 99) =>
        [...(await reader.attributeValues({attribute, filter: [], limit, ...ALL}, call))].map(shown);
      const codes = ['int 200', 'string 200', 'double 200', 'string 200.0', 'int 2'];
      t.deepEqual(await list({of: 'tag', key: 'code'}), codes, 'code');
      t.deepEqual(await list({of: 'tag', key: 'code'}, 2), codes.slice(0, 2), 'code, two of them');
      const ties = ['bool false', 'double 1.5', 'int 20', 'int 3', 'string a', 'string b'];
      t.deepEqual(await list({of: 'tag', key: 'tie'}), ties, 'tie');
      t.deepEqual(await list({of: 'tag', key: 'tie'}, 3), ties.slice(0, 3), 'tie, three of them');
      t.deepEqual(await list({of: 'tag', key: 'bytes'}), ['string AAH+/w=='], 'bytes');
      t.deepEqual(await list({of: 'tag', key: 'nothing'}), ['string '], 'no content');
      t.deepEqual(await list({of: 'resource', key: 'code'}), ['int 1', 'int 2'], 'code of resources');
      t.deepEqual(
        await list({of: 'resource', key: 'service.name'}),
        ['string a', 'string b', 'string app'],
        'the attribute',
      );
      t.deepEqual(await list({of: 'service'}), ['string a', 'string f', 'string b', 'string app'], 'the service');
    },
    'keys of OTLP spans and of their resources are listed apart': async (t, {otlp: reader}) => {
      const filter = [{on: 'service', value: 'f'}] as const;
      t.deepEqual(
        [...(await reader.tagKeys({scope: 'resource', filter, ...ALL}, call))],
        ['code', 'faas.name'],
        'resource',
      );
      t.deepEqual([...(await reader.tagKeys({scope: 'span', filter, ...ALL}, call))], ['code'], 'span');
      const window = {from: MICROS + 7_000_000, to: ALL.to};
      const keys = EVERY_VALUE.map(({key}) => key).sort();
      t.deepEqual([...(await reader.tagKeys({scope: 'span', filter: [], ...window}, call))], keys, 'every type');
    },
  },
};

const shown = ({type, text}: TypedText): string => `${type} ${text}`;
