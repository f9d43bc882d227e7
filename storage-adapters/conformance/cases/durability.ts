import type {CapabilityName} from '../../../core/api/adapter.js';
import type {Group} from '../group.js';
import {sameAnswers} from '../questions/question.js';
import {writeAndKill} from '../writer/kill.js';
import type {RoundSubject} from '../writer/rounds.js';
import {answersAbout, CHECKS, writeRound} from '../writer/written.js';

/** The first round and the last two, which are asked about whole; whether the others are there is counted. */
const ends = (rounds: number): readonly number[] => [0, rounds - 2, rounds - 1];

function durability(
  what: RoundSubject,
  needs: readonly CapabilityName[],
  title: string,
  restarted: string,
): readonly Group[] {
  const killing: Group = {
    name: `${what}_killed`,
    needs,
    manual: true,
    kills: true,
    restarts: true,
    tests: {
      [title]: async (t, subject) => {
        const {module = '', expects, unsupported} = subject.options;
        let first = 0;
        for (const rounds of [5, 17]) {
          const order = {module, config: subject.store.config, expects, unsupported, what, first};
          first = (await writeAndKill(order, rounds)) + 1;
          await subject.start();
          await CHECKS[what](t, subject, first);
          const asked = ends(first);
          const found = await answersAbout(subject, what, ...asked);
          // Of what was kept whole nothing changes when it is sent again.
          for (const round of asked) await writeRound(subject, what, round);
          const expected = await answersAbout(subject, what, ...asked);
          sameAnswers(t, found, expected, 'after the kill, as when it is sent again');
          await subject.stop();
        }
      },
    },
  };
  const restarting: Group = {
    name: `${what}_restarted`,
    needs,
    restarts: true,
    tests: {
      [restarted]: async (t, subject) => {
        const rounds = 6;
        for (let round = 0; round < rounds; round++) await writeRound(subject, what, round);
        const before = await answersAbout(subject, what, ...ends(rounds));
        await subject.restart();
        await CHECKS[what](t, subject, rounds);
        sameAnswers(t, await answersAbout(subject, what, ...ends(rounds)), before, 'after the restart');
        await writeRound(subject, what, rounds);
        await CHECKS[what](t, subject, rounds + 1);
      },
    },
  };
  return [killing, restarting];
}

export const DURABILITY: readonly Group[] = [
  ...durability(
    'metrics',
    ['metrics.query.v1', 'ingest.metrics.v1'],
    'every batch of metric records that was acknowledged survives the kill of the process',
    'metric records are there after a restart, and writing goes on',
  ),
  ...durability(
    'compat',
    ['traces.compat.v1', 'ingest.compat.v1'],
    'every batch of compat spans that was acknowledged survives the kill of the process',
    'compat spans are there after a restart, and writing goes on',
  ),
  ...durability(
    'native',
    ['traces.native.v2', 'ingest.native.v1'],
    'every batch of native segments that was acknowledged survives the kill of the process',
    'native segments are there after a restart, and writing goes on',
  ),
  ...durability(
    'otlp',
    ['traces.otlp.v1', 'ingest.otlp.v1'],
    'every batch of OTLP spans that was acknowledged survives the kill of the process',
    'OTLP spans are there after a restart, and writing goes on',
  ),
];
