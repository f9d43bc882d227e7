import {compareNames, GatewayError, type MetricDefinition, type Scope, type Step} from '../../../core/api/adapter.js';
import {isRecords, type RowSchema, valueField} from '../client/row-schema.js';
import type {RegistryState} from '../schema/registry.js';
import {labelsOf, parseDataTable} from './data-table.js';
import {isOfProcesses} from './metric-names.js';
import {scopeByTags} from './metric-scope.js';

/** A metric, and where its values are. */
export type MetricSource =
  | {
      readonly of: 'measure';
      readonly definition: MetricDefinition;
      readonly field: string;
      /** By step; an hour or day that the OAP does not make is undefined. */
      readonly schemas: Readonly<Record<Step, RowSchema | undefined>>;
    }
  | {readonly of: 'stream'; readonly definition: MetricDefinition; readonly schema: RowSchema};

export type MeasuredSource = Extract<MetricSource, {of: 'measure'}>;

/** Where the values of a step are; refuses a step that the OAP does not make. */
export function schemaOf({definition, schemas}: MeasuredSource, step: Step): RowSchema {
  const schema = schemas[step];
  if (schema !== undefined) return schema;
  throw new GatewayError(
    'unsupported_backend',
    `the OAP makes no ${step}s of the metric ${definition.name}: BanyanDB has no measure ${definition.name}_${step}; ask for a shorter range, which is read by minutes`,
  );
}

/** A metric of which only its rows say what it is. */
export interface UnclearMetric {
  readonly metric: string;
  readonly field: string;
  readonly fingerprint: string;
}

/** What is known of a metric from its rows, by `Unknown.fingerprint`. */
export type RowFindings = ReadonlyMap<string, {readonly scope: Scope | 'none'; readonly texts: readonly string[]}>;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MINUTE_SUFFIX = '_minute';

/** Help, unit and type are not stored, nor how an OAP makes its hours: what it made is read as it is. */
const UNSAID = {type: 'gauge', help: '', unit: '', rollup: 'avg'} as const;

/** Metrics whose rows have to be looked at. */
export function unclearMetrics({minute}: RegistryState): readonly UnclearMetric[] {
  return candidates(minute).flatMap(({metric, field, schema}) => {
    const hint = scopeByTags(metric, schema);
    const isCertain = 'scope' in hint && field !== 'datatable_value';
    return isCertain ? [] : [{metric, field, fingerprint: schema.fingerprint}];
  });
}

/** The sources of all metrics by name. A metric that may be of anything is left out until it has rows. */
export function metricSources(registry: RegistryState, known: RowFindings): ReadonlyMap<string, MetricSource> {
  const {minute, hour, day, records} = registry;
  const sources = candidates(minute).flatMap(({metric, field, schema}): readonly MetricSource[] => {
    const hint = scopeByTags(metric, schema);
    const rows = known.get(schema.fingerprint);
    const scope = 'scope' in hint ? hint.scope : (rows?.scope ?? hint.otherwise);
    if (scope === undefined || scope === 'none') return [];
    const isLabeled = field === 'datatable_value';
    const valueLabels = isLabeled ? labelNames(schema, rows?.texts ?? []) : [];
    if (isLabeled && valueLabels.length === 0) return [];
    const definition = {...UNSAID, name: metric, scope, kind: isLabeled ? 'labeled' : 'common', valueLabels} as const;
    const schemas = {minute: schema, hour: hour.get(`${metric}_hour`), day: day.get(`${metric}_day`)};
    return [{of: 'measure', definition, field, schemas}];
  });
  const streams = [...records.values()].filter(
    schema => isRecords(schema) && !isOfProcesses(schema.name) && NAME.test(schema.name),
  );
  const all: readonly MetricSource[] = [
    ...sources,
    ...streams.map(schema => ({
      of: 'stream' as const,
      definition: {...UNSAID, name: schema.name, scope: 'Service', kind: 'sampled-record', valueLabels: []} as const,
      schema,
    })),
  ];
  const sorted = [...all].sort((a, b) => compareNames(a.definition.name, b.definition.name));
  return new Map(sorted.map(source => [source.definition.name, source]));
}

function candidates(
  minute: RegistryState['minute'],
): readonly {readonly metric: string; readonly field: string; readonly schema: RowSchema}[] {
  return [...minute.values()].flatMap(schema => {
    const field = valueField(schema);
    if (field === undefined || !schema.name.endsWith(MINUTE_SUFFIX) || !schema.families.has('entity_id')) return [];
    const metric = schema.name.slice(0, -MINUTE_SUFFIX.length);
    return NAME.test(metric) ? [{metric, field, schema}] : [];
  });
}

function labelNames({fields}: RowSchema, texts: readonly string[]): readonly string[] {
  const keys = new Set(texts.flatMap(text => parseDataTable(text).map(({key}) => key)));
  const names = new Set([...keys].flatMap(key => Object.keys(labelsOf(key))));
  if (names.size === 0 && fields.has('precision')) return ['p'];
  return [...names].filter(name => NAME.test(name));
}
