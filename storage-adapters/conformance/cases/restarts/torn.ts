import {isDeepStrictEqual} from 'node:util';
import type {CapabilityName} from '../../../../core/api/adapter.js';
import {type Files, grownFile, placesIn, readFiles, restoreFiles} from '../../files.js';
import type {Group} from '../../group.js';
import {sameAnswers} from '../../questions/question.js';
import {Random} from '../../random/random.js';
import type {TestContext} from '../../runner.js';
import type {Subject} from '../../subject.js';
import type {RoundSubject} from '../../writer/rounds.js';
import {answersAbout, writeRound} from '../../writer/written.js';

/** The rounds: acknowledged before, cut off, and written after the start. */
const [KEPT, CUT, LATER] = [33, 34, 35];

/**
 * What a process leaves that ends in the middle of a write: the end of a journal, cut at any byte. The kit makes one where
 * the store is a file, named by the configuration, that grows at its end. Other stores are started again without.
 */
async function cutAndStart(t: TestContext, subject: Subject, what: RoundSubject): Promise<void> {
  const about = (round: number) => answersAbout(subject, what, round);
  await subject.start();
  const nothingLater = await about(LATER);
  await writeRound(subject, what, KEPT);
  const [kept, nothing] = [await about(KEPT), await about(CUT)];
  await subject.stop();
  const places = placesIn(subject.settledConfig());
  const before = readFiles(places);
  await subject.start();
  await writeRound(subject, what, CUT);
  const whole = await about(CUT);
  await subject.stop();

  for (const {files, note} of cutsOf(before, readFiles(places))) {
    if (files !== undefined) restoreFiles(places, files);
    await startOrTell(t, subject, note);
    sameAnswers(t, await about(KEPT), kept, note);
    const cut = await about(CUT);
    if (!isDeepStrictEqual(cut, nothing)) sameAnswers(t, cut, whole, `${note}, whole or not at all`);
    await writeRound(subject, what, LATER);
    const later = await about(LATER);
    t.true(!isDeepStrictEqual(later, nothingLater), `a batch is written ${note}, and is not there`);
    await subject.restart();
    const again = `${note}, another batch and a restart`;
    sameAnswers(t, await about(KEPT), kept, again);
    sameAnswers(t, await about(LATER), later, again);
    sameAnswers(t, await about(CUT), cut, again);
    await writeRound(subject, what, CUT);
    sameAnswers(t, await about(CUT), whole, `${note}, when it was sent again`);
    await subject.stop();
  }
}

interface Cut {
  /** What the store is made to be; nothing of an untouched one. */
  readonly files?: Files;
  readonly note: string;
}

/** The store as it would be if the process had ended at some byte of the write that made `after` of `before`. */
function cutsOf(before: Files, after: Files): readonly Cut[] {
  const journal = grownFile(before, after);
  if (journal === undefined) return [{note: 'after a restart'}];
  const [start, grown] = [before.get(journal)?.length ?? 0, after.get(journal) ?? Buffer.alloc(0)];
  const length = grown.length - start;
  return cutsBetween(start, grown.length).map(end => ({
    files: new Map(before).set(journal, grown.subarray(0, end)),
    note: `after a batch was cut off that has ${end - start} of its ${length} bytes in ${journal}`,
  }));
}

/** From nothing of a write to all of it but its last byte. */
function cutsBetween(start: number, end: number): readonly number[] {
  const random = new Random(8);
  const within = random.list(8, () => random.between(start, end - 1));
  return [...new Set([start + 1, ...within, end - 2, end - 1])].filter(cut => cut >= start && cut < end);
}

async function startOrTell(t: TestContext, subject: Subject, note: string): Promise<void> {
  const [outcome] = await Promise.allSettled([subject.start()]);
  const reason = outcome.status === 'rejected' ? `: ${String(outcome.reason)}` : '';
  t.is(outcome.status, 'fulfilled', `the start ${note}${reason}`);
}

function torn(what: RoundSubject, needs: readonly CapabilityName[], name: string): Group {
  return {
    name: `${what}_torn`,
    needs,
    manual: true,
    restarts: true,
    tests: {
      [`${name} that were cut off while they were written are there whole or not at all, and hinder nothing`]: (
        t,
        subject,
      ) => cutAndStart(t, subject, what),
    },
  };
}

export const TORN: readonly Group[] = [
  torn('metrics', ['metrics.query.v1', 'ingest.metrics.v1'], 'metric records'),
  torn('compat', ['traces.compat.v1', 'ingest.compat.v1'], 'compat spans'),
  torn('native', ['traces.native.v2', 'ingest.native.v1'], 'native segments'),
  torn('otlp', ['traces.otlp.v1', 'ingest.otlp.v1'], 'OTLP spans'),
];
