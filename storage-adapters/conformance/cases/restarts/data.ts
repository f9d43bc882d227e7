import {
  ENTITY_KEYS,
  type Entity,
  entityOf,
  type MetricBatch,
  type MetricDefinition,
  type MetricKind,
  type Scope,
  type ValueLabels,
} from '../../../../core/api/adapter.js';
import {fullCompatSpan, fullSegment} from '../../data/every-member.js';
import {batch, metric} from '../../data/metrics.js';
import {fullOtlpSpan, otlpSpan, resourceOf} from '../../data/otlp-spans.js';
import {compatSpan, nativeSpan, segment} from '../../data/spans.js';
import {DAY, HOUR, MINUTE} from '../../data/times.js';
import type {DataSet} from '../../options.js';

const SCOPES = Object.keys(ENTITY_KEYS) as Scope[];

/**
 * Metrics of every scope and kind, declared twice, with samples, records and sightings. `prefix` stands before the names of
 * metrics, and `layer` is that of the entities.
 */
export function metricsToKeep(prefix: string, layer: string, start: number): readonly MetricBatch[] {
  const entity = (scope: Scope, name: string): Entity =>
    entityOf(
      scope,
      ENTITY_KEYS[scope].map(key => (/layer/i.test(key) ? layer : `${name} ${key.replace('dest', 'to ')}`)),
    );
  const common = SCOPES.map(scope =>
    metric(`${prefix}_${scope}`, {scope, type: 'counter', help: `of ${scope}`, unit: 'ms', rollup: 'sum'}),
  );
  const labeled = metric(`${prefix}_labeled`, {kind: 'labeled', valueLabels: ['q', 'p'], rollup: 'max'});
  const records = metric(`${prefix}_records`, {kind: 'sampled-record', scope: 'ServiceInstance', help: 'texts'});
  const again: readonly MetricDefinition[] = [
    ...common.slice(0, 2).map(one => ({...one, type: 'gauge', help: `${one.help} again`, unit: 's'}) as const),
    ...common.slice(2, 4).map(one => ({...one, rollup: 'min'}) as const),
  ];
  const labelsOf = (kind: MetricKind, i: number, minute: number): ValueLabels =>
    kind === 'labeled' ? {p: String(50 + i), q: minute === 61 ? '' : 'x'} : {};
  const samples = [...common, labeled].flatMap(({name, scope, kind}) =>
    ['a', 'b'].flatMap((who, i) =>
      [0, 1, 61, 1439].map(minute => ({
        metric: name,
        entity: entity(scope, who),
        labels: labelsOf(kind, i, minute),
        time: start + minute * MINUTE,
        value: minute * 10 - i,
      })),
    ),
  );
  const recorded = {metric: records.name, entity: entity('ServiceInstance', 'a'), time: start + 61, value: 5};
  const instance = entity('ServiceInstance', 'a');
  return [
    batch({
      metrics: [...common, labeled, records],
      samples,
      sightings: SCOPES.flatMap(scope => [
        {scope, entity: entity(scope, `early ${scope}`), time: start - HOUR},
        {scope, entity: entity(scope, `late ${scope}`), time: start + 3 * DAY},
        {scope, entity: entity(scope, `late ${scope}`), time: start + 2 * DAY},
      ]),
      records: [
        {...recorded, content: 'select 1', traceId: 't1'},
        {...recorded, content: 'select 1', traceId: 't2'},
        {...recorded, content: 'select 1'},
        {
          ...recorded,
          content: 'select 2',
          time: start + 4 * HOUR,
          value: -7,
          entity: {...instance, serviceInstance: 'z'},
        },
      ],
    }),
    batch({metrics: again}),
    // The day after the declarations have changed.
    batch({samples: samples.map(one => ({...one, time: one.time + DAY, value: one.value + 1}))}),
    batch({samples: samples.slice(0, 3).map(one => ({...one, value: 1000}))}),
  ];
}

/** Spans with every member, spans with none, and one that takes the place of another. `start` in seconds. */
export function spansToKeep(name: string, start: number): Required<Pick<DataSet, 'spans' | 'segments' | 'otlpSpans'>> {
  const compatId = (i: number): string => `${name}${i}`.padStart(16, '0');
  const [first, second] = [compatId(1), compatId(2)];
  const at = start * 1_000_000;
  const full = fullCompatSpan(first, 1, at);
  const nativeId = (i: number): string => `kit-${name}.${i}`;
  const otlpId = (i: number): string => compatId(i).padStart(32, '0');
  const fullOtlp = fullOtlpSpan(otlpId(1), 1, BigInt(at) * 1000n);
  const segmentOf = (i: number) => fullSegment(nativeId(i), `${nativeId(i)}.1`, start * 1000 + i);
  return {
    spans: [
      [full, {...fullCompatSpan(first, 2, at + 5), debug: false, shared: false, kind: 'CLIENT'}],
      [compatSpan(second, 3), compatSpan(second, 4, {timestamp: at + 1, remoteEndpoint: {port: 1}})],
      [{...full, name: 'replaced', tags: new Map([['state', 'new']])}],
    ],
    segments: [
      [segmentOf(1), segmentOf(2)],
      [segment(nativeId(2), `${nativeId(2)}.2`, [nativeSpan(0, start * 1000)])],
      [{...segmentOf(2), service: 'replaced'}],
    ],
    otlpSpans: [
      [fullOtlp, {...fullOtlpSpan(otlpId(1), 2, BigInt(at) * 1000n + 5n), kind: -7}],
      [otlpSpan(otlpId(2), 3), otlpSpan(otlpId(2), 4, {startTime: BigInt(at) * 1000n + 1n})],
      [{...fullOtlp, name: 'replaced', resource: resourceOf('replaced')}],
    ],
  };
}
