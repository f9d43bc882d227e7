import {setTimeout as sleep} from 'node:timers/promises';
import type {Rehearsal, Telling} from '../api/rehearsal.js';
import {parameterReader} from '../http/parameters.js';
import {type Comparison, compareTellings, type Difference, shown} from './differences.js';
import type {AskedAnswer, Question} from './question.js';

/** What comes of a request. `noise`: the old storage differs from itself, or what differed was gone a moment later. */
export const CLASSES = ['equal', 'within tolerance', 'differs', 'unsupported', 'error', 'noise'] as const;
export type RehearsalClass = (typeof CLASSES)[number];

export interface Judgement {
  readonly class: RehearsalClass;
  readonly difference?: Difference;
  /** Whether lists without an order came in another one. */
  readonly isReordered: boolean;
  /** Milliseconds that each took for the first answer. */
  readonly ms: {readonly old: number; readonly new: number};
}

/** The two storages, as they are asked. */
export interface Sides {
  readonly old: (question: Question) => Promise<AskedAnswer>;
  readonly new: (question: Question) => Promise<AskedAnswer>;
}

/** A difference is one when it is there again; else it was of something that was being written. */
const ROUNDS = 5;
const PAUSE = 50;

/** Asks both, the old one twice: before and after the new one, so that what is written meanwhile shows. */
export async function judge(question: Question, sides: Sides, tolerance: number): Promise<Judgement> {
  const first = await judgeOnce(question, sides, tolerance);
  if (first.class !== 'differs') return first;
  for (let round = 2; round <= ROUNDS; round++) {
    await sleep(PAUSE);
    const again = await judgeOnce(question, sides, tolerance);
    if (again.class === 'differs' || again.class === 'error') return {...again, ms: first.ms};
  }
  return {...first, class: 'noise'};
}

async function judgeOnce(question: Question, sides: Sides, tolerance: number): Promise<Judgement> {
  const before = await sides.old(question);
  const next = await sides.new(question);
  const after = await sides.old(question);
  const ms = {old: before.ms, new: next.ms};
  const statuses: Difference = {at: 'status', old: statusOf(before), new: statusOf(next)};
  if ([before, next].some(({status}) => status === UNSUPPORTED)) {
    return {class: 'unsupported', difference: statuses, isReordered: false, ms};
  }
  if ([before, next, after].some(({status}) => status >= 500)) {
    return {class: 'error', difference: statuses, isReordered: false, ms};
  }
  const {differences, tolerated, isReordered} = compareAnswers(question, before, next, tolerance);
  const [any] = differences.values();
  if (any === undefined) {
    const known =
      tolerated === undefined ? {class: 'equal' as const} : {class: 'within tolerance' as const, difference: tolerated};
    return {...known, isReordered, ms};
  }
  // What the old one says differently a moment later is of both; all the rest is not.
  const noise = compareAnswers(question, before, after, tolerance).differences;
  const left = [...differences.values()].find(({at}) => !noise.has(at));
  return {class: left === undefined ? 'noise' : 'differs', difference: left ?? any, isReordered, ms};
}

const UNSUPPORTED = 501;

function statusOf({status, body}: AskedAnswer): string {
  return status === 200 ? '200' : `${status} ${shown(Buffer.from(body).toString())}`;
}

type Compared = Pick<Comparison, 'differences' | 'tolerated' | 'isReordered'>;

const SAME: Compared = {differences: new Map(), tolerated: undefined, isReordered: false};

/** Same status, same bytes, else the same as the plugin has it told, else as JSON has it. */
function compareAnswers(question: Question, old: AskedAnswer, next: AskedAnswer, tolerance: number): Compared {
  if (old.status !== next.status) return one({at: 'status', old: statusOf(old), new: statusOf(next)});
  if (Buffer.compare(old.body, next.body) === 0) return SAME;
  const [a, b] = [tellingOf(question, old), tellingOf(question, next)];
  if (a === undefined || b === undefined) return one({at: 'body', old: excerpt(old), new: excerpt(next)});
  return compareTellings(a, b, tolerance);
}

function one(difference: Difference): Compared {
  return {...SAME, differences: new Map([[difference.at, difference]])};
}

/** Undefined where it cannot be read. */
function tellingOf(
  {owner, route, parameters}: Question,
  {status, contentType, body}: AskedAnswer,
): Telling | undefined {
  const rehearsal: Rehearsal | undefined = status === 200 ? owner.definition.rehearsal : undefined;
  try {
    if (rehearsal === undefined) return JSON.parse(Buffer.from(body).toString()) as Telling;
    return rehearsal.telling({
      route: route.path,
      parameters: parameterReader(route)(parameters, ''),
      contentType,
      body,
    });
  } catch {
    return undefined;
  }
}

function excerpt({body}: AskedAnswer): string | undefined {
  return shown(Buffer.from(body).toString());
}
