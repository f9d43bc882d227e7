import {
  type BucketWindow,
  GatewayError,
  type HttpRequest,
  type MetadataReader,
  type MetricReader,
} from '../../../core/api/plugin.js';
import {cooperate, pause, type Steps} from '../../../core/toolkit/yielder.js';
import type {Query} from '../language/analysis.js';
import type {Expression, Matcher, Selector} from '../language/ast.js';
import {didYouMean} from '../messages.js';
import {catalogOf} from '../model/catalog.js';
import {BUILT_IN_LAYERS, isBuiltInLayer} from '../model/layers.js';
import {aggregate} from './aggregate.js';
import {binary} from './binary.js';
import {requireAnswerable, Work} from './query-budget.js';
import {type Moment, select, windowOf} from './read-selector.js';
import {resolve, type Source} from './selector-plan.js';
import {slots, type Value, type Vector} from './vector.js';

export interface Storage {
  readonly metrics: MetricReader;
  readonly metadata: MetadataReader;
}

/** How many selectors of a query are read concurrently. */
const READS_AT_ONCE = 64;

/**
 * Reads the selectors concurrently, then computes. A vector comes back with a window when the moment is a range or any
 * selector in the query is one.
 */
export async function evaluate(query: Query, moment: Moment, storage: Storage, call: HttpRequest): Promise<Value> {
  const {expression, selectors} = query;
  const work = new Work();
  if (selectors.length === 0) return cooperate(compute(expression, new Map(), work), call);
  if (moment.kind === 'range') refuseRanges(selectors);
  const windows = selectors.map(({range}) => windowOf(range, moment));
  work.begin(query, windows);
  const catalog = catalogOf(await storage.metrics.catalog(call));
  const sources = selectors.map(selector => resolve(selector, catalog));
  for (const [i, source] of sources.entries()) {
    if (source.kind !== 'values') work.expect(source.limit, (windows[i] as BucketWindow).count);
  }
  if (work.isHeavy) await call.heavySlot();
  const unsure = sources.flatMap(({layers}) => layers.filter(({value}) => !isBuiltInLayer(value)));
  if (unsure.length > 0) refuseUnknownLayers(unsure, await storage.metadata.layers(call));
  const vectors = new Map<Selector, Vector>();
  for (let from = 0; from < selectors.length; from += READS_AT_ONCE) {
    const some = selectors.slice(from, from + READS_AT_ONCE);
    const read = (selector: Selector, i: number): Promise<Vector> =>
      select(selector, sources[from + i] as Source, moment, storage.metrics, work, call);
    for (const [i, vector] of (await Promise.all(some.map(read))).entries()) vectors.set(some[i] as Selector, vector);
    if (from > 0) await pause(call);
  }
  const value = await cooperate(compute(expression, vectors, work), call);
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

/** Pauses after each operator. */
function* compute(expression: Expression, read: ReadonlyMap<Selector, Vector>, work: Work): Steps<Value> {
  switch (expression.kind) {
    case 'number':
      return expression.value;
    case 'selector': {
      const vector = read.get(expression);
      if (vector === undefined) throw new Error(`BUG: '${expression.metric}' was not read`);
      return vector;
    }
    case 'parentheses':
      return yield* compute(expression.inner, read, work);
    case 'aggregation': {
      const operand = yield* compute(expression.operand, read, work);
      if (typeof operand === 'number') throw new Error('BUG: an aggregate of a number passed the check');
      work.add(operand.series.length, slots(operand));
      return yield* aggregate(expression, operand);
    }
    case 'chain': {
      let value = yield* compute(expression.first, read, work);
      for (const operation of expression.operations) {
        const operand = yield* compute(operation.operand, read, work);
        for (const side of [value, operand]) {
          if (typeof side !== 'number') work.add(side.series.length, slots(side));
        }
        value = binary(operation, value, operand);
        yield;
      }
      return value;
    }
  }
}
