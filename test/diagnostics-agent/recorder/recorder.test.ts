import test from 'ava';
import {Recorder} from '../../../diagnostics-agent/recorder/recorder.js';
import {SeriesWriter} from '../../../diagnostics-agent/scrape/series-writer.js';

const writer = new SeriesWriter(new Map([['pod_name', 'data-hot-0']]));

/** A scrape of `count` series, which are numbered from `first`. */
function record(recorder: Recorder, {first = 0, count, time}: {first?: number; count: number; time: number}): void {
  const recording = recorder.begin(0);
  writer.writeFamilySuffix('counter', 'Requests so far.');
  const suffix = recording.familySuffix(writer.bytes, writer.length);
  for (let i = first; i < first + count; i++) {
    writer.write('requests_total', ['operation', `operation ${i}`, 'status', 'ok'], suffix);
    recording.add(writer.bytes, writer.length, time + i);
  }
  recording.commit(time);
}

const MIB = 2 ** 20;

const LOADS = [
  {title: 'a few series that stay', count: 5, moves: 0},
  {title: 'many series that stay', count: 2000, moves: 0},
  {title: 'series of which a tenth is new each time', count: 2000, moves: 200},
  {title: 'series that are all new each time', count: 2000, moves: 2000},
];

for (const {title, count, moves} of LOADS) {
  test(`${title}: the budget is used and not exceeded`, t => {
    const budget = 4 * MIB;
    const recorder = new Recorder(budget, 1);
    for (let time = 0; recorder.evicted === 0 || time < 40; time++) {
      record(recorder, {first: time * moves, count, time});
      t.true(recorder.memory <= budget, `${recorder.memory} bytes after ${time} scrapes`);
    }
    t.true(recorder.memory > 0.75 * budget, `${recorder.memory} bytes`);
    const [latest] = recorder.latest();
    t.is(latest?.series.length, count);
    // What no sample belongs to any more is not kept for long.
    t.true(recorder.table.size < 1.2 * recorder.samples);
  });
}

test('the latest scrape is there even where it alone exceeds the budget', t => {
  const recorder = new Recorder(0, 1);
  for (let time = 0; time < 10; time++) record(recorder, {count: 1000, time});
  t.is(recorder.samples, 1000);
  t.deepEqual(
    [...recorder.latest()].map(({time}) => time),
    [9],
  );
  t.is(recorder.evicted, 9000);
  t.true(recorder.memory > recorder.budget);
});

test('an endpoint with old samples gives up before one with new ones', t => {
  const recorder = new Recorder(MIB, 2);
  const scrape = (endpoint: number, time: number): void => {
    const recording = recorder.begin(endpoint);
    writer.writeFamilySuffix('gauge', '');
    const suffix = recording.familySuffix(writer.bytes, writer.length);
    for (let i = 0; i < 100; i++) {
      writer.write('m', ['endpoint', `${endpoint}`, 'i', `${i}`], suffix);
      recording.add(writer.bytes, writer.length, i);
    }
    recording.commit(time);
  };
  let time = 0;
  for (; time < 300; time++) scrape(0, time);
  for (; recorder.evicted === 0; time++) scrape(1, time);
  const rows = [...recorder.window(0, time)];
  const times = rows.map(row => row.time).sort((a, b) => a - b);
  t.true((times[0] ?? 0) > 0);
  t.is(rows.filter(row => row.time >= 300).length, time - 300);
});
