import test from 'ava';
import {decodeSegments, decodeSpans, NATIVE_SPAN, SEGMENT, SPAN} from './traces-support.js';

const MEBIBYTE = 2 ** 20;

/** A value, and what is stored of it when it is too long. */
const VALUES: readonly (readonly [title: string, sent: string, stored?: string])[] = [
  ['a mebibyte is stored', 'x'.repeat(MEBIBYTE)],
  ['a mebibyte of characters of two bytes is stored', 'é'.repeat(MEBIBYTE / 2)],
  ['a byte more is cut', 'x'.repeat(MEBIBYTE + 1), `${'x'.repeat(MEBIBYTE - 28)}… (cut from 1048577 bytes)`],
  [
    'no character is cut in two',
    `x${'\u{1F600}'.repeat(MEBIBYTE / 4)}`,
    `x${'\u{1F600}'.repeat(MEBIBYTE / 4 - 8)}… (cut from 1048577 bytes)`,
  ],
];

for (const [title, sent, stored = sent] of VALUES) {
  test(`of a value, ${title}`, async t => {
    const tags = {a: sent, b: 'short'};
    const annotations = [{timestamp: 1, value: sent}];
    const {items, bad, cut} = await decodeSpans([JSON.stringify([SPAN, {...SPAN, tags, annotations}, SPAN])]);
    t.deepEqual(bad, []);
    t.is(items.length, 3);
    t.is(cut, sent === stored ? 0 : 2);
    t.true(items[1]?.tags.get('a') === stored && items[1].annotations[0]?.value === stored);
    t.true(Buffer.byteLength(stored) <= MEBIBYTE);
    t.is(items[1]?.tags.get('b'), 'short');

    const pairs = [{key: 'a', value: sent}];
    const span = {...NATIVE_SPAN, tags: pairs, logs: [{time: 1, data: pairs}]};
    const native = await decodeSegments([JSON.stringify([{...SEGMENT, spans: [span]}])]);
    t.deepEqual(native.bad, []);
    t.is(native.cut, cut);
    const [found] = native.items[0]?.spans ?? [];
    t.true(found?.tags[0]?.value === stored && found.logs[0]?.data[0]?.value === stored);
  });
}

test('values of a span that are too long together are cut, and the next span has all of its own', async t => {
  const long = 'x'.repeat(MEBIBYTE);
  const tags = Object.fromEntries(Array.from({length: 10}, (_, i) => [`t${i}`, long]));
  const {items, bad, cut} = await decodeSpans([
    JSON.stringify([
      {...SPAN, annotations: [], tags},
      {...SPAN, tags: {a: long}},
    ]),
  ]);
  t.deepEqual(bad, []);
  t.is(cut, 2);
  const stored = [...(items[0]?.tags.values() ?? [])];
  t.true(stored.slice(0, 8).every(value => value === long));
  t.deepEqual(stored.slice(8), Array(2).fill('… (cut from 1048576 bytes)'));
  t.true(items[1]?.tags.get('a') === long);
});

test('a mark replaces no tag of the sender', async t => {
  const many = Array.from({length: 1200}, (_, i) => i);
  const own = {'cut.tags': 'a', 'cut.annotations': 'b', 'cut.cut.annotations': 'c'};
  const tags = {...own, ...Object.fromEntries(many.map(i => [`t${i}`, 'x']))};
  const annotations = many.map(i => ({timestamp: i + 1, value: 'x'}));
  const {items} = await decodeSpans([JSON.stringify([{...SPAN, tags, annotations}])]);
  const found = [...(items[0]?.tags ?? [])].filter(([key]) => key.includes('cut.'));
  t.deepEqual(Object.fromEntries(found), {
    ...own,
    'cut.cut.tags': '1000 of 1203',
    'cut.cut.cut.annotations': '1000 of 1200',
  });
});

test('of too many tags, annotations, logs and the like the first are stored, with a mark, and the other spans whole', async t => {
  const many = Array.from({length: 1200}, (_, i) => i);
  const tags = Object.fromEntries(many.map(i => [`t${i}`, 'x']));
  const annotations = many.map(i => ({timestamp: i + 1, value: 'x'}));
  const {items, bad, cut} = await decodeSpans([JSON.stringify([SPAN, {...SPAN, tags, annotations}, SPAN])]);
  t.deepEqual(bad, []);
  t.is(cut, 2);
  t.deepEqual(items[0], items[2]);
  t.is(items[1]?.tags.size, 1002);
  t.is(items[1]?.tags.get('t999'), 'x');
  t.is(items[1]?.tags.get('cut.tags'), '1000 of 1200');
  t.is(items[1]?.tags.get('cut.annotations'), '1000 of 1200');
  t.is(items[1]?.annotations.length, 1000);

  const pairs = many.map(i => ({key: `t${i}`, value: 'x'}));
  const logs = many.map(time => ({time, data: time === 0 ? pairs : []}));
  const native = await decodeSegments([JSON.stringify([{...SEGMENT, spans: [{...NATIVE_SPAN, tags: pairs, logs}]}])]);
  t.deepEqual(native.bad, []);
  t.is(native.cut, 3);
  const [span] = native.items[0]?.spans ?? [];
  t.is(span?.tags.length, 1002);
  t.deepEqual(span?.tags.slice(1000), [
    {key: 'cut.tags', value: '1000 of 1200'},
    {key: 'cut.logs', value: '1000 of 1200'},
  ]);
  t.is(span?.logs.length, 1000);
  t.deepEqual(span?.logs[0]?.data[1000], {key: 'cut.data', value: '1000 of 1200'});
});
