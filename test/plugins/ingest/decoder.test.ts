import test from 'ava';
import {MetricRecords} from '../../../plugins/ingest/formats/metric-records/format.js';
import {countTurns} from '../../support/turns.js';
import {DECLARATIONS} from './bad-records.js';
import {CALL, decode} from './support.js';

const line = (value: number): string =>
  `{"record":"sample","metric":"service_cpm","layer":"GENERAL","service":"songs","time":1700000040,"value":${value}}`;

test('a line that is too long is passed over to its end, however the body is cut', async t => {
  const long = `{"record":"${'x'.repeat(3 * 2 ** 20)}"}`;
  const body = Buffer.from([...DECLARATIONS, line(1), long, line(2), long].join('\n'));
  for (const size of [1000, 65_536, 2 ** 20 + 1, body.length]) {
    const pieces = Array.from({length: Math.ceil(body.length / size)}, (_, i) =>
      body.subarray(i * size, (i + 1) * size),
    );
    const {samples, bad} = await decode(pieces);
    t.is(samples.length, 2, `${size}`);
    const first = DECLARATIONS.length + 1;
    t.deepEqual(
      bad.map(each => [each.index, each.line]),
      [
        [first, first + 1],
        [first + 2, first + 3],
      ],
      `${size}`,
    );
  }
});

test('the same series is the same object in every batch', async t => {
  const format = new MetricRecords();
  const spellings = [line(1), line(2).replace('"layer":"GENERAL",', '').replace('}', ',"layer":"GENERAL"}')];
  const series = [];
  for (const spelling of spellings) {
    const {batch} = await decode([[...DECLARATIONS, spelling].join('\n')], [], format);
    series.push(batch.samples.series[0]);
  }
  t.is(series[0], series[1]);
});

const BIG = Buffer.from([...DECLARATIONS, ...Array.from({length: 200_000}, (_, i) => line(i))].join('\n'));

test('others have their turn while a large body is decoded', async t => {
  const {result, turns} = await countTurns(decode([BIG]));
  t.is(result.samples.length, 200_000);
  t.true(turns > 5, `${turns}`);
});

test('decoding ends when the call is cancelled', async t => {
  const controller = new AbortController();
  const writer = {declared: async () => [], write: async () => t.fail()};
  const call = {...CALL, signal: controller.signal};
  const intake = await new MetricRecords().begin({'ingest.metrics.v1': writer}, call);
  const reason = new Error('client disconnected');
  const decoding = intake.decode(BIG, () => undefined);
  controller.abort(reason);
  t.is(await t.throwsAsync(decoding), reason);
  t.true(intake.pending < 200_000);
});
