import {type Call, GatewayError, type MetadataReader, type MetricReader} from '../../../core/api/plugin.js';
import {catalogOf} from '../catalog.js';
import type {Expression, Matcher, Selector} from '../language/ast.js';
import type {Query} from '../language/check.js';
import {BUILT_IN_LAYERS, isBuiltInLayer} from '../layers.js';
import {didYouMean} from '../messages.js';
import {aggregate} from './aggregate.js';
import {binary} from './binary.js';
import type {Value, Vector} from './column.js';
import {resolve} from './resolve.js';
import {type Moment, SampleBudget, select, windowOf} from './select.js';

export interface Storage {
  readonly metrics: MetricReader;
  readonly metadata: MetadataReader;
}

/**
 * Reads all selectors concurrently, then computes. A vector comes back with a window when the moment is a range or any
 * selector in the query is one.
 */
export async function evaluate(query: Query, moment: Moment, storage: Storage, call: Call): Promise<Value> {
  const {expression, selectors} = query;
  if (selectors.length === 0) return compute(expression, new Map());
  if (moment.kind === 'range') refuseRanges(selectors);
  const catalog = catalogOf(await storage.metrics.catalog(call));
  const sources = selectors.map(selector => resolve(selector, catalog));
  const unsure = sources.flatMap(({layers}) => layers.filter(({value}) => !isBuiltInLayer(value)));
  if (unsure.length > 0) refuseUnknownLayers(unsure, await storage.metadata.layers(call));
  const budget = new SampleBudget();
  for (const {range} of selectors) budget.take(1, windowOf(range, moment));
  const vectors = await Promise.all(
    selectors.map(async (selector, i) => {
      const source = sources[i] as (typeof sources)[number];
      return [selector, await select(selector, source, moment, storage.metrics, budget, call)] as const;
    }),
  );
  return compute(expression, new Map(vectors));
}

function refuseRanges(selectors: readonly Selector[]): void {
  const range = selectors.find(selector => selector.range !== undefined);
  if (range === undefined) return;
  const message = `'${range.metric}' has a range in brackets, which a range query does not take: leave the brackets out`;
  throw new GatewayError('bad_request', message, {position: range.position});
}

function refuseUnknownLayers(matchers: readonly Matcher[], known: readonly string[]): void {
  const unknown = matchers.find(({value}) => !known.includes(value));
  if (unknown === undefined) return;
  const {label, value, position} = unknown;
  const candidates = [...new Set([...known, ...BUILT_IN_LAYERS])];
  throw new GatewayError('bad_request', `'${label}' names no layer: '${value}'${didYouMean(value, candidates)}`, {
    position,
  });
}

function compute(expression: Expression, read: ReadonlyMap<Selector, Vector>): Value {
  switch (expression.kind) {
    case 'number':
      return expression.value;
    case 'selector': {
      const vector = read.get(expression);
      if (vector === undefined) throw new Error(`BUG: '${expression.metric}' was not read`);
      return vector;
    }
    case 'parentheses':
      return compute(expression.inner, read);
    case 'aggregation': {
      const operand = compute(expression.operand, read);
      if (typeof operand === 'number') throw new Error('BUG: an aggregate of a number passed the check');
      return aggregate(expression, operand);
    }
    case 'chain': {
      let value = compute(expression.first, read);
      for (const operation of expression.operations) value = binary(operation, value, compute(operation.operand, read));
      return value;
    }
  }
}
