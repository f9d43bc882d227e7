import {GatewayError} from '../../../core/api/plugin.js';
import {listOf, quote} from '../../../core/toolkit/messages.js';
import {type ArithmeticOperator, type ComparisonOperator, isComparison, type Operation} from '../language/ast.js';
import {isValueLabel} from '../model/metric-labels.js';
import {type QueryValue, type SelectorIdentity, slots, type Vector, type VectorSeries} from './vector.js';
import {bucketStart, slotAt} from './window.js';

const ARITHMETIC: Readonly<Record<ArithmeticOperator, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
};

const COMPARISON: Readonly<Record<ComparisonOperator, (a: number, b: number) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
};

export function binary(operation: Operation, left: QueryValue, right: QueryValue): QueryValue {
  if (typeof left === 'number') {
    return typeof right === 'number' ? numbers(operation, left, right) : withNumber(operation, right, left, true);
  }
  return typeof right === 'number' ? withNumber(operation, left, right, false) : vectors(operation, left, right);
}

function numbers({operator}: Operation, left: number, right: number): number {
  return isComparison(operator) ? Number(COMPARISON[operator](left, right)) : ARITHMETIC[operator](left, right);
}

function withNumber({operator, bool}: Operation, vector: Vector, number: number, swapped: boolean): Vector {
  const count = slots(vector);
  if (isComparison(operator)) {
    const compare = COMPARISON[operator];
    for (const {values, present} of vector.series) {
      for (let i = 0; i < count; i++) {
        const value = values[i] as number;
        const holds = swapped ? compare(number, value) : compare(value, number);
        if (bool) values[i] = Number(holds);
        else if (!holds) present[i] = 0;
      }
    }
    return bool ? nameless(vector) : vector;
  }
  const compute = ARITHMETIC[operator];
  for (const {values} of vector.series) {
    for (let i = 0; i < count; i++) {
      const value = values[i] as number;
      values[i] = swapped ? compute(number, value) : compute(value, number);
    }
  }
  return vector;
}

function nameless(vector: Vector): Vector {
  const series = vector.series.map(one => ({...one, labels: one.labels.withoutName()}));
  return {...vector, series, identity: undefined};
}

/** Samples pair by their time; two instant vectors are both of one instant, whatever buckets their samples come from. */
function vectors(operation: Operation, left: Vector, right: Vector): Vector {
  const {operator, bool} = operation;
  if (!isComparison(operator)) requireSameIdentity(operation, left.identity, right.identity);
  const window = left.window ?? right.window;
  const pairs = isComparison(operator) ? comparisonPairs(left, right) : pairsBy(left, right, one => one.labels.key);
  const series: VectorSeries[] = [];
  for (const [a, b] of pairs) {
    const from = align(a, left.window, window);
    const other = align(b, right.window, window);
    combine(operation, from, other, window?.count ?? 1);
    series.push(from);
  }
  const result = {window, series, identity: left.identity};
  return bool ? nameless(result) : result;
}

/** The series in the slots of another window; what has no slot there is gone. */
function align(series: VectorSeries, from: Vector['window'], to: Vector['window']): VectorSeries {
  if (to === undefined || (from?.first === to.first && from.step === to.step && from.count === to.count)) return series;
  const values = new Float64Array(to.count);
  const present = new Uint8Array(to.count);
  for (let i = 0; i < (from?.count ?? 1); i++) {
    const slot = slotAt(to, from === undefined ? series.time : bucketStart(from, i));
    if (slot < 0) continue;
    values[slot] = series.values[i] as number;
    present[slot] = series.present[i] as number;
  }
  return {labels: series.labels, values, present, time: 0};
}

function combine({operator, bool}: Operation, left: VectorSeries, right: VectorSeries, count: number): void {
  const {values, present} = left;
  if (isComparison(operator)) {
    const compare = COMPARISON[operator];
    for (let i = 0; i < count; i++) {
      const holds = compare(values[i] as number, right.values[i] as number);
      present[i] = (present[i] as number) & (right.present[i] as number) & (bool ? 1 : Number(holds));
      if (bool) values[i] = Number(holds);
    }
    return;
  }
  const compute = ARITHMETIC[operator];
  for (let i = 0; i < count; i++) {
    present[i] = (present[i] as number) & (right.present[i] as number);
    values[i] = compute(values[i] as number, right.values[i] as number);
  }
}

type Pair = readonly [VectorSeries, VectorSeries];

/** In order of the left. Series with the same key, such as two records of the same text, pair in their order. */
function pairsBy(left: Vector, right: Vector, keyOf: (series: VectorSeries) => string): readonly Pair[] {
  const waiting = new Map<string, VectorSeries[]>();
  for (const series of right.series) {
    const key = keyOf(series);
    const queue = waiting.get(key);
    if (queue === undefined) waiting.set(key, [series]);
    else queue.push(series);
  }
  for (const queue of waiting.values()) queue.reverse();
  return left.series.flatMap(series => {
    const partner = waiting.get(keyOf(series))?.pop();
    return partner === undefined ? [] : [[series, partner] as const];
  });
}

/**
 * A comparison may be between two services, so it pairs on the value labels alone, and one series on each side in any
 * case. Where those don't tell the series apart, as in a ranking, all labels count.
 */
function comparisonPairs(left: Vector, right: Vector): readonly Pair[] {
  const [a, b] = [left.series[0], right.series[0]];
  if (a !== undefined && b !== undefined && left.series.length === 1 && right.series.length === 1) return [[a, b]];
  const byValueLabels = (series: VectorSeries): string => series.labels.filter(isValueLabel).key;
  const distinct = [left, right].every(({series}) => new Set(series.map(byValueLabels)).size === series.length);
  return pairsBy(left, right, distinct ? byValueLabels : one => one.labels.key);
}

function requireSameIdentity(
  {operator, position}: Operation,
  left: SelectorIdentity | undefined,
  right: SelectorIdentity | undefined,
): void {
  const difference = differenceOf(left, right);
  if (difference === undefined) return;
  const message = `${quote(operator)} needs the same metric with the same labels on both sides: ${difference}`;
  throw new GatewayError('bad_request', message, {position});
}

function differenceOf(left: SelectorIdentity | undefined, right: SelectorIdentity | undefined): string | undefined {
  if (left === undefined || right === undefined) {
    const named = left ?? right;
    return named && `one side is the metric ${quote(named.metric)}, the other has no metric name`;
  }
  if (left.metric !== right.metric) return `${listOf([left.metric, right.metric])} are two metrics`;
  for (const label of new Set([...left.labels.keys(), ...right.labels.keys()])) {
    const [a, b] = [left.labels.get(label), right.labels.get(label)];
    if (a !== b) return `the label ${quote(label)} differs, ${shown(a)} and ${shown(b)}`;
  }
  return undefined;
}

function shown(value: string | undefined): string {
  return value === undefined ? 'none' : quote(value);
}
