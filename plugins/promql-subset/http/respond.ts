import {type BucketWindow, type Reply, STEP_SECONDS} from '../../../core/api/plugin.js';
import type {Steps} from '../../../core/toolkit/yielder.js';
import {type QueryValue, slots, type Vector, type VectorSeries} from '../engine/vector.js';
import {formatValue} from './format-value.js';

/** All answers but errors. */
export interface TextReply extends Reply {
  readonly body: string;
}

/**
 * The success envelope, written once, by string building. `resultType` comes before `result`: some clients read the
 * keys in order. There is never a JSON null.
 */
function success(data: string, warnings: readonly string[] = []): TextReply {
  const told = warnings.length === 0 ? '' : `,"warnings":${JSON.stringify(warnings)}`;
  return {status: 200, body: `{"status":"success","data":${data}${told}}`};
}

/** How many series of one sample, and how many names, are written between two pauses. */
const ITEMS_A_STEP = 64;
const NAMES_A_STEP = 1024;

/** `time` is what a scalar carries: seconds, to the millisecond. */
export function* instantReply(value: QueryValue, time: number): Steps<Reply> {
  if (typeof value === 'number') {
    return success(`{"resultType":"scalar","result":[${Math.round(time * 1000) / 1000},"${formatValue(value)}"]}`);
  }
  return yield* value.window === undefined ? vectorReply(value.series) : matrixReply(value, value.window);
}

/** A number over a range is one series without labels. */
export function* rangeReply(value: QueryValue, window: BucketWindow): Steps<Reply> {
  if (typeof value !== 'number') return yield* matrixReply(value, window);
  const samples = times(window).map(time => `${time}${formatValue(value)}"]`);
  return success(`{"resultType":"matrix","result":[{"metric":{},"values":[${samples.join(',')}]}]}`);
}

function* vectorReply(all: readonly VectorSeries[]): Steps<Reply> {
  let result = '';
  for (const [i, {labels, values, present, time}] of all.entries()) {
    if (i % ITEMS_A_STEP === ITEMS_A_STEP - 1) yield;
    if (present[0] === 0) continue;
    result += `${result === '' ? '' : ','}{"metric":${labels.json},"value":[${time},"${formatValue(values[0] as number)}"]}`;
  }
  return success(`{"resultType":"vector","result":[${result}]}`);
}

function* matrixReply(vector: Vector, window: BucketWindow): Steps<Reply> {
  const count = slots(vector);
  const starts = times(window);
  const result: string[] = [];
  for (const {labels, values, present} of vector.series) {
    yield;
    // A value that repeats is written once. Joining is faster than growing one long text.
    const samples: string[] = [];
    let last = Number.NaN;
    let text = '';
    for (let i = 0; i < count; i++) {
      if (present[i] === 0) continue;
      const value = values[i] as number;
      if (!Object.is(value, last) || text === '') {
        last = value;
        text = `${formatValue(value)}"]`;
      }
      samples.push(starts[i] + text);
    }
    if (samples.length > 0) result.push(`{"metric":${labels.json},"values":[${samples.join(',')}]}`);
  }
  return success(`{"resultType":"matrix","result":[${result.join(',')}]}`);
}

/** The beginning of a sample in each bucket. */
function times({first, step, count}: BucketWindow): readonly string[] {
  const starts = new Array<string>(count);
  for (let i = 0; i < count; i++) starts[i] = `[${first + i * STEP_SECONDS[step]},"`;
  return starts;
}

/** Strings, arrays and objects of strings. */
export function jsonReply(data: unknown): Reply {
  return success(JSON.stringify(data));
}

/** A list that may be long, of texts. */
export function* namesReply(names: readonly string[], warnings: readonly string[] = []): Steps<TextReply> {
  const parts: string[] = [];
  for (let from = 0; from < names.length; from += NAMES_A_STEP) {
    parts.push(JSON.stringify(names.slice(from, from + NAMES_A_STEP)).slice(1, -1));
    yield;
  }
  return listReply(parts, warnings);
}

/** Items that are JSON already. */
export function listReply(items: readonly string[], warnings: readonly string[] = []): TextReply {
  return success(`[${items.join(',')}]`, warnings);
}
