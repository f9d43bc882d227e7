import {GatewayError, type HttpRequest, type MetricReader} from '../../../core/api/plugin.js';
import {didYouMean, quote} from '../../../core/toolkit/messages.js';
import {cooperate, pause, type Steps} from '../../../core/toolkit/yielder.js';
import type {Query} from '../language/analysis.js';
import type {Expression, Matcher, Selector} from '../language/ast.js';
import {catalogOf, type MetricCatalog} from '../model/catalog.js';
import {BUILT_IN_LAYERS, isBuiltInLayer} from '../model/layers.js';
import type {StorageReaders} from '../model/storage-readers.js';
import {isTrafficMetric} from '../model/traffic-metrics.js';
import {aggregate} from './aggregate.js';
import {binary} from './binary.js';
import {QueryBudget, requireAnswerable} from './query-budget.js';
import {readSelector, type SelectorRead} from './read-selector.js';
import {planOf} from './selector-plan.js';
import {type QueryValue, slots, type Vector} from './vector.js';
import {type EvaluationTime, windowOf} from './window.js';

/** How many selectors of a query are read concurrently. */
const READS_AT_ONCE = 64;

/**
 * Reads the selectors concurrently, then computes. A vector comes back with a window when the query is one over a range
 * of time, or any selector in it is.
 */
export async function evaluate(
  query: Query,
  time: EvaluationTime,
  storage: StorageReaders,
  call: HttpRequest,
): Promise<QueryValue> {
  const {expression, selectors, operations} = query;
  const budget = new QueryBudget();
  if (selectors.length === 0) return cooperate(compute(expression, new Map(), budget), call);
  if (typeof time !== 'number') refuseRanges(selectors);
  const asked = selectors.map(selector => ({selector, window: windowOf(selector.range, time)}));
  budget.charge(operations, asked);
  const catalog = await catalogWith(selectors, storage.metrics, call);
  const reads = asked.map(({selector, window}): SelectorRead => {
    const isInstant = typeof time === 'number' && selector.range === undefined;
    return {selector, plan: planOf(selector, catalog), window, isInstant};
  });
  for (const {plan, window} of reads) {
    if (plan.reads !== 'values') budget.expect(plan.limit, window.count);
  }
  if (budget.isHeavy) await call.heavySlot();
  const unsure = reads.flatMap(({plan}) => plan.layers.filter(({value}) => !isBuiltInLayer(value)));
  if (unsure.length > 0) refuseUnknownLayers(unsure, await storage.metadata.layers(call));
  const vectors = new Map<Selector, Vector>();
  for (let from = 0; from < reads.length; from += READS_AT_ONCE) {
    const some = reads.slice(from, from + READS_AT_ONCE);
    const readOne = async (read: SelectorRead): Promise<void> => {
      vectors.set(read.selector, await readSelector(read, storage.metrics, budget, call));
    };
    await Promise.all(some.map(readOne));
    if (from > 0) await pause(call);
  }
  const value = await cooperate(compute(expression, vectors, budget), call);
  if (typeof value !== 'number') requireAnswerable(value.series.length, slots(value));
  return value;
}

/** Asks once more where a metric is unknown: another gateway on the same storage may have declared it a moment ago. */
async function catalogWith(
  selectors: readonly Selector[],
  reader: MetricReader,
  call: HttpRequest,
): Promise<MetricCatalog> {
  const catalog = catalogOf(await reader.catalog(call));
  const isKnown = ({metric = ''}: Selector): boolean => catalog.byName.has(metric) || isTrafficMetric(metric);
  return selectors.every(isKnown) ? catalog : catalogOf(await reader.catalog(call, true));
}

function refuseRanges(selectors: readonly Selector[]): void {
  const range = selectors.find(selector => selector.range !== undefined);
  if (range === undefined) return;
  const message = `${quote(range.metric)} has a range in brackets, which a range query does not take: leave the brackets out`;
  throw new GatewayError('bad_request', message, {position: range.position});
}

function refuseUnknownLayers(matchers: readonly Matcher[], known: readonly string[]): void {
  const unknown = matchers.find(({value}) => !known.includes(value));
  if (unknown === undefined) return;
  const {label, value, position} = unknown;
  const candidates = [...new Set([...known, ...BUILT_IN_LAYERS])];
  throw new GatewayError(
    'bad_request',
    `${quote(label)} names no layer: ${quote(value)}${didYouMean(value, candidates)}`,
    {
      position,
    },
  );
}

/** Pauses after each operator. */
function* compute(expression: Expression, read: ReadonlyMap<Selector, Vector>, budget: QueryBudget): Steps<QueryValue> {
  switch (expression.kind) {
    case 'number':
      return expression.value;
    case 'selector': {
      const vector = read.get(expression);
      if (vector === undefined) throw new Error(`BUG: ${quote(expression.metric)} was not read`);
      return vector;
    }
    case 'parentheses':
      return yield* compute(expression.inner, read, budget);
    case 'aggregation': {
      const operand = yield* compute(expression.operand, read, budget);
      if (typeof operand === 'number') throw new Error('BUG: an aggregate of a number passed the check');
      budget.add(operand.series.length, slots(operand));
      return yield* aggregate(expression, operand);
    }
    case 'chain': {
      let value = yield* compute(expression.first, read, budget);
      for (const operation of expression.operations) {
        const operand = yield* compute(operation.operand, read, budget);
        for (const side of [value, operand]) {
          if (typeof side !== 'number') budget.add(side.series.length, slots(side));
        }
        value = binary(operation, value, operand);
        yield;
      }
      return value;
    }
  }
}
