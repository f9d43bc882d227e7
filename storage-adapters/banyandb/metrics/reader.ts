import {
  type Call,
  type Column,
  compareNames,
  type MetricDefinition,
  type MetricReader,
  type Ranked,
  type RankingRequest,
  type SampledRecord,
  type SampledRecordsRequest,
  type ValueLabels,
  type ValueLabelsRequest,
  type ValuesRequest,
} from '../../../core/api/adapter.js';
import {equals, type RowCondition} from '../client/criteria.js';
import type {BanyanDBMeasures} from '../client/measures.js';
import type {RowSchema} from '../client/row-schema.js';
import {wholeAnswer} from '../client/whole-answer.js';
import type {Traffic} from '../metadata/traffic.js';
import {endsOf, entityId, serviceId} from '../schema/entity-ids.js';
import type {TimeZone} from '../schema/time-zone.js';
import {spanOf} from './bucket-times.js';
import type {BanyanDBCatalog, BanyanDBCatalogState} from './catalog.js';
import {columnsOf} from './columns.js';
import {entityOf, servicesOf} from './entities.js';
import {meansOf} from './means.js';
import {type MeasuredSource, schemaOf} from './metric-source.js';
import {type RecordsOptions, readRecords} from './sampled-records.js';
import {readValueLabels} from './value-labels.js';

export interface MetricReaderOptions extends RecordsOptions {
  readonly measures: BanyanDBMeasures;
  readonly catalog: BanyanDBCatalog;
  readonly traffic: Traffic;
  readonly zone: TimeZone;
  readonly maxEntities: number;
}

export class BanyanDBMetricReader implements MetricReader {
  readonly #options: MetricReaderOptions;

  constructor(options: MetricReaderOptions) {
    this.#options = options;
  }

  async catalog({signal}: Call): Promise<readonly MetricDefinition[]> {
    return (await this.#options.catalog.state(signal)).definitions;
  }

  values(request: ValuesRequest, {signal}: Call): Promise<readonly Column[]> {
    const {metric, entity, valueFilters, window} = request;
    const {catalog, measures, traffic, zone, maxRows} = this.#options;
    return catalog.using(signal, async state => {
      const source = measured(state, metric);
      if (source === undefined) return [];
      const schema = schemaOf(source, window.step);
      const id = entityId(source.definition.scope, entity);
      const conditions = [equals('entity_id', id)];
      const query = {schema, span: spanOf(window, zone), conditions, tags: ['entity_id'], field: source.field};
      const ends = servicesOf(entity);
      const [rows, services] = await Promise.all([
        wholeAnswer(limit => measures.rows({...query, limit}, signal), {
          // One row a bucket, or a few where nodes of a cluster have the same; the days next to the window may come along.
          first: 2 * window.count + 10,
          most: Math.max(maxRows, 8 * window.count),
          option: 'maxRows',
          what: `rows of ${schema.name}`,
        }),
        traffic.servicesWith(ends, signal),
      ]);
      if (!ends.every(([layer, service]) => services.isIn(layer, serviceId(layer, service)))) return [];
      return columnsOf(rows, window, zone, valueFilters);
    });
  }

  ranking(request: RankingRequest, {signal}: Call): Promise<readonly Ranked[]> {
    const {metric, layer, parentService, order, limit, window} = request;
    const {catalog, measures, traffic, zone, maxEntities, maxRows} = this.#options;
    return catalog.using(signal, async state => {
      const source = measured(state, metric);
      if (source === undefined) return [];
      const schema = schemaOf(source, window.step);
      const {scope} = source.definition;
      const parent = parentService === undefined ? undefined : serviceId(layer, parentService);
      const conditions = parent === undefined ? [] : withinService(schema, scope, parent);
      const tags = ['entity_id', ...(conditions.length > 0 && scope !== 'Service' ? ['service_id'] : [])];
      const query = {schema, conditions, tags, field: source.field};
      const isInteger = schema.fields.get(source.field) === 'FIELD_TYPE_INT';
      const [means, services] = await Promise.all([
        meansOf(measures, {query, window, zone, maxEntities, maxRows}, isInteger, signal),
        traffic.services(signal),
      ]);
      const ranked: Ranked[] = [];
      for (const [id, value] of means) {
        const service = endsOf(scope, id)[0]?.serviceId ?? '';
        if (!services.isIn(layer, service) || (parent !== undefined && service !== parent)) continue;
        ranked.push({entity: entityOf(scope, id, layer, services), value});
      }
      const sign = order === 'ASC' ? 1 : -1;
      ranked.sort((a, b) => sign * (a.value - b.value) || compareEntities(a, b));
      return ranked.slice(0, limit);
    });
  }

  sampledRecords(request: SampledRecordsRequest, {signal}: Call): Promise<readonly SampledRecord[]> {
    const {metric, layer, parentService} = request;
    const {catalog, traffic} = this.#options;
    return catalog.using(signal, async state => {
      const source = state.sources.get(metric.name);
      if (source?.of !== 'stream') return [];
      const [records, services] = await Promise.all([
        readRecords(this.#options, source.schema, request, signal),
        traffic.servicesWith([[layer, parentService]], signal),
      ]);
      return services.isIn(layer, serviceId(layer, parentService)) ? records : [];
    });
  }

  valueLabels(request: ValueLabelsRequest, {signal}: Call): Promise<readonly ValueLabels[]> {
    const {catalog, measures, traffic, zone, maxRows} = this.#options;
    return catalog.using(signal, async state => {
      const source = measured(state, request.metric);
      if (source === undefined) return [];
      const services = await traffic.services(signal);
      return readValueLabels({measures, zone, maxRows, services}, source, request, signal);
    });
  }
}

/** Undefined for a metric that has gone since the caller saw the catalog. */
function measured({sources}: BanyanDBCatalogState, {name}: MetricDefinition): MeasuredSource | undefined {
  const source = sources.get(name);
  return source?.of === 'measure' ? source : undefined;
}

function withinService(schema: RowSchema, scope: MetricDefinition['scope'], id: string): readonly RowCondition[] {
  if (scope === 'Service') return [equals('entity_id', id)];
  return schema.families.has('service_id') ? [equals('service_id', id)] : [];
}

function compareEntities({entity: a}: Ranked, {entity: b}: Ranked): number {
  const last = ({serviceInstance, endpoint}: Ranked['entity']): string => serviceInstance ?? endpoint ?? '';
  return compareNames(a.service, b.service) || compareNames(last(a), last(b));
}
