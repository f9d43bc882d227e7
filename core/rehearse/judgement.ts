import {setTimeout as sleep} from 'node:timers/promises';
import type {Rehearsal, Telling} from '../api/rehearsal.js';
import {parameterReader} from '../http/parameters.js';
import type {AskedAnswer, AskedQuestion} from './asked-question.js';
import {compareTellings, type RehearsedComparison, type RehearsedDifference, shown} from './differences.js';

/** What comes of a request. `noise`: the old storage differs from itself, or what differed was gone a moment later. */
export const CLASSES = ['equal', 'within tolerance', 'differs', 'unsupported', 'error', 'noise'] as const;
export type RehearsalClass = (typeof CLASSES)[number];

export interface Judgement {
  readonly class: RehearsalClass;
  readonly difference?: RehearsedDifference | undefined;
  /** Whether lists without an order came in another one. */
  readonly isReordered: boolean;
  /** Milliseconds that each took for the first answer. */
  readonly ms: {readonly old: number; readonly new: number};
}

/** The two storages, as they are asked. */
export interface Sides {
  readonly old: (question: AskedQuestion) => Promise<AskedAnswer>;
  readonly new: (question: AskedQuestion) => Promise<AskedAnswer>;
}

/** What differs counts when it is there a second time just so; else it was of something that was being written. */
const ROUNDS = 5;
const PAUSE = 50;

/** Asks both, the old one twice: before and after the new one, so that what is written meanwhile shows. */
export async function judge(question: AskedQuestion, sides: Sides, tolerance: number): Promise<Judgement> {
  const first = await judgeOnce(question, sides, tolerance);
  if (first.judgement.class !== 'differs') return first.judgement;
  const {ms} = first.judgement;
  const seen = new Set(first.open.map(nameOf));
  for (let round = 2; round <= ROUNDS; round++) {
    await sleep(PAUSE);
    const again = await judgeOnce(question, sides, tolerance);
    if (again.judgement.class === 'error') return again.judgement;
    const difference = again.open.find(one => seen.has(nameOf(one)));
    if (difference !== undefined) return {...again.judgement, class: 'differs', difference, ms};
    for (const one of again.open) seen.add(nameOf(one));
  }
  return {...first.judgement, class: 'noise'};
}

function nameOf({at, old, new: next}: RehearsedDifference): string {
  return JSON.stringify([at, old, next]);
}

interface Round {
  readonly judgement: Judgement;
  /** What differs, but for what the old storage does not say twice. */
  readonly open: readonly RehearsedDifference[];
}

async function judgeOnce(question: AskedQuestion, sides: Sides, tolerance: number): Promise<Round> {
  const before = await sides.old(question);
  const next = await sides.new(question);
  const after = await sides.old(question);
  const ms = {old: before.ms, new: next.ms};
  const statuses: RehearsedDifference = {at: 'status', old: statusOf(before), new: statusOf(next)};
  const settled = (judgement: Omit<Judgement, 'ms' | 'isReordered'>, isReordered = false): Round => ({
    judgement: {...judgement, isReordered, ms},
    open: [],
  });
  if ([before, next].some(({status}) => status === UNSUPPORTED)) {
    return settled({class: 'unsupported', difference: statuses});
  }
  if ([before, next, after].some(({status}) => status >= 500)) return settled({class: 'error', difference: statuses});
  const {differences, tolerated, isReordered} = compareAnswers(question, before, next, tolerance);
  const [any] = differences.values();
  if (any === undefined && tolerated === undefined) return settled({class: 'equal'}, isReordered);
  if (any === undefined) return settled({class: 'within tolerance', difference: tolerated}, isReordered);
  // What the old one says differently a moment later is of both; all the rest is not.
  const noise = compareAnswers(question, before, after, tolerance).differences;
  const open = [...differences.values()].filter(({at}) => !noise.has(at));
  const [first = any] = open;
  const judgement = {class: open.length === 0 ? 'noise' : 'differs', difference: first, isReordered, ms} as const;
  return {judgement, open};
}

const UNSUPPORTED = 501;

function statusOf({status, body}: AskedAnswer): string {
  return status === 200 ? '200' : `${status} ${shown(Buffer.from(body).toString())}`;
}

type Compared = Pick<RehearsedComparison, 'differences' | 'tolerated' | 'isReordered'>;

const SAME: Compared = {differences: new Map(), tolerated: undefined, isReordered: false};

/** Same status, same bytes, else the same as the plugin has it told, else as JSON has it. */
function compareAnswers(question: AskedQuestion, old: AskedAnswer, next: AskedAnswer, tolerance: number): Compared {
  if (old.status !== next.status) return one({at: 'status', old: statusOf(old), new: statusOf(next)});
  if (Buffer.compare(old.body, next.body) === 0) return SAME;
  const [a, b] = [tellingOf(question, old), tellingOf(question, next)];
  if (a === undefined || b === undefined) return one({at: 'body', old: excerpt(old), new: excerpt(next)});
  return compareTellings(a, b, tolerance);
}

function one(difference: RehearsedDifference): Compared {
  return {...SAME, differences: new Map([[difference.at, difference]])};
}

/** Undefined where it cannot be read. */
function tellingOf(
  {owner, route, parameters}: AskedQuestion,
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
