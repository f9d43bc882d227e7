import test from 'ava';
import {type ErrorCode, GatewayError} from '../../../core/api/adapter.js';
import {WriteQueue} from '../../../storage-adapters/postgres/client/write-queue.js';

/** A queue of words, by their letters, whose commits end when they are told to. */
function queueOf(failing: (words: readonly string[]) => ErrorCode | undefined = () => undefined) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const queue = new WriteQueue<string>({
    unit: 'letters',
    size: word => word.length,
    limit: 20,
    together: 6,
    store: words =>
      new Promise((resolve, reject) => {
        begun.push(words.join(' '));
        const code = failing(words);
        ends.push(code === undefined ? resolve : () => reject(new GatewayError(code, words.join(' '))));
      }),
  });
  const endAll = async (): Promise<void> => {
    for (let done = 0; done < ends.length; done++) {
      ends[done]?.();
      await new Promise(setImmediate);
    }
  };
  return {queue, begun, ends, endAll};
}

const outcome = (work: Promise<void>): Promise<string> =>
  work.then(
    () => 'stored',
    problem => GatewayError.from(problem).message,
  );

test('what comes while a commit is under way goes together, in order, and is acknowledged with its own', async t => {
  const {queue, begun, ends, endAll} = queueOf();
  const stored: string[] = [];
  const all = ['a', 'bb', 'ccc', 'dddd', 'eeeeeee', 'f'].map(async word => {
    await queue.write(word);
    stored.push(word);
  });
  t.deepEqual(begun, ['a']);
  ends[0]?.();
  await new Promise(setImmediate);
  t.deepEqual([begun, stored], [['a', 'bb ccc'], ['a']]);
  await endAll();
  await Promise.all(all);
  t.deepEqual(begun, ['a', 'bb ccc', 'dddd', 'eeeeeee', 'f']);
  t.deepEqual(stored, ['a', 'bb', 'ccc', 'dddd', 'eeeeeee', 'f']);
  await queue.settled();
});

test('what is wrong with one batch fails no other one', async t => {
  const {queue, begun, endAll} = queueOf(words => (words.includes('bad') ? 'bad_request' : undefined));
  const all = ['a', 'b', 'bad', 'c'].map(word => outcome(queue.write(word)));
  await endAll();
  t.deepEqual(await Promise.all(all), ['stored', 'stored', 'bad', 'stored']);
  t.deepEqual(begun, ['a', 'b bad c', 'b', 'bad', 'c']);
});

test('what ails the server fails all that went together, at once', async t => {
  const {queue, begun, endAll} = queueOf(words => (words.length > 1 ? 'storage_unavailable' : undefined));
  const all = ['a', 'b', 'c'].map(word => outcome(queue.write(word)));
  await endAll();
  t.deepEqual(await Promise.all(all), ['stored', 'b c', 'b c']);
  t.deepEqual(begun, ['a', 'b c']);
});

test('more than may wait is refused, and taken again when there is room', async t => {
  const {queue, endAll} = queueOf();
  const large = queue.write('x'.repeat(30));
  t.is(
    await outcome(queue.write('y')),
    'The postgres storage has 30 letters waiting to be written, and takes 20 at most. Send the batch again in a second.',
  );
  await endAll();
  await large;
  const next = queue.write('y');
  await endAll();
  t.is(await outcome(next), 'stored');
});
