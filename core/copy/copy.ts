import {setTimeout as sleep} from 'node:timers/promises';
import type {Call} from '../api/call.js';
import type {Readers} from '../api/capabilities.js';
import {type ErrorCode, GatewayError} from '../api/errors.js';
import type {ExportRequest} from '../api/export.js';
import type {CopyState, KindState} from './checkpoint.js';
import type {CopyCounts, CopyKind, CopyPage} from './kind.js';
import {LatestState} from './latest-state.js';
import type {Throttle} from './throttle.js';

/** What may go better a moment later, and how often that is tried without a page in between. */
const PASSING: readonly ErrorCode[] = ['overloaded', 'storage_unavailable', 'timeout'];
const ATTEMPTS = 10;
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 10_000;

/** Pages that are being written while the next one is read: an embedded storage encodes one while it stores another. */
const UNDER_WAY = 3;

export interface CopyOptions {
  readonly from: Readers;
  readonly to: Readers;
  readonly window: Pick<ExportRequest, 'from' | 'to'>;
  readonly throttle: Throttle;
  /** Keeps the state for another run. Called once at a time, for the latest of the states. */
  readonly save: (state: CopyState) => Promise<void>;
  /** Told of each page that the target has, in their order. */
  readonly onPage: (kind: CopyKind, page: CopyPage, state: CopyState) => void;
  readonly call: Call;
}

/**
 * Copies these kinds, one after the other, from where `begun` says that an earlier run was. What fails for a passing reason is
 * tried again. The last state has been saved when it resolves, and when it rejects.
 */
export async function copyKinds(kinds: readonly CopyKind[], begun: CopyState, options: CopyOptions): Promise<void> {
  const progress = new LatestState(begun, options.save);
  try {
    for (const kind of kinds) await copyKind(kind, progress, options);
  } finally {
    await progress.saved();
  }
}

async function copyKind(kind: CopyKind, progress: LatestState, options: CopyOptions): Promise<void> {
  for (let attempt = 1, pause = FIRST_PAUSE; !stateOf(progress.state, kind).ended; attempt++) {
    const before = progress.state;
    try {
      await copyOn(kind, progress, options);
    } catch (error) {
      const {log, signal} = options.call;
      signal.throwIfAborted();
      if (progress.state !== before) [attempt, pause] = [1, FIRST_PAUSE];
      const {code, message} = GatewayError.from(error);
      if (!PASSING.includes(code) || attempt === ATTEMPTS) throw error;
      log.warn('the copy did not go on; trying again', {kind: kind.name, error: message, pause});
      await sleep(pause, undefined, {signal});
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    }
  }
}

/** From where it is to its end. */
async function copyOn(kind: CopyKind, progress: LatestState, options: CopyOptions): Promise<void> {
  const {from, to, window, throttle, onPage, call} = options;
  const {after} = stateOf(progress.state, kind);
  const underWay: Promise<void>[] = [];
  let last = Promise.resolve();
  const write = (page: CopyPage): void => {
    call.log.debug('a page is written', {kind: kind.name, units: page.units});
    const [earlier, written] = [last, page.write(to, call)];
    // Awaited in its turn; until then a failure must not count as unhandled.
    written.catch(() => undefined);
    last = earlier.then(async () => {
      await written;
      progress.set(withPage(progress.state, kind, page));
      onPage(kind, page, progress.state);
    });
    last.catch(() => undefined);
    underWay.push(last);
  };
  try {
    let isFirst = true;
    for await (const page of kind.pages(from, {...window, ...(after !== undefined && {after})}, call)) {
      // The first declares what others are of, and no minutes are taken any more once their hours are there.
      const isAlone = isFirst || page.kept !== undefined;
      isFirst = false;
      if (isAlone) await last;
      write(page);
      if (isAlone) await last;
      if (underWay.length === UNDER_WAY) await underWay.shift();
      await throttle.spend(page.units, call.signal);
    }
    await last;
  } finally {
    await Promise.allSettled(underWay);
  }
  progress.set(withKind(progress.state, kind, {...stateOf(progress.state, kind), ended: true}));
}

export function stateOf({kinds}: CopyState, {name}: CopyKind): KindState {
  return kinds[name] ?? {ended: false, counts: {}};
}

function withKind(state: CopyState, {name}: CopyKind, kind: KindState): CopyState {
  return {...state, kinds: {...state.kinds, [name]: kind}};
}

function withPage(state: CopyState, kind: CopyKind, {resume, counts, seen}: CopyPage): CopyState {
  const next = {after: resume, ended: false, counts: added(stateOf(state, kind).counts, counts)};
  return {...withKind(state, kind, next), extent: joined(state.extent, seen)};
}

/** Both together. */
export function added(a: CopyCounts, b: CopyCounts): CopyCounts {
  const sum = {...a};
  for (const [name, count] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

function joined(a: CopyState['extent'], b: CopyPage['seen']): CopyState['extent'] {
  if (b === undefined) return a;
  return a === null ? b : [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
}
