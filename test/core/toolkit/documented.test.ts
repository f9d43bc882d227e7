import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setImmediate as turn} from 'node:timers/promises';
import test from 'ava';
import type {Call, Logger} from '../../../core/api/adapter.js';
import {MS_PER_DAY} from '../../../core/toolkit/time.js';
import {colourMistakes} from '../../fixtures/toolkit/colour-option.js';
import {watchDisk} from '../../fixtures/toolkit/disk-watch.js';
import {checkRetention, Expiry, RETENTION} from '../../fixtures/toolkit/expiry.js';
import {hourMean} from '../../fixtures/toolkit/hour-mean.js';
import {LineWriter} from '../../fixtures/toolkit/line-writer.js';
import {PageReader} from '../../fixtures/toolkit/page-reader.js';
import {watchToken} from '../../fixtures/toolkit/token-file.js';
import {countLines, countWords} from '../../fixtures/toolkit/word-count.js';

// The files that docs/toolkit.md shows, by way of the package entry.

const none = (): void => undefined;
const log: Logger = {debug: none, info: none, warn: none, error: none};
const call: Call = {signal: new AbortController().signal, log};

test('words are counted, by steps and by lines', async t => {
  t.deepEqual(
    [...(await countWords('a b a', call))],
    [
      ['a', 2],
      ['b', 1],
    ],
  );
  t.is(await countLines(['a b', 'c'], call), 3);
});

test('two pages are read at a time', async t => {
  let running = 0;
  let most = 0;
  const reader = new PageReader(async page => {
    most = Math.max(most, ++running);
    await turn();
    running--;
    return `page ${page}`;
  });
  const pages = await Promise.all([1, 2, 3, 4, 5].map(page => reader.read(page, call)));
  t.deepEqual(pages, ['page 1', 'page 2', 'page 3', 'page 4', 'page 5']);
  t.is(most, 2);
});

test('lines that come while others are written go together', async t => {
  const appended: string[] = [];
  const writer = new LineWriter(async text => {
    appended.push(text);
    await turn();
  });
  void writer.write(['a']);
  await Promise.resolve();
  void writer.write(['b']);
  void writer.write(['c', 'd']);
  await writer.stop();
  t.deepEqual(appended, ['a\n', 'b\nc\nd\n']);
});

test('a disk that is full is one warning', async t => {
  const ending = new AbortController();
  const lines: string[] = [];
  const told: Logger = {...log, warn: message => void lines.push(message)};
  const freeBytes = async (): Promise<number> => {
    ending.abort();
    return 0;
  };
  await watchDisk(freeBytes, told, ending.signal);
  t.deepEqual(lines, ['the disk is full']);
});

test('a colour that is none is told with those that are, and the one that was meant', t => {
  t.deepEqual(colourMistakes('red'), []);
  t.deepEqual(colourMistakes('gren'), [
    {key: 'colour', message: 'found "gren", expected "red", "green" or "blue"; did you mean "green"?'},
  ]);
});

test('what may go is told by the clock, which is in doubt when it has jumped', t => {
  const now = Date.now();
  const expiry = new Expiry(MS_PER_DAY, log, {time: now, ahead: 0});
  t.true(expiry.before >= now - MS_PER_DAY && expiry.before <= Date.now() - MS_PER_DAY);
  t.is(expiry.health.status, 'ok');
  const after = new Expiry(MS_PER_DAY, log, {time: now - 30 * MS_PER_DAY, ahead: 0});
  t.is(after.health.status, 'degraded');
  t.true(after.before < now - 30 * MS_PER_DAY);
  t.like(RETENTION, {type: 'object'});
  t.is(checkRetention({retention: {minute: 2 * MS_PER_DAY, day: MS_PER_DAY}})[0]?.key, 'retention.day');
});

test('a mean does not depend on the order', t => {
  const values = [1e16, 1, -1e16, 0.1, 0.2, 0.3];
  t.is(hourMean(values), hourMean([...values].reverse()));
  t.is(hourMean([1e16, 1, -1e16]), 1 / 3);
});

test('a token is what its file says, without the end of its line', t => {
  const folder = mkdtempSync(join(tmpdir(), 'query-gateway-'));
  t.teardown(() => rmSync(folder, {recursive: true}));
  const path = join(folder, 'token');
  t.throws(() => watchToken(path, log), {message: `tokenFile names ${path}, which does not exist`});
  writeFileSync(path, '\n');
  t.throws(() => watchToken(path, log), {message: `tokenFile names ${path}, which is empty`});
  writeFileSync(path, 'abc\n');
  const token = watchToken(path, log);
  t.is(token.value, 'abc');
  token.close();
});
