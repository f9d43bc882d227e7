import {setTimeout as sleep} from 'node:timers/promises';
import type {Call} from '../api/call.js';
import type {Readers} from '../api/capabilities.js';
import {type ErrorCode, GatewayError} from '../api/errors.js';
import type {ExportRequest} from '../api/export.js';
import type {CopyState, KindState} from './checkpoint.js';
import type {CopyCounts, CopyKind, CopyPage} from './kind.js';
import type {Throttle} from './throttle.js';

/** What may go better a moment later, and how often that is tried without a page in between. */
const PASSING: readonly ErrorCode[] = ['overloaded', 'storage_unavailable', 'timeout'];
const ATTEMPTS = 10;
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 10_000;

export interface CopyOptions {
  readonly from: Readers;
  readonly to: Readers;
  readonly window: Pick<ExportRequest, 'from' | 'to'>;
  readonly throttle: Throttle;
  /** Keeps the state for another run, after each page that the target has. */
  readonly save: (state: CopyState) => Promise<void>;
  /** Told of each page that the target has. */
  readonly onPage: (kind: CopyKind, page: CopyPage, state: CopyState) => void;
  readonly call: Call;
}

/**
 * Copies these kinds, one after the other, from where `state` says that an earlier run was. What fails for a passing reason is
 * tried again. Gives the state at the end; rejects where it comes to none, and the last state that was saved holds then.
 */
export async function copyKinds(
  kinds: readonly CopyKind[],
  begun: CopyState,
  options: CopyOptions,
): Promise<CopyState> {
  let state = begun;
  const save = async (next: CopyState): Promise<void> => {
    await options.save(next);
    state = next;
  };
  for (const kind of kinds) {
    for (let attempt = 1, pause = FIRST_PAUSE; !stateOf(state, kind).ended; attempt++) {
      const before = state;
      try {
        await copyOn(kind, () => state, {...options, save});
      } catch (error) {
        const {log, signal} = options.call;
        signal.throwIfAborted();
        if (state !== before) [attempt, pause] = [1, FIRST_PAUSE];
        const {code, message} = GatewayError.from(error);
        if (!PASSING.includes(code) || attempt === ATTEMPTS) throw error;
        log.warn('the copy did not go on; trying again', {kind: kind.name, error: message, pause});
        await sleep(pause, undefined, {signal});
        pause = Math.min(2 * pause, LONGEST_PAUSE);
      }
    }
  }
  return state;
}

/** From where it is to its end. The next page is read while one is written. */
async function copyOn(kind: CopyKind, state: () => CopyState, options: CopyOptions): Promise<void> {
  const {from, to, window, throttle, save, onPage, call} = options;
  const {after} = stateOf(state(), kind);
  const pages = kind.pages(from, {...window, ...(after !== undefined && {after})}, call);
  const read = () => {
    const page = pages.next();
    // Awaited in its turn; until then a failure must not count as unhandled.
    page.catch(() => undefined);
    return page;
  };
  let next = read();
  try {
    for (;;) {
      const {done, value: page} = await next;
      if (done) break;
      next = read();
      await page.write(to, call);
      const copied = withPage(state(), kind, page);
      await save(copied);
      onPage(kind, page, copied);
      await throttle.spend(page.units, call.signal);
    }
  } finally {
    await pages.return(undefined);
  }
  await save(withKind(state(), kind, {...stateOf(state(), kind), ended: true}));
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
