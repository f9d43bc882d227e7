import test from 'ava';
import fc from 'fast-check';
import {RowReader} from '../../../storage-adapters/clickhouse/client/row-reader.js';
import {RowWriter} from '../../../storage-adapters/clickhouse/client/row-writer.js';
import {identifier, joined, sql} from '../../../storage-adapters/clickhouse/client/sql.js';
import {suiteWith} from '../../support/programs.js';
import {startClickHouse} from '../../support/servers/clickhouse.js';
import {clientOf} from './harness.js';

const HOSTILE = [
  "'",
  "''",
  "\\'",
  '\\',
  "\\\\'; DROP TABLE minutes; --",
  "') OR (1 = 1",
  '`"`',
  '/* */ -- #',
  '{x:String}',
  '%27 &amp; \\x41 \\N \\0',
  '\0\n\r\t\b\x1b\x7f',
  '\u{1F600}\uFF5E\u2019\u02BC',
  'FORMAT Null',
  '',
];

test('text is written as a literal, integers as they are, lists in brackets', t => {
  t.is(sql`a = ${'b'} AND c IN ${[1, -2]}`.text, "a = 'b' AND c IN (1, -2)");
  t.is(sql`${"it's"}`.text, "'it\\x27s'");
  t.is(sql`${Uint8Array.of(0, 39, 255)}`.text, "'\\x00\\x27\\xff'");
  t.is(sql`FROM ${identifier('a`b')}`.text, 'FROM `a\\x60b`');
  t.is(joined([sql`a`, sql`b = ${1}`], ' AND ').text, 'a AND b = 1');
});

test('what has no exact literal is refused', t => {
  for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) t.throws(() => sql`${value}`);
  t.throws(() => sql`x IN ${[]}`);
});

test('rows are decoded the same however the answer is cut', t => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(fc.string({unit: 'grapheme'}), fc.maxSafeInteger(), fc.double({noNaN: true}), fc.array(fc.string())),
      ),
      fc.array(fc.nat(400), {maxLength: 20}),
      (rows, cuts) => {
        const writer = new RowWriter();
        for (const [text, integer, number, texts] of rows) {
          writer.uint8(1);
          writer.string(text);
          writer.int64(integer);
          writer.float64(number);
          writer.strings(texts);
        }
        const bytes = writer.finish();
        const decoded: unknown[] = [];
        const reader = new RowReader(row => [row.string(), row.int64(), row.float64(), row.strings()]);
        const places = [...new Set([0, ...cuts.map(cut => Math.min(cut, bytes.length)), bytes.length])].sort(
          (a, b) => a - b,
        );
        for (const [i, place] of places.entries())
          reader.push(bytes.subarray(place, places[i + 1] ?? place), decoded as never[]);
        t.is(reader.end(decoded as never[]), undefined);
        t.deepEqual(
          decoded,
          rows.map(([text, ...rest]) => [
            text.toWellFormed(),
            ...rest.slice(0, 2),
            (rest[2] as string[]).map(each => each.toWellFormed()),
          ]),
        );
      },
    ),
    {numRuns: 300},
  );
});

test('an error after some rows is told from rows, and so is half a row', t => {
  const writer = new RowWriter();
  writer.uint8(1);
  writer.string('whole');
  const row = writer.finish();
  const cases: readonly (readonly [Buffer, string | undefined])[] = [
    [Buffer.alloc(0), undefined],
    [
      Buffer.from('Code: 241, e.displayText() = DB::Exception: Memory'),
      'Code: 241, e.displayText() = DB::Exception: Memory',
    ],
    [Buffer.from('\r\n__exception__\r\nCode: 1. '), '\r\n__exception__\r\nCode: 1. '],
    [row.subarray(0, 4), 'the answer ends in the middle of a row'],
  ];
  for (const [rest, failure] of cases) {
    const texts: string[] = [];
    const reader = new RowReader(each => each.string());
    reader.push(row, texts);
    for (const byte of rest) reader.push(Buffer.of(byte), texts);
    t.is(reader.end(texts), failure);
    t.deepEqual(texts, ['whole']);
  }
});

suiteWith(test, 'clickhouse-server', 'literals at a real server', () => {
  test('a literal means exactly its text to a real server', async t => {
    const server = await startClickHouse(t);
    const client = clientOf(t, {urls: [server.url]});
    const same = async (texts: readonly string[]) => {
      const [found] = await client.rows(
        sql`SELECT toUInt8(1), [${joined(
          texts.map(text => sql`${text}`),
          ', ',
        )}]`,
        row => row.strings(),
      );
      t.deepEqual(
        found,
        texts.map(text => text.toWellFormed()),
      );
      const [compared] = await client.rows(
        sql`SELECT toUInt8(1), [${joined(
          texts.map(text => sql`toString(${Buffer.from(text.toWellFormed())} = ${text})`),
          ', ',
        )}]`,
        row => row.strings(),
      );
      t.deepEqual(
        compared,
        texts.map(() => '1'),
      );
    };
    await same(HOSTILE);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({unit: 'binary', maxLength: 40}), {minLength: 20, maxLength: 60}), same),
      {numRuns: 30},
    );
  });

  test('a name in back quotes means exactly its text to a real server', async t => {
    const server = await startClickHouse(t);
    const client = clientOf(t, {urls: [server.url]});
    for (const name of HOSTILE.filter(each => each !== '')) {
      const [found] = await client.rows(
        sql`SELECT toUInt8(1), x FROM (SELECT 'y' AS ${identifier(name)}, ${identifier(name)} AS x)`,
        row => row.string(),
      );
      t.is(found, 'y');
    }
  });
});
