import {
  adoptedHistory,
  compareNames,
  conflictBetween,
  GatewayError,
  isSameDeclaration,
  type MetricDefinition,
  type RollupHistory,
  type ValueLabels,
  withRollup,
} from '../../../core/api/adapter.js';
import type {DeclaredMetric} from '../threads/writer-protocol.js';
import type {EntityRecord} from './entities.js';

const NO_LABELS: ValueLabels = Object.freeze({});

/** One series: a metric of an entity with one set of value labels. */
export class SeriesRecord {
  readonly id: number;
  readonly metric: MetricRecord;
  readonly entity: EntityRecord;
  /** Values in the order in which the metric declares its labels. */
  readonly labelValues: readonly string[];
  readonly labels: ValueLabels;
  stored = false;
  /** The batch that last counted it among what is new. */
  newIn = 0;

  constructor(id: number, metric: MetricRecord, entity: EntityRecord, labelValues: readonly string[]) {
    this.id = id;
    this.metric = metric;
    this.entity = entity;
    this.labelValues = labelValues;
    this.labels =
      labelValues.length === 0
        ? NO_LABELS
        : Object.freeze(Object.fromEntries(metric.declared.valueLabels.map((name, i) => [name, labelValues[i] ?? ''])));
  }
}

/** One metric with its series. */
export class MetricRecord {
  readonly id: number;
  /** The newest declaration, acknowledged or not. */
  declared: MetricDefinition;
  /** The newest acknowledged declaration: what readers see. */
  definition: MetricDefinition | undefined;
  rollups: RollupHistory;
  /** Another record has taken its name, because this one was never stored. */
  replaced = false;
  /** Declarations on their way to the database. */
  pending = 0;
  /** The newest hour that has values, in the database or on their way to it. */
  newestHour: number | undefined;
  readonly series: SeriesRecord[] = [];
  /** By `labelsKey`: the series of one label set. */
  readonly labelSets = new Map<string, SeriesRecord[]>();
  readonly #byEntity = new Map<EntityRecord, SeriesRecord[]>();
  /** Of scopes other than that of services, whose series are found by their entity. */
  readonly #byService = new Map<EntityRecord, SeriesRecord[]>();
  /** Of metrics with labels, of which one entity may have any number of series; by `identity`. */
  readonly #byLabels = new Map<string, SeriesRecord>();
  readonly #byLayer = new Map<string, SeriesRecord[]>();

  constructor(id: number, declared: MetricDefinition, rollups?: RollupHistory) {
    this.id = id;
    this.declared = declared;
    this.rollups = rollups ?? [{from: 0, rollup: declared.rollup}];
  }

  ofEntity(entity: EntityRecord): readonly SeriesRecord[] {
    return this.#byEntity.get(entity) ?? [];
  }

  ofService(service: EntityRecord): readonly SeriesRecord[] {
    return this.#byService.get(service) ?? this.ofEntity(service);
  }

  ofLayer(layer: string): readonly SeriesRecord[] {
    return this.#byLayer.get(layer) ?? [];
  }

  /** The series of an entity with these label values. */
  find(entity: EntityRecord, labelValues: readonly string[]): SeriesRecord | undefined {
    return labelValues.length === 0 ? this.ofEntity(entity)[0] : this.#byLabels.get(identity(entity, labelValues));
  }

  add(series: SeriesRecord): void {
    const {entity, labelValues} = series;
    this.series.push(series);
    push(this.labelSets, labelsKey(labelValues), series);
    push(this.#byEntity, entity, series);
    if (entity.service !== entity) push(this.#byService, entity.service, series);
    push(this.#byLayer, entity.entity.layer, series);
    if (labelValues.length > 0) this.#byLabels.set(identity(entity, labelValues), series);
  }

  /** Takes the rollups that the metric had elsewhere; whether that changes anything. */
  adopt(given: RollupHistory): boolean {
    const adopted = adoptedHistory(this.rollups, given);
    const isNew = adopted !== this.rollups;
    this.rollups = adopted;
    return isNew;
  }

  /** Takes a new declaration of the same metric. */
  redeclare(definition: MetricDefinition): void {
    if (definition.rollup !== this.declared.rollup) {
      this.rollups = withRollup(this.rollups, definition.rollup, this.newestHour);
    }
    this.declared = definition;
  }
}

/** The metrics by name. */
export class Metrics {
  readonly #byName = new Map<string, MetricRecord>();
  #catalog: readonly MetricDefinition[] | undefined;
  #version = 0;
  #nextId = 0;

  get(name: string): MetricRecord | undefined {
    return this.#byName.get(name);
  }

  all(): Iterable<MetricRecord> {
    return this.#byName.values();
  }

  load({id, definition, rollups}: DeclaredMetric): MetricRecord {
    const record = new MetricRecord(id, freeze(definition), rollups);
    record.definition = record.declared;
    this.#byName.set(definition.name, record);
    this.#nextId = Math.max(this.#nextId, id + 1);
    return record;
  }

  /** Another number after each change of the catalog. */
  get version(): number {
    return this.#version;
  }

  /** What was acknowledged, by name; the same array until that changes. */
  catalog(): readonly MetricDefinition[] {
    this.#catalog ??= Object.freeze(
      [...this.#byName.values()]
        .flatMap(({definition}) => definition ?? [])
        .sort((a, b) => compareNames(a.name, b.name)),
    );
    return this.#catalog;
  }

  /** Refuses declarations that contradict each other, or one that stands or is on its way. */
  check(definitions: readonly MetricDefinition[]): void {
    const earlier = new Map<string, MetricDefinition>();
    for (const definition of definitions) {
      const {name} = definition;
      const record = this.#byName.get(name);
      const standing = record === undefined || isAbandoned(record) ? earlier.get(name) : record.declared;
      const conflict = standing && conflictBetween(standing, definition);
      if (conflict !== undefined) throw new GatewayError('bad_request', conflict);
      earlier.set(name, definition);
    }
  }

  /** The metric after a declaration that was checked, and whether the declaration says anything new. */
  declare(definition: MetricDefinition): {readonly record: MetricRecord; readonly isNew: boolean} {
    const record = this.#byName.get(definition.name);
    if (record === undefined || isAbandoned(record)) {
      if (record !== undefined) record.replaced = true;
      const created = new MetricRecord(this.#nextId++, freeze(definition));
      this.#byName.set(definition.name, created);
      return {record: created, isNew: true};
    }
    if (!isSameDeclaration(record.declared, definition)) record.redeclare(freeze(definition));
    const isStored = record.definition === record.declared && record.pending === 0;
    return {record, isNew: !isStored};
  }

  /** The declaration was stored. */
  confirm(record: MetricRecord, definition: MetricDefinition): void {
    record.definition = definition;
    this.#catalog = undefined;
    this.#version++;
  }
}

/** Its only declarations failed to be stored. */
function isAbandoned(record: MetricRecord): boolean {
  return record.definition === undefined && record.pending === 0;
}

function freeze({name, scope, kind, type, help, unit, rollup, valueLabels}: MetricDefinition): MetricDefinition {
  return Object.freeze({name, scope, kind, type, help, unit, rollup, valueLabels: Object.freeze([...valueLabels])});
}

/** Label values as JSON. */
export function labelsKey(labelValues: readonly string[]): string {
  return labelValues.length === 0 ? '[]' : JSON.stringify(labelValues);
}

function identity(entity: EntityRecord, labelValues: readonly string[]): string {
  return entity.id + labelsKey(labelValues);
}

function push<Key>(lists: Map<Key, SeriesRecord[]>, key: Key, series: SeriesRecord): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [series]);
  else list.push(series);
}
