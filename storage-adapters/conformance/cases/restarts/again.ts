import type {CapabilityName} from '../../../../core/api/adapter.js';
import {DAY, ownDays} from '../../data/times.js';
import type {Group} from '../../group.js';
import type {DataSet} from '../../options.js';
import {questionsAbout} from '../../questions/all.js';
import {answersTo, sameAnswers} from '../../questions/question.js';
import {metricsToKeep, spansToKeep} from './data.js';

/**
 * What is read before and after a restart is the same. What is right before it, other tests say; so this holds for a storage
 * with exemptions too, and for one that another program writes.
 */
function again(
  title: string,
  of: readonly [query: CapabilityName, ingest: CapabilityName],
  number: number,
  dataFrom: (start: number) => DataSet,
) {
  const start = ownDays(number);
  const window = {from: start * 1_000_000, to: (start + 9 * DAY) * 1_000_000};
  const group: Group = {
    name: `again_${number}`,
    needs: [of[0]],
    data: dataFrom(start),
    restarts: true,
    tests: {
      [title]: async (t, subject) => {
        const asked = of.filter(name => subject.options.expects.includes(name));
        const questions = questionsAbout(subject.data, asked, window);
        const before = await answersTo(questions, subject.readers);
        await subject.restart();
        sameAnswers(t, await answersTo(questions, subject.readers), before, 'after a restart');
      },
    },
  };
  return group;
}

const metricsOf = (name: string) => (start: number) => ({
  metrics: metricsToKeep(`kit_again_${name}`, `KIT-AGAIN-${name.toUpperCase()}`, start),
});

export const AGAIN: readonly Group[] = [
  again(
    'every declaration, value, label set and sampled record is read after a restart as before it',
    ['metrics.query.v1', 'ingest.metrics.v1'],
    33,
    metricsOf('metrics'),
  ),
  again(
    'every entity is listed after a restart as before it, in the windows in which it was seen',
    ['metadata.query.v1', 'ingest.metrics.v1'],
    34,
    metricsOf('metadata'),
  ),
  again(
    'every relation is listed after a restart as before it, in the windows in which it has values',
    ['topology.query.v1', 'ingest.metrics.v1'],
    44,
    metricsOf('topology'),
  ),
  again(
    'compat spans are read after a restart as before it, with every member',
    ['traces.compat.v1', 'ingest.compat.v1'],
    35,
    start => ({spans: spansToKeep('a9a10', start).spans}),
  ),
  again(
    'native segments are read after a restart as before it, with every member',
    ['traces.native.v2', 'ingest.native.v1'],
    36,
    start => ({segments: spansToKeep('a9a10', start).segments}),
  ),
  again(
    'OTLP spans are read after a restart as before it, with every member',
    ['traces.otlp.v1', 'ingest.otlp.v1'],
    55,
    start => ({otlpSpans: spansToKeep('a9a10', start).otlpSpans}),
  ),
];
