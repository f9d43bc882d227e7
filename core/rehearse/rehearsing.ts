import type {AskedQuestion} from './asked-question.js';
import {judge, type Sides} from './judgement.js';
import {questionsOf} from './matching.js';
import type {QueryRoute} from './stage.js';
import type {Tally} from './tally.js';
import {moveTimes, type TimeChange, type TimeSettings} from './times.js';
import type {RecordedRequest} from './traffic/recorded-request.js';

export interface RehearsalSettings extends TimeSettings {
  /** Relative, of values that are measured. */
  readonly tolerance: number;
}

/** Requests that are on their way at once: what they hold in memory bounds it. */
const AT_ONCE = 4;

const CHANGES: Readonly<Record<TimeChange, string>> = {
  given: 'asked for now: asked for the time at which it was recorded',
  shifted: '--shift: its times moved by the time since it was recorded',
  cut: '--skip-recent: ended there, at the last minute, hour or day that was over',
};

/**
 * Asks both storages everything that the traffic asks and plugins answer, and counts what comes of it. `routes` are those of
 * the old side. Rejects when a side does.
 */
export async function rehearseAll(
  traffic: AsyncIterable<RecordedRequest>,
  routes: readonly QueryRoute[],
  sides: Sides,
  settings: RehearsalSettings,
  tally: Tally,
): Promise<void> {
  const requests = traffic[Symbol.asyncIterator]();
  let turn = 0;
  const work = async (): Promise<void> => {
    for (;;) {
      const {done, value: request} = await requests.next();
      if (done) return;
      await rehearseOne(turn++, request, routes, sides, settings, tally);
    }
  };
  await Promise.all(Array.from({length: AT_ONCE}, work));
}

async function rehearseOne(
  turn: number,
  request: RecordedRequest,
  routes: readonly QueryRoute[],
  sides: Sides,
  settings: RehearsalSettings,
  tally: Tally,
): Promise<void> {
  const questions = questionsOf(request, routes);
  if (questions.length === 0) tally.exempt('left out: no query of a plugin that --old has switched on');
  if (questions.length > 1)
    tally.exempt('the file does not tell which plugin was asked: asked of each that has the path');
  for (const question of questions) await rehearseQuestion(turn, request, question, sides, settings, tally);
}

async function rehearseQuestion(
  turn: number,
  {at: source, time, path, parameters: recorded, method}: RecordedRequest,
  question: AskedQuestion,
  sides: Sides,
  {tolerance, ...times}: RehearsalSettings,
  tally: Tally,
): Promise<void> {
  const {plugin, owner, route} = question;
  const moved = moveTimes(recorded, route, owner.definition.rehearsal, time, Date.now(), times);
  if (moved.isTooRecent) {
    tally.exempt('left out: asks only for what is younger than --skip-recent');
    return;
  }
  for (const change of moved.changes) tally.exempt(CHANGES[change]);
  const {parameters} = moved;
  const {isReordered, ...judged} = await judge({...question, parameters}, sides, tolerance);
  if (isReordered) tally.exempt('another order, where the API leaves it open');
  if (judged.class !== 'equal' && judged.class !== 'differs' && judged.class !== 'error')
    tally.exempt(CLASS_EXEMPTIONS[judged.class]);
  const asked = parameters === recorded ? {} : {asked: parameters};
  tally.add(turn, {source, plugin, route: route.path, method, path, parameters: recorded, ...asked, ...judged});
}

const CLASS_EXEMPTIONS = {
  'within tolerance': '--tolerance: values that are measured differ by less',
  unsupported: 'unsupported: one of the storages cannot answer it',
  noise: 'noise: the old storage differs from itself, or the difference was gone a moment later',
} as const;
