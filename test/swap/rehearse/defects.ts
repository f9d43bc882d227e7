import type {MetricRecord, SubjectData, SubjectOtlpSpan, SubjectSegment, SubjectSpan} from './subject.js';

/** Something that a move from one storage to another can get wrong. */
export interface Defect {
  readonly name: string;
  /** Changes the data of a subject. `turn` tells defects of the same kind apart. */
  readonly plant: (data: SubjectData, turn: number) => void;
}

type Nested = Record<string, unknown>;

/** One of the records that match, another each turn: changed, or left out where `change` gives false. */
function one<Item>(
  of: (data: SubjectData) => Item[],
  matches: (item: Item) => boolean,
  change: (item: Item) => boolean | undefined,
) {
  return (data: SubjectData, turn: number): void => {
    const list = of(data);
    const found = list.filter(matches);
    const item = found[(turn * 5) % found.length];
    if (item === undefined) throw new Error('nothing to plant it in');
    if (change(item) === false) list.splice(list.indexOf(item), 1);
  };
}

const samplesOf =
  (name: string) =>
  (item: MetricRecord): boolean =>
    item.record === 'sample' && item.metric?.startsWith(name) === true;
const drop = (): false => false;

/** Leaves out the metric records that do not match. */
const keep =
  (matches: (item: MetricRecord) => boolean) =>
  (data: SubjectData): void => {
    data.metrics = data.metrics.filter(matches);
  };

/** Changes a record in place. */
function set<Item extends object>(change: (item: Item) => object) {
  return (item: Item): undefined => void Object.assign(item, change(item));
}

const metrics = (data: SubjectData) => data.metrics;
const sample = (name: string, change: (item: MetricRecord) => boolean | undefined) =>
  one(metrics, samplesOf(name), change);
const record = (kind: string, change: (item: MetricRecord) => boolean | undefined) =>
  one(metrics, item => item.record === kind, change);
const every =
  (name: string, change: (item: MetricRecord) => Partial<MetricRecord>) =>
  (data: SubjectData): void => {
    for (const item of data.metrics) if (samplesOf(name)(item)) Object.assign(item, change(item));
  };
const own = (change: (item: MetricRecord) => boolean | undefined) =>
  one(metrics, item => item.name?.startsWith('own_') === true, change);
const span = (change: (item: SubjectSpan) => boolean | undefined) =>
  one(
    data => data.spans,
    () => true,
    change,
  );
const segment = (change: (item: SubjectSegment) => boolean | undefined) =>
  one(
    data => data.segments,
    () => true,
    change,
  );
/** A span of the first segment. */
const inSegment = (change: (item: Nested) => Nested) =>
  segment(item => void Object.assign(item.spans[0] as Nested, change(item.spans[0] as Nested)));
const otlp = (change: (item: SubjectOtlpSpan) => boolean | undefined) =>
  one(
    data => data.otlp,
    () => true,
    change,
  );
const attribute = (key: string, value: Nested) =>
  otlp(item => void Object.assign(item.attributes.find(each => each.key === key) as object, {value}));

const value = (item: MetricRecord): number => item.value ?? 0;
const time = (item: MetricRecord): number => item.time ?? 0;
/** The two swapped: p50 for p99 and the other way round. */
const swapped = (item: MetricRecord) => ({labels: {p: item.labels?.p === '50' ? '99' : '50'}});

export const DEFECTS: readonly Defect[] = [
  {name: 'a lost minute', plant: sample('own', drop)},
  {
    name: 'a value more',
    plant: data =>
      void data.metrics.push({...(data.metrics.find(samplesOf('own')) as MetricRecord), time: 1_700_002_800 + 1500}),
  },
  {name: 'every value one bucket later', plant: every('own', item => ({time: time(item) + 60}))},
  {name: 'every value one bucket earlier', plant: every('labeled', item => ({time: time(item) - 60}))},
  {name: 'every value an hour later', plant: every('own', item => ({time: time(item) + 3600}))},
  {
    name: 'one value doubled',
    plant: sample(
      'own',
      set(item => ({value: 2 * value(item) + 1})),
    ),
  },
  {
    name: 'one value off by a millionth',
    plant: sample(
      'own',
      set(item => ({value: value(item) * (1 + 1e-6)})),
    ),
  },
  {
    name: 'one value as single precision',
    plant: sample(
      'own',
      set(item => ({value: Math.fround(value(item) + 0.1)})),
    ),
  },
  {
    name: 'one value without its sign',
    plant: sample(
      'own',
      set(item => ({value: -value(item)})),
    ),
  },
  {name: 'whole numbers in place of fractions', plant: every('own', item => ({value: Math.trunc(value(item))}))},
  {name: 'another unit', plant: every('own', item => ({value: value(item) / 1000}))},
  {name: 'two labels swapped', plant: every('labeled', swapped)},
  {name: 'one value under the other label', plant: sample('labeled', set(swapped))},
  {
    name: 'a lost label value',
    plant: keep(item => item.labels?.p !== '99'),
  },
  {
    name: 'a label value written in another way',
    plant: every('labeled', item => ({labels: {p: `${item.labels?.p}.0`}})),
  },
  {
    name: 'a lost instance',
    plant: keep(item => item.serviceInstance !== 'pod-b'),
  },
  {
    name: 'an instance in other letters',
    plant: every('pods', item => (item.serviceInstance === 'pod-c' ? {serviceInstance: 'pod-C'} : {})),
  },
  {name: 'a tie that is none', plant: every('pods', item => (item.serviceInstance === 'pod-a' ? {value: 4.001} : {}))},
  {
    name: 'a lost relation',
    plant: keep(item => item.destService === undefined),
  },
  {name: 'a relation to another service', plant: every('calls', () => ({destService: 'another'}))},
  {
    name: 'a relation the other way round',
    plant: every('calls', item => ({service: item.destService, destService: item.service})),
  },
  {name: 'a lost record', plant: record('sampled-record', drop)},
  {
    name: 'a record with another text',
    plant: record(
      'sampled-record',
      set(item => ({content: `${item.content} `})),
    ),
  },
  {
    name: 'a record with another value',
    plant: record(
      'sampled-record',
      set(item => ({value: value(item) + 0.5})),
    ),
  },
  {
    name: 'a record of another service',
    plant: record(
      'sampled-record',
      set(() => ({service: 'another'})),
    ),
  },
  {name: 'another unit in the catalog', plant: own(set(() => ({unit: 's'})))},
  {name: 'another type in the catalog', plant: own(set(() => ({type: 'counter'})))},
  {name: 'another help in the catalog', plant: own(set(() => ({help: 'Calls'})))},
  {name: 'another rollup', plant: own(set(() => ({rollup: 'sum'})))},
  {
    name: 'a lost metric',
    plant: keep(item => ![item.name, item.metric].some(name => name?.startsWith('own_'))),
  },
  {name: 'a lost endpoint', plant: record('entity', drop)},
  {
    name: 'an endpoint with a slash more',
    plant: record(
      'entity',
      set(item => ({endpoint: `${item.endpoint}/`})),
    ),
  },
  {name: 'a service in another layer', plant: every('own', () => ({layer: 'MESH'}))},
  {name: 'a lost span', plant: span(drop)},
  {name: 'a lost trace', plant: data => void data.spans.splice(0, 3)},
  {name: 'a span more', plant: data => void data.spans.push({...(data.spans[0] as SubjectSpan), id: '9'.repeat(16)})},
  {name: 'a duration off by a microsecond', plant: span(set(item => ({duration: item.duration + 1})))},
  {name: 'a start off by a microsecond', plant: span(set(item => ({timestamp: item.timestamp + 1})))},
  {name: 'a start cut to milliseconds', plant: span(set(item => ({timestamp: item.timestamp - 999})))},
  {
    name: 'another parent',
    plant: one(
      data => data.spans,
      item => item.id.startsWith('c'),
      set(() => ({parentId: 'b'.repeat(16)})),
    ),
  },
  {name: 'another kind', plant: span(set(() => ({kind: 'PRODUCER'})))},
  {name: 'another name', plant: span(set(item => ({name: `${item.name} x`})))},
  {name: 'a changed tag', plant: span(set(item => ({tags: {...item.tags, 'http.method': 'get'}})))},
  {name: 'a lost tag', plant: span(set(() => ({tags: {'http.method': 'GET'}})))},
  {name: 'a tag under another key', plant: span(set(() => ({tags: {'http.method': 'GET', http_status_code: '200'}})))},
  {name: 'a lost annotation', plant: span(set(() => ({annotations: []})))},
  {
    name: 'an annotation at another time',
    plant: span(set(item => ({annotations: [{timestamp: item.timestamp + 5, value: 'wait'}]}))),
  },
  {name: 'a span of another service', plant: span(set(() => ({localEndpoint: {serviceName: 'another'}})))},
  {name: 'a lost segment', plant: segment(drop)},
  {name: 'a lost span of a segment', plant: segment(item => void item.spans.pop())},
  {name: 'an end off by a millisecond', plant: inSegment(item => ({endTime: Number(item.endTime) + 1}))},
  {name: 'a start off by a millisecond', plant: inSegment(item => ({startTime: Number(item.startTime) - 1}))},
  {name: 'another operation', plant: inSegment(() => ({operationName: '/op/other'}))},
  {name: 'an error that is none', plant: inSegment(() => ({isError: true}))},
  {name: 'a changed tag of a segment', plant: inSegment(() => ({tags: [{key: 'http.method', value: 'PUT'}]}))},
  {name: 'a lost log', plant: inSegment(() => ({logs: []}))},
  {
    name: 'another reference',
    plant: data =>
      void Object.assign(((data.segments[1] as SubjectSegment).spans[0] as {refs: object[]}).refs[0] as object, {
        parentSpanId: 0,
      }),
  },
  {name: 'another peer', plant: inSegment(() => ({peer: 'db:5433'}))},
  {name: 'another component', plant: inSegment(() => ({componentId: 3}))},
  {name: 'another type of span', plant: inSegment(() => ({spanType: 'Local'}))},
  {name: 'an attribute of another type', plant: attribute('whole', {stringValue: '5'})},
  {name: 'a text that became a number', plant: attribute('text', {intValue: '5'})},
  {name: 'a whole number that became a fraction', plant: attribute('whole', {doubleValue: 5.5})},
  {name: 'a fraction off by the last digit', plant: attribute('half', {doubleValue: 0.5000000000000001})},
  {name: 'a truth that became a lie', plant: attribute('yes', {boolValue: false})},
  {
    name: 'a list in another order',
    plant: attribute('list', {arrayValue: {values: [{intValue: '2'}, {intValue: '1'}]}}),
  },
  {name: 'a lost attribute', plant: otlp(item => void item.attributes.pop())},
  {name: 'a lost event', plant: otlp(set(() => ({events: []})))},
  {
    name: 'an event off by a nanosecond',
    plant: otlp(item => void Object.assign(item.events[0] as object, {timeUnixNano: '1700002800000000101'})),
  },
  {name: 'a lost link', plant: otlp(set(() => ({links: []})))},
  {name: 'a lost span of OTLP', plant: otlp(drop)},
  {
    name: 'an end off by a nanosecond',
    plant: otlp(set(item => ({endTimeUnixNano: `${String(item.endTimeUnixNano).slice(0, -1)}9`}))),
  },
  {name: 'another status', plant: otlp(set(() => ({status: {code: 2, message: 'no'}})))},
  {name: 'another scope', plant: otlp(set(() => ({scope: {name: 'lib', version: '2'}})))},
  {
    name: 'a resource with an attribute more',
    plant: otlp(item => {
      const attributes = [{key: 'host', value: {stringValue: 'h'}}];
      return void Object.assign(item, {
        resource: {attributes: [{key: 'service.name', value: {stringValue: 'another'}}, ...attributes]},
      });
    }),
  },
  {name: 'a lost trace state', plant: otlp(set(() => ({traceState: ''})))},
  {name: 'another count of what was dropped', plant: otlp(set(() => ({droppedAttributesCount: 2})))},
];
