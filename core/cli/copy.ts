import type {Call} from '../api/call.js';
import type {Readers} from '../api/capabilities.js';
import {uncached} from '../config/uncached.js';
import {CopyCheckpoint, type CopyState} from '../copy/checkpoint.js';
import {added, copyKinds, stateOf} from '../copy/copy.js';
import type {CopyCounts, CopyKind, CopyPage} from '../copy/kind.js';
import {COPY_KINDS} from '../copy/kinds.js';
import {type CopyPlan, planCopy} from '../copy/plan.js';
import {storageName} from '../copy/storage-name.js';
import {Throttle} from '../copy/throttle.js';
import {verifyKind} from '../copy/verify/verify.js';
import {listOf} from '../toolkit/messages.js';
import {MS_PER_SECOND} from '../toolkit/time.js';
import {CopyProgress} from './copy/copy-progress.js';
import {type CopyFlags, type CopySettings, readSettings} from './copy/options.js';
import {countsText, leftText, missingText, NOTHING, tallyText} from './copy/summary.js';
import {EXIT} from './exit.js';
import {LateData} from './load/late-data.js';
import {createLog} from './log.js';
import {withStorage} from './with-storage.js';

/** Copies what the storage of one configuration holds into that of another one. */
export async function copy(flags: CopyFlags): Promise<number> {
  const settings = await readSettings(flags);
  const {from, to} = settings;
  const log = createLog(from.logLevel)('copy');
  if (flags.dryRun === true) {
    return withEach(from, (readers, signal) => count(settings, flags, readers, {signal, log}));
  }
  if (flags.verify === true) {
    return withEach(from, (source, signal) =>
      withEach(to, target => verify(settings, flags, {source, target}, {signal, log})),
    );
  }
  const late = new LateData();
  return withEach(from, (source, signal) =>
    withEach(
      to,
      target => copyAll(settings, flags, {source, target, late}, {signal, log}),
      meter => late.watch(meter),
    ),
  );
}

/** Each value passes once, so that it is of no use to keep any in memory. */
const withEach: typeof withStorage = ({storage, ...config}, use, watch) =>
  withStorage({...config, storage: storage && uncached(storage)}, use, watch);

/** Says what would be copied. The target is not even opened: that would make its tables or its folder. */
async function count(
  {kinds, named, window}: CopySettings,
  files: CopyFlags,
  from: Readers,
  call: Call,
): Promise<number> {
  const plan = await planCopy({kinds, named, from, to: {}, needs: undefined}, call);
  let counts: CopyCounts = {};
  for (const kind of plan.kinds) {
    for await (const page of kind.pages(from, window, call)) counts = added(counts, page.counts);
  }
  tellMissing(plan, files);
  process.stdout.write(`${[`would copy ${countsText(counts)}`, ...leftText(plan)].join(', ')}\n`);
  return isWhole(plan) ? EXIT.ok : EXIT.failed;
}

interface Storages {
  readonly source: Readers;
  readonly target: Readers;
  readonly late: LateData;
}

async function copyAll(settings: CopySettings, files: CopyFlags, storages: Storages, call: Call): Promise<number> {
  const {kinds, named, window, rate} = settings;
  const {source, target, late} = storages;
  const checkpoint = checkpointOf(settings);
  const before = await checkpoint.read();
  const plan = await planCopy({kinds, named, from: source, to: target, needs: kind => kind.writes}, call);
  tellMissing(plan, files);
  const progress = new CopyProgress(window);
  const begun = performance.now();
  let state = before;
  let isKept = Object.keys(before.kinds).length > 0;
  const summary = (word: string): string => {
    const counts = countsSince(before, state, plan.kinds);
    const seconds = (performance.now() - begun) / MS_PER_SECOND;
    const earlier = countsText(totalOf(before, plan.kinds));
    const done = `${word} ${countsText(counts)} in ${seconds.toFixed(1)} s`;
    const after = earlier === NOTHING ? [] : [`after ${earlier} before`];
    return [done, ...after, ...late.toList(), ...leftText(plan)].join(', ');
  };
  try {
    await copyKinds(plan.kinds, before, {
      from: source,
      to: target,
      window,
      throttle: new Throttle(rate),
      save: async next => {
        await checkpoint.write(next);
        isKept = true;
      },
      onPage: (kind, page, next) => {
        state = next;
        progress.page(kind, page, next.extent);
      },
      call,
    });
  } catch (error) {
    progress.stop();
    process.stdout.write(`${summary('copied')}\n`);
    const why = call.signal.aborted ? 'interrupted' : (error as Error).message;
    const hint = isKept ? `\nthe same command goes on from there, by ${checkpoint.file}` : '';
    throw new Error(`${why}${hint}`, {cause: error});
  }
  progress.stop();
  const unfinished = COPY_KINDS.filter(kind => !kinds.includes(kind) && isUnfinished(state, kind));
  if (unfinished.length === 0) await checkpoint.remove();
  else {
    const names = listOf(unfinished.map(({title}) => title));
    process.stderr.write(`${checkpoint.file} stays: an earlier copy has not ended ${names}\n`);
  }
  process.stdout.write(`${summary('copied')}\n`);
  return isWhole(plan) && late.toList().length === 0 ? EXIT.ok : EXIT.failed;
}

/** Reads both and compares. What the target has beyond the source is counted, and is no difference. */
async function verify(
  {kinds, named, window}: CopySettings,
  files: CopyFlags,
  {source: from, target: to}: Omit<Storages, 'late'>,
  call: Call,
): Promise<number> {
  const plan = await planCopy({kinds, named, from, to, needs: kind => kind.exports}, call);
  tellMissing(plan, files);
  const progress = new CopyProgress(window);
  let isClean = isWhole(plan);
  for (const kind of plan.kinds) {
    const onPage = (of: CopyKind, page: CopyPage): void => progress.page(of, page, null);
    const tally = await verifyKind(kind, {from, to, window, onPage, call}).finally(() => progress.stop());
    for (const example of tally.examples) process.stderr.write(`${kind.title}: ${example}\n`);
    process.stdout.write(`${kind.title}: ${tallyText(tally)}\n`);
    isClean &&= tally.isClean;
  }
  return isClean ? EXIT.ok : EXIT.failed;
}

function checkpointOf({checkpoint, from, to, window}: CopySettings): CopyCheckpoint {
  const {from: since = null, to: until = null} = window;
  return new CopyCheckpoint(checkpoint, {from: storageName(from.storage), to: storageName(to.storage), since, until});
}

/** Whether another run began with it, and stopped. */
function isUnfinished({kinds}: CopyState, {name}: CopyKind): boolean {
  return kinds[name]?.ended === false;
}

function isWhole({missing}: CopyPlan): boolean {
  return missing.length === 0;
}

function tellMissing({missing}: CopyPlan, files: CopyFlags): void {
  for (const each of missing) process.stderr.write(`${missingText(each, files)}\n`);
}

function totalOf(state: CopyState, kinds: readonly CopyKind[]): CopyCounts {
  return kinds.reduce<CopyCounts>((sum, kind) => added(sum, stateOf(state, kind).counts), {});
}

function countsSince(before: CopyState, now: CopyState, kinds: readonly CopyKind[]): CopyCounts {
  const [old, all] = [totalOf(before, kinds), totalOf(now, kinds)];
  return Object.fromEntries(Object.entries(all).map(([name, count]) => [name, count - (old[name] ?? 0)]));
}
