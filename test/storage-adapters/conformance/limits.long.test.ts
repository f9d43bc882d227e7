import test from 'ava';
import {
  CAPABILITY_NAMES,
  type CapabilityName,
  type CompatSpan,
  type MetricBatch,
  type Readers,
  type Segment,
} from '../../../core/api/adapter.js';
import {call, silentLog, silentMeter} from '../../../storage-adapters/conformance/call.js';
import type {LayoutLimit} from '../../../storage-adapters/conformance/options.js';
import memory, {type MemoryConfig, memoryStore} from '../../fixtures/memory-adapter.js';
import {runKit} from './recorder.js';

/** Keeps nothing but what the spans of Zipkin and the segments of SkyWalking have room for. */
const narrow = {
  spans: (batch: readonly CompatSpan[]): readonly CompatSpan[] =>
    batch.filter(({timestamp}) => timestamp !== undefined).map(narrow.span),
  span: ({kind, debug, shared, ...rest}: CompatSpan): CompatSpan => ({
    ...rest,
    ...(kind !== undefined && /^(CLIENT|SERVER|PRODUCER|CONSUMER)$/.test(kind) && {kind}),
    ...(debug && {debug}),
    ...(shared && {shared}),
  }),
  segment: (segment: Segment): Segment => ({
    ...segment,
    layer: 'GENERAL',
    spans: segment.spans.map(({component, spanType, spanLayer, ...rest}) => ({
      ...rest,
      spanType: {entry: 'Entry', exit: 'Exit'}[spanType.toLowerCase()] ?? 'Local',
      spanLayer: spanLayer === 'Http' ? spanLayer : 'Unknown',
    })),
  }),
  batch: (batch: MetricBatch): MetricBatch => ({
    ...batch,
    metrics: batch.metrics.map(metric => (metric.kind === 'sampled-record' ? {...metric, scope: 'Service'} : metric)),
    records: batch.records.map(record => ({
      ...record,
      entity: {layer: record.entity.layer, service: record.entity.service},
    })),
  }),
};

interface Case {
  readonly expects: readonly CapabilityName[];
  readonly limits: readonly LayoutLimit[];
  /** Tests of which the first needs only the first limit, and so on. */
  readonly fail: readonly string[];
  readonly exempt?: Readonly<Record<string, string>>;
}

async function runNarrow({expects, limits, exempt = {}}: Case, unsupported: readonly LayoutLimit[]) {
  const isOfServices = limits.includes('record-entities');
  const without = CAPABILITY_NAMES.filter(name => !expects.includes(name));
  return runKit({
    adapter: memory,
    config: ({name}) => memoryStore(name, without, limits),
    expects,
    exempt,
    unsupported,
    async seed({metrics = [], spans = [], segments = []}, {name}) {
      const config = {
        compatSpans: [],
        segments: [],
        pause: 0,
        ...(memoryStore(name, [], limits).config as Pick<MemoryConfig, 'space' | 'without' | 'limits'>),
      };
      const instance = memory.create({config, log: silentLog, meter: silentMeter});
      const writers = (await instance.start(call.signal)) as Required<Readers>;
      for (const batch of metrics)
        await writers['ingest.metrics.v1'].write(isOfServices ? narrow.batch(batch) : batch, call);
      for (const batch of spans) await writers['ingest.compat.v1'].write(narrow.spans(batch), call);
      for (const batch of segments) await writers['ingest.native.v1'].write(batch.map(narrow.segment), call);
    },
  });
}

const OF_SERVICES = 'records are of services';

const CASES: readonly Case[] = [
  {
    expects: ['traces.compat.v1'],
    limits: ['compat-kinds', 'compat-flags', 'compat-timeless'],
    fail: [
      'kinds that are not known are internal, and no kind is unspecified',
      'every member of a compat span comes back as it was',
      'spans without a time lie in no window, and come along with their trace',
    ],
  },
  {
    expects: ['traces.native.v2'],
    limits: ['native-words', 'segment-layers'],
    fail: ['kinds follow from the type of a span, in any case', 'every member of a segment comes back as it was'],
  },
  {
    expects: ['metrics.query.v1', 'metadata.query.v1'],
    limits: ['record-entities'],
    fail: ['random questions about metrics are answered as a simple model answers them'],
    exempt: {
      'the catalog has every metric as it was declared, by name': OF_SERVICES,
      'sampled records come by value, equal ones by content, time and trace id, for both orders': OF_SERVICES,
      'sampled records are cut to the limit, among equal values too': OF_SERVICES,
      'a sampled record counts by its second, from the start of the first bucket to the end of the last': OF_SERVICES,
      'sampled records are those of one service of one layer': OF_SERVICES,
      'the text of a sampled record is kept as it is, up to a mebibyte': OF_SERVICES,
      'values of sampled records are doubles and come back exactly': OF_SERVICES,
    },
  },
  {
    expects: ['metrics.query.v1'],
    limits: ['hour-sums'],
    fail: ['random questions about metrics are answered as a simple model answers them'],
  },
];

for (const one of CASES) {
  const {expects, limits, fail} = one;
  test.serial(`a storage of ${expects.join(' and ')} without room for something passes where that is said`, async t => {
    t.deepEqual([...(await runNarrow(one, limits)).failed], []);
    const {failed} = await runNarrow(one, []);
    for (const title of fail) t.true(failed.has(title), title);
  });
}
