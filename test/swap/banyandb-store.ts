import type {CompatSpan, MetricBatch, Readers, Segment} from '../../core/api/adapter.js';
import type {IngestFormat} from '../../core/api/ingest-format.js';
import {ingestFormats} from '../../plugins/ingest/formats/all-formats.js';
import {call} from '../../storage-adapters/conformance/call.js';
import {FakeBanyanDB} from '../fixtures/banyandb/fake.js';
import {Seeder} from '../fixtures/banyandb/seed/seeder.js';
import type {Owner} from '../support/gateway.js';
import {compatSpans} from './compat-spans.js';
import type {Backend} from './gateways.js';
import {metricRecords} from './metric-records.js';
import {nativeSegments} from './native-segments.js';

interface Line {
  readonly record: string;
  readonly name?: string;
  readonly kind?: string;
  readonly rollup?: string;
  readonly metric?: string;
  readonly layer?: string;
  readonly destLayer?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value?: number;
}

interface PlainSpan {
  readonly timestamp?: number;
  readonly kind?: string;
  readonly localEndpoint?: object;
}

/**
 * Of the data that other backends are compared with, what the layout of an OAP can hold. Services of one name have one
 * id in all normal layers, so there is one layer; labels have no commas; labeled values and records, which are
 * of services, are whole numbers, also those of hours; help, unit and type are not stored; kinds are those of Zipkin; a span cannot do without a
 * service, nor without a start, as rows of 1970 are too old to be kept; and a segment has no layer.
 */
export function metricLines(): readonly string[] {
  return metricRecords().flatMap(text => {
    const line = JSON.parse(text) as Line;
    const isHeld =
      [line.layer, line.destLayer].every(layer => layer === undefined || layer === 'GENERAL') &&
      Object.values(line.labels ?? {}).every(value => !value.includes(',')) &&
      (line.metric ?? line.name) !== 'top_endpoints';
    if (!isHeld) return [];
    if (line.record === 'metric') {
      const {rollup = line.kind === 'labeled' ? 'max' : 'avg'} = line;
      return [JSON.stringify({...line, rollup, type: 'gauge', help: '', unit: ''})];
    }
    const hasWholeNumbers = line.labels !== undefined || line.record === 'sampled-record';
    return [hasWholeNumbers ? JSON.stringify({...line, value: Math.trunc(line.value ?? 0)}) : text];
  });
}

export function zipkinSpans(): readonly object[] {
  return (compatSpans() as readonly PlainSpan[]).flatMap(({timestamp, kind, localEndpoint, ...rest}) => {
    if (timestamp === undefined) return [];
    const known = kind === undefined || kind === 'OTHER' ? {} : {kind};
    return [{...rest, timestamp, ...known, localEndpoint: {serviceName: 'unknown', ...localEndpoint}}];
  });
}

export function segmentsWithoutLayer(): readonly object[] {
  return nativeSegments().map(segment => {
    const {layer: _, ...rest} = segment as {readonly layer?: string};
    return rest;
  });
}

type Stored = 'ingest.metrics.v1' | 'ingest.compat.v1' | 'ingest.native.v1';

/** Stores data of these kinds as an OAP would have. It also lists the services of segments, as no other storage does. */
export async function openBanyanDB(t: Owner, kinds: readonly Stored[]): Promise<Backend> {
  const fake = await FakeBanyanDB.start();
  t.teardown(() => fake.stop());
  const seeder = Seeder.open(fake);
  const metrics: MetricBatch[] = [];
  const spans: CompatSpan[] = [];
  const segments: Segment[] = [];
  const writers: Readers = {
    'ingest.metrics.v1': {declared: async () => [], write: async batch => void metrics.push(batch)},
    'ingest.compat.v1': {write: async batch => void spans.push(...batch)},
    'ingest.native.v1': {write: async batch => void segments.push(...batch)},
  };
  const bodies: Readonly<Record<Stored, string>> = {
    'ingest.metrics.v1': metricLines().join('\n'),
    'ingest.compat.v1': JSON.stringify(zipkinSpans()),
    'ingest.native.v1': JSON.stringify(segmentsWithoutLayer()),
  };
  for (const format of ingestFormats({spanTags: 1000})) {
    const kind = kinds.find(one => one === format.capability);
    if (kind !== undefined) await decode(format, bodies[kind], writers);
  }
  seeder.metrics(...metrics);
  seeder.spans(spans);
  seeder.segments(segments);
  const storage = async () => ({use: 'banyandb', config: {endpoints: fake.endpoints}});
  const without = ['ingest.metrics.v1', 'ingest.compat.v1', 'ingest.native.v1'] as const;
  return {name: 'banyandb', needs: [], storage, without};
}

async function decode(format: IngestFormat, body: string, writers: Readers): Promise<void> {
  const refuse = (bad: object): never => {
    throw new Error(JSON.stringify(bad));
  };
  const intake = await format.begin(writers, call);
  await intake.decode(Buffer.from(body), refuse);
  await intake.finish(refuse);
  await intake.write();
}
