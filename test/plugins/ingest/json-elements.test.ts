import test from 'ava';
import {CompatSpans} from '../../../plugins/ingest/formats/compat-spans/format.js';
import {countTurns} from '../../support/turns.js';
import {CALL} from './support.js';
import {cut, decodeSegments, decodeSpans, SEGMENT, SPAN} from './traces-support.js';

const MEBIBYTE = 2 ** 20;

test('an element that is too long is passed over to its end, however the body is cut', async t => {
  const long = {...SPAN, tags: {a: 'x'.repeat(64 * MEBIBYTE)}};
  const body = Buffer.from(JSON.stringify([SPAN, long, SPAN, long]));
  for (const size of [65_537, body.length]) {
    const {items, bad} = await decodeSpans(cut(body, size));
    t.is(items.length, 2);
    t.deepEqual(
      bad.map(({index}) => index),
      [1, 3],
    );
    for (const {reason} of bad) t.regex(reason, /longer than 67108864 bytes/);
  }
});

const WITHIN = 'the JSON is cut short within this record: its array has no end';
const BEFORE = 'the JSON is cut short before this record: its array has no end';
const TEXT = JSON.stringify(SEGMENT);

const CUTS: readonly (readonly [title: string, body: string, good: number, index: number, reason: string])[] = [
  ['before the first', '[ ', 0, 0, BEFORE],
  ['within the first', `[${TEXT.slice(0, -1)}`, 0, 0, WITHIN],
  ['within a text', `[${TEXT},{"traceId":"}`, 1, 1, WITHIN],
  ['after the first', `[${TEXT}`, 1, 1, BEFORE],
  ['after blanks', `[${TEXT},${TEXT} \n`, 2, 2, BEFORE],
  ['after a comma', `[${TEXT},${TEXT}, `, 2, 2, BEFORE],
  ['within a number', `[${TEXT},1`, 1, 1, WITHIN],
  ['in an object that stands alone', TEXT.slice(0, -1), 0, 0, WITHIN.replace('array', 'object')],
];

for (const [title, body, good, index, reason] of CUTS) {
  test(`JSON that is cut ${title} gives what is complete, and says where it ends`, async t => {
    for (const size of [1, 7, body.length]) {
      const {items, bad} = await decodeSegments(cut(Buffer.from(body), size));
      t.is(items.length, good);
      t.deepEqual(bad, [{index, reason}]);
    }
  });
}

test('an element that is nested too deep is refused before it is parsed', async t => {
  const deep = `${'{"a":['.repeat(100_000)}${']}'.repeat(100_000)}`;
  const {items, bad} = await decodeSegments([`[${JSON.stringify(SEGMENT)},${deep},${JSON.stringify(SEGMENT)}]`]);
  t.is(items.length, 2);
  t.deepEqual(bad, [{index: 1, reason: 'is nested deeper than 100 levels'}]);
});

const BIG = Buffer.from(`[${Array.from({length: 60_000}, () => JSON.stringify(SPAN)).join(',')}]`);

test('others have their turn while a large array is decoded', async t => {
  const {result, turns} = await countTurns(decodeSpans([BIG]));
  t.is(result.items.length, 60_000);
  t.true(turns > 5, `${turns}`);
});

test('the decoding of an array ends when the call is cancelled', async t => {
  const controller = new AbortController();
  const call = {...CALL, signal: controller.signal};
  const intake = await new CompatSpans({spanTags: 1000}).begin(
    {'ingest.compat.v1': {write: async () => t.fail()}},
    call,
  );
  const reason = new Error('client disconnected');
  const decoding = intake.decode(BIG, () => undefined);
  controller.abort(reason);
  t.is(await t.throwsAsync(decoding), reason);
  t.true(intake.pending < 60_000);
});
