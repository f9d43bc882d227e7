import test from 'ava';
import fc from 'fast-check';
import {metricsMessage} from '../../../diagnostics-agent/recorder/metrics-message.js';
import {type RecordedRow, Recorder} from '../../../diagnostics-agent/recorder/recorder.js';
import {SeriesWriter} from '../../../diagnostics-agent/scrape/series-writer.js';
import {channelMethods} from '../../../plugins/diagnostics/proto/contract.js';
import {FUZZ_RUNS} from '../../support/fuzz.js';

/** One scrape: of which endpoint, and the samples; undefined for a scrape that fails half-way. */
interface Scrape {
  readonly endpoint: number;
  readonly samples: readonly (readonly [series: number, value: number])[];
  readonly fails: boolean;
}

const scrape: fc.Arbitrary<Scrape> = fc.record({
  endpoint: fc.nat(1),
  samples: fc.oneof(
    // Series that come and go, and twice on one page; pages that stay the same.
    fc.array(fc.tuple(fc.nat(300), fc.double()), {maxLength: 40}),
    fc.nat(100).map(first => Array.from({length: 150}, (_, i) => [first + i, i] as const)),
    fc.double().map(value => [0, 1, 2, 3].map(series => [series, value] as const)),
  ),
  fails: fc.boolean(),
});

const writer = new SeriesWriter(new Map([['pod_name', 'p']]));

function record(recorder: Recorder, {endpoint, samples, fails}: Scrape, time: number): void {
  const recording = recorder.begin(endpoint);
  writer.writeFamilySuffix('gauge', `A help text ${time % 3000}.`);
  const suffix = recording.familySuffix(writer.bytes, writer.length);
  for (const [series, value] of samples) {
    writer.write(`series_${series}`, ['label', 'x'.repeat(series)], suffix);
    recording.add(writer.bytes, writer.length, value);
  }
  if (fails) recorder.fail(endpoint);
  else recording.commit(time);
}

/** `time series value`, or without time. */
function read(recorder: Recorder, rows: Iterable<RecordedRow>, isWindow: boolean): readonly string[] {
  const {size, write} = metricsMessage(recorder.table, [...rows], {isWindow, now: 1});
  const bytes = write();
  if (bytes.length !== size) throw new Error(`${bytes.length} bytes, not ${size}`);
  return channelMethods.StreamMetrics.requestDeserialize(bytes).metrics.map(({name, labels, value, timestamp}) => {
    if (labels.label?.length !== Number(name.slice(7)) && name !== 'series_0')
      throw new Error(`${name} has other labels`);
    return `${timestamp === null ? '' : timestamp.seconds} ${name} ${value}`;
  });
}

const expected = ({samples}: Scrape, time: string): readonly string[] =>
  [...new Map(samples)].map(([series, value]) => `${time} series_${series} ${value}`);

test('what was recorded is read back, the newest of it where the budget does not hold all', t => {
  fc.assert(
    fc.property(fc.array(scrape, {maxLength: 60}), fc.constantFrom(0, 30_000, 200_000, 2 ** 30), (scrapes, budget) => {
      const recorder = new Recorder(budget, 2);
      for (const [i, each] of scrapes.entries()) record(recorder, each, 1000 * i);
      for (const endpoint of [0, 1]) {
        const own = scrapes.map((each, i) => ({...each, time: String(i)})).filter(each => each.endpoint === endpoint);
        const kept = own.filter(({fails, samples}) => !fails && samples.length > 0);
        const mine = (lines: readonly string[]) =>
          lines.filter(line => kept.some(({time}) => line.startsWith(`${time} `)));
        const window = mine(read(recorder, recorder.window(0, Number.POSITIVE_INFINITY), true));
        const all = kept.flatMap(each => expected(each, each.time));
        // Whole scrapes go, the oldest first.
        t.deepEqual(window, all.slice(all.length - window.length));
        const newest = kept.at(-1);
        if (newest !== undefined) t.true(window.length >= expected(newest, newest.time).length);
        if (budget === 2 ** 30) t.is(window.length, all.length);
      }
      const latest = read(recorder, recorder.latest(), false);
      const current = [0, 1].flatMap(endpoint => {
        const last = scrapes.findLast(each => each.endpoint === endpoint);
        return last === undefined || last.fails ? [] : expected(last, '');
      });
      t.deepEqual(latest, current);
    }),
    {numRuns: Math.ceil(FUZZ_RUNS / 10)},
  );
});
