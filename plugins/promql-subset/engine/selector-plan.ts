import {type Entity, entityOf, GatewayError, type MetricDefinition, type Order} from '../../../core/api/plugin.js';
import {didYouMean, listOf, quote} from '../../../core/toolkit/messages.js';
import type {Matcher, Selector} from '../language/ast.js';
import type {MetricCatalog} from '../model/catalog.js';
import type {LabelSet} from '../model/label-set.js';
import {entityLabels, isRelation, labelsOf, needsLabels, RECORD_LABELS} from '../model/metric-labels.js';
import {isTrafficMetric} from '../model/traffic-metrics.js';
import type {SelectorIdentity} from './vector.js';

/** What a selector asks of the storage: its labels checked against its metric. */
export type SelectorPlan = ValuesPlan | RankingPlan | RecordsPlan;

interface BasePlan {
  readonly metric: MetricDefinition;
  readonly identity: SelectorIdentity;
  /** The matchers whose value must be a known layer. */
  readonly layers: readonly Matcher[];
}

export interface ValuesPlan extends BasePlan {
  readonly reads: 'values';
  readonly entity: Entity;
  readonly filters: ReadonlyMap<string, readonly string[]>;
  /** Label sets of the series that this plan has given, by their value labels. */
  readonly labelSets: Map<string, LabelSet>;
}

export interface RankingPlan extends BasePlan {
  readonly reads: 'ranking';
  readonly layer: string;
  readonly parentService: string | undefined;
  readonly order: Order;
  readonly limit: number;
}

export interface RecordsPlan extends BasePlan {
  readonly reads: 'records';
  readonly layer: string;
  readonly parentService: string;
  readonly order: Order;
  readonly limit: number;
}

const resolved = new WeakMap<MetricCatalog, WeakMap<Selector, SelectorPlan>>();

/** Kept per catalog and selector, both of which live in caches of their own. */
export function planOf(selector: Selector, catalog: MetricCatalog): SelectorPlan {
  let plans = resolved.get(catalog);
  if (plans === undefined) {
    plans = new WeakMap();
    resolved.set(catalog, plans);
  }
  let plan = plans.get(selector);
  if (plan === undefined) {
    plan = makePlan(selector, metricOf(selector, catalog));
    plans.set(selector, plan);
  }
  return plan;
}

function metricOf({metric: name = '', position}: Selector, catalog: MetricCatalog): MetricDefinition {
  const metric = catalog.byName.get(name);
  if (metric !== undefined) return metric;
  const message = isTrafficMetric(name)
    ? `${quote(name)} lists entities and has no values: ask /api/v1/series or /api/v1/label/…/values with it in match[]`
    : `there is no metric ${quote(name)}${didYouMean(name, [...catalog.byName.keys()])}`;
  throw new GatewayError('bad_request', message, {position});
}

function makePlan(selector: Selector, metric: MetricDefinition): SelectorPlan {
  const labels = new Matchers(selector, metric);
  if (metric.kind === 'sampled-record') return recordsPlan(labels, metric);
  return labels.get('top_n') === undefined ? valuesPlan(labels, metric) : rankingPlan(labels, metric);
}

/** The matchers of one selector by label. `__name__` and `scope` say what the metric already says, and are dropped. */
class Matchers {
  readonly #selector: Selector;
  readonly #metric: MetricDefinition;
  readonly #byLabel = new Map<string, Matcher>();

  constructor(selector: Selector, metric: MetricDefinition) {
    this.#selector = selector;
    this.#metric = metric;
    for (const matcher of selector.matchers) this.#add(matcher);
  }

  #add(matcher: Matcher): void {
    const {label, value} = matcher;
    const before = this.#byLabel.get(label);
    if (before !== undefined && before.value !== value) {
      refuse(`${quote(label)} is given twice, as ${quote(before.value)} and as ${quote(value)}`, matcher);
    }
    const own = label === '__name__' ? this.#metric.name : label === 'scope' ? this.#metric.scope : undefined;
    if (own === undefined) {
      // A filter without a value filters nothing.
      if (value.trim() === '' && (OPTIONAL.has(label) || this.#metric.valueLabels.includes(label))) return;
      this.#byLabel.set(label, matcher);
    } else if (own !== value) {
      refuse(`${quote(label)} of ${quote(this.#metric.name)} is ${quote(own)}, not ${quote(value)}`, matcher);
    }
  }

  get(label: string): Matcher | undefined {
    return this.#byLabel.get(label);
  }

  value(label: string): string {
    return this.#byLabel.get(label)?.value ?? '';
  }

  named(labels: readonly string[]): readonly Matcher[] {
    return labels.flatMap(label => this.#byLabel.get(label) ?? []);
  }

  /** Refuses labels outside `allowed`, with a hint where there is one, and reports all that are missing at once. */
  require(required: readonly string[], allowed: readonly string[], hint: (label: string) => string | undefined): void {
    const {name} = this.#metric;
    for (const [label, matcher] of this.#byLabel) {
      if (allowed.includes(label)) continue;
      const known = hint(label);
      const message = known ?? `${quote(name)} has no label ${quote(label)}`;
      const near = known === undefined ? didYouMean(label, allowed) : '';
      refuse(`${message}; a selector of it may have ${listOf(allowed)}${near}`, matcher);
    }
    const missing = required.filter(label => !this.#byLabel.has(label));
    if (missing.length > 0) {
      refuse(needsLabels(name, missing), this.#selector);
    }
  }

  identity(lists: ReadonlyMap<string, readonly string[]> = new Map()): SelectorIdentity {
    const texts = [...this.#byLabel].map(
      ([label, {value}]) => [label, lists.get(label)?.toSorted().join(',') ?? value] as const,
    );
    return {metric: this.#metric.name, labels: new Map(texts)};
  }
}

const OPTIONAL: ReadonlySet<string> = new Set(['top_n', 'order', 'parent_service']);

function refuse(message: string, {position}: {readonly position: Matcher['position']}): never {
  throw new GatewayError('bad_request', message, {position});
}

function valuesPlan(labels: Matchers, metric: MetricDefinition): ValuesPlan {
  const required = entityLabels(metric.scope);
  labels.require(required, [...required, ...metric.valueLabels], label =>
    OPTIONAL.has(label) ? `${quote(label)} goes with "top_n"` : undefined,
  );
  const filters = new Map<string, readonly string[]>();
  const items = new Map<string, readonly string[]>();
  for (const {label, value} of labels.named(metric.valueLabels)) {
    const wanted = new Set(value.split(',').map(item => item.trim()));
    wanted.delete('');
    if (wanted.size === 0) continue;
    items.set(label, [...wanted]);
    // A value may hold a comma itself.
    filters.set(label, [...wanted.add(value)]);
  }
  return {
    reads: 'values',
    metric,
    identity: labels.identity(items),
    layers: labels.named(['layer', 'dest_layer']),
    entity: entityOf(
      metric.scope,
      required.map(label => labels.value(label)),
    ),
    filters,
    labelSets: new Map(),
  };
}

function rankingPlan(labels: Matchers, metric: MetricDefinition): RankingPlan {
  const {name, scope, kind} = metric;
  const [topN] = labels.named(['top_n']) as [Matcher];
  if (kind !== 'common') refuse(`"top_n" ranks metrics of one value an entity, and ${quote(name)} is labeled`, topN);
  if (isRelation(scope)) refuse(`"top_n" does not rank relations, and the scope of ${quote(name)} is ${scope}`, topN);
  labels.require(['layer', 'top_n', 'order'], RECORD_LABELS, label =>
    entityLabels(scope).includes(label) ? `${quote(label)} does not go with "top_n": use "parent_service"` : undefined,
  );
  return {
    reads: 'ranking',
    metric,
    identity: labels.identity(),
    layers: labels.named(['layer']),
    layer: labels.value('layer'),
    parentService: labels.get('parent_service')?.value,
    order: orderOf(labels),
    limit: limitOf(topN),
  };
}

function recordsPlan(labels: Matchers, metric: MetricDefinition): RecordsPlan {
  labels.require(RECORD_LABELS, labelsOf(metric), label =>
    entityLabels(metric.scope).includes(label)
      ? `${quote(label)} does not select records: use "parent_service"`
      : undefined,
  );
  const [topN] = labels.named(['top_n']) as [Matcher];
  return {
    reads: 'records',
    metric,
    identity: labels.identity(),
    layers: labels.named(['layer']),
    layer: labels.value('layer'),
    parentService: labels.value('parent_service'),
    order: orderOf(labels),
    limit: limitOf(topN),
  };
}

function orderOf(labels: Matchers): Order {
  const [order] = labels.named(['order']) as [Matcher];
  if (order.value !== 'ASC' && order.value !== 'DES') refuse(`"order" is ASC or DES, not ${quote(order.value)}`, order);
  return order.value as Order;
}

function limitOf(topN: Matcher): number {
  const limit = /^\s*\d+\s*$/.test(topN.value) ? Number(topN.value) : 0;
  if (limit < 1) refuse(`"top_n" is a whole number from 1, not ${quote(topN.value)}`, topN);
  return Math.min(limit, Number.MAX_SAFE_INTEGER);
}
