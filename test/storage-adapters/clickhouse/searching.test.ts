import test from 'ava';
import {type CompatSpan, compatRoot} from '../../../core/api/adapter.js';
import {answersOverHttp} from '../../plugins/traceql-otlp/over-http.js';
import {ownerOf} from '../../support/owner.js';
import {suiteWith} from '../../support/programs.js';
import {startChdb} from '../../support/servers/chdb.js';
import {startClickHouse} from '../../support/servers/clickhouse.js';
import {collected} from '../support/answers.js';
import {call} from '../support/calls.js';
import {readsWhatMatchesOfOtlp} from '../support/large-trace.js';
import {Harness, newDatabase} from './harness.js';

/** Microseconds. */
const START = 1_700_000_000_000_000;
const EVER = {from: START - 3_600_000_000, to: START + 3_600_000_000};
const FILTER = [{on: 'tag', key: 'n', value: '7'}] as const;

const CUTS = [
  {title: 'whole', filter: FILTER, window: {}, every: 100},
  {title: 'begins before', filter: FILTER, window: {from: START + 1000}, every: 100},
  {title: 'ends later', filter: FILTER, window: {to: START + 1000}, every: 100},
  {title: 'everything matches', filter: [{on: 'name', value: 'get'}], window: {}, every: 1},
] as const;

const span = (index: number): CompatSpan => ({
  traceId: '0000000000000001',
  id: (index + 1).toString(16).padStart(16, '0'),
  ...(index === 0 ? {} : {parentId: '0000000000000001'}),
  name: 'get',
  timestamp: START + index,
  duration: 10 + index,
  annotations: [],
  tags: new Map([['n', String(index % 100)]]),
});

const ENGINES = [
  {program: 'clickhouse-server', start: startClickHouse},
  {program: 'chdb', start: startChdb},
] as const;

for (const {program, start} of ENGINES) {
  suiteWith(test, program, `searches in ${program}`, () => {
    const owner = ownerOf(test);

    test(`of a large trace only what matches is read from ${program}, with its root and extent as they are now`, async t => {
      const harness = await Harness.start(owner, {urls: [(await start(owner)).url]});
      const search = () => collected(harness.compat.search({filter: FILTER, ...EVER, matching: true}, call));
      const {timestamp: _, duration: __, ...timeless} = span(5007);
      await harness.spans.write([...Array.from({length: 2000}, (_, i) => span(i)), timeless], call);
      const [found] = await search();
      t.deepEqual(found?.summary, {start: START, end: START + 1999 + 2009, root: span(0)});
      const ids = found?.spans.map(({id}) => id).sort();
      const expected = [span(0), timeless, ...Array.from({length: 20}, (_, i) => span(i * 100 + 7))];
      t.deepEqual(ids, expected.map(({id}) => id).sort());

      // Its root comes again, longer and with another name.
      const renamed = {...span(0), name: 'renamed', duration: 1_000_000};
      await harness.spans.write([renamed], call);
      const [again] = await search();
      t.deepEqual(again?.summary?.root ?? (again && compatRoot(again)), renamed);
      t.deepEqual(again?.spans.filter(({tags}) => tags.get('n') === '7').length, 21);
      t.true(again?.summary === undefined || again.summary.end === START + 1_000_000);
    });

    test(`of a large trace of OTLP only what matches is read from ${program}, with its root and its nanoseconds`, async t => {
      await readsWhatMatchesOfOtlp(t, await Harness.start(owner, {urls: [(await start(owner)).url]}));
    });

    test(`traces of OTLP that were sent are served from ${program} as they came`, async t => {
      const {url} = await start(owner);
      await answersOverHttp(t, {use: 'clickhouse', config: {urls: [url], database: newDatabase()}});
    });

    test(`of a large trace in ${program} all that matches comes, however much, and wherever the window cuts it`, async t => {
      const harness = await Harness.start(owner, {urls: [(await start(owner)).url]});
      await harness.spans.write(
        Array.from({length: 2000}, (_, i) => span(i)),
        call,
      );
      for (const {title, filter, window, every} of CUTS) {
        const search = harness.compat.search({filter, ...EVER, ...window, matching: true}, call);
        const [found, ...others] = await collected(search);
        t.deepEqual(others, [], title);
        t.deepEqual(found?.summary, {start: START, end: START + 1999 + 2009, root: span(0)}, title);
        const expected = Array.from({length: 2000}, (_, i) => i).filter(i => i === 0 || i % every === 7 % every);
        t.deepEqual(found?.spans.map(({id}) => id).sort(), expected.map(i => span(i).id).sort(), title);
      }
    });
  });
}
