import {type Call, GatewayError, type MetadataReader, type MetricReader} from '../../../core/api/plugin.js';
import {catalogOf} from '../catalog.js';
import type {Expression, Matcher, Selector} from '../language/ast.js';
import type {Query} from '../language/check.js';
import {BUILT_IN_LAYERS, isBuiltInLayer} from '../layers.js';
import {didYouMean} from '../messages.js';
import {aggregate} from './aggregate.js';
import {binary} from './binary.js';
import {slots, type Value, type Vector} from './column.js';
import {resolve} from './resolve.js';
import {type Moment, select, windowOf} from './select.js';
import {requireAnswerable, Work} from './work.js';

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
  const work = new Work();
  if (selectors.length === 0) return compute(expression, new Map(), work);
  if (moment.kind === 'range') refuseRanges(selectors);
  const windows = selectors.map(({range}) => windowOf(range, moment));
  work.begin(query, windows);
  const catalog = catalogOf(await storage.metrics.catalog(call));
  const sources = selectors.map(selector => resolve(selector, catalog));
  const unsure = sources.flatMap(({layers}) => layers.filter(({value}) => !isBuiltInLayer(value)));
  if (unsure.length > 0) refuseUnknownLayers(unsure, await storage.metadata.layers(call));
  const vectors = await Promise.all(
    selectors.map(async (selector, i) => {
      const source = sources[i] as (typeof sources)[number];
      return [selector, await select(selector, source, moment, storage.metrics, work, call)] as const;
    }),
  );
  const value = compute(expression, new Map(vectors), work);
  if (typeof value !== 'number') requireAnswerable(value.series.length, slots(value));
  return value;
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

function compute(expression: Expression, read: ReadonlyMap<Selector, Vector>, work: Work): Value {
  switch (expression.kind) {
    case 'number':
      return expression.value;
    case 'selector': {
      const vector = read.get(expression);
      if (vector === undefined) throw new Error(`BUG: '${expression.metric}' was not read`);
      return vector;
    }
    case 'parentheses':
      return compute(expression.inner, read, work);
    case 'aggregation': {
      const operand = compute(expression.operand, read, work);
      if (typeof operand === 'number') throw new Error('BUG: an aggregate of a number passed the check');
      work.add(operand.series.length, slots(operand));
      return aggregate(expression, operand);
    }
    case 'chain': {
      let value = compute(expression.first, read, work);
      for (const operation of expression.operations) {
        const operand = compute(operation.operand, read, work);
        for (const side of [value, operand]) {
          if (typeof side !== 'number') work.add(side.series.length, slots(side));
        }
        value = binary(operation, value, operand);
      }
      return value;
    }
  }
}
